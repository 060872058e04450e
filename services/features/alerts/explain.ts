// How alerts read to admins: what is wrong, what to do about it, and what happened to the alert.
import type { FeatureExplanations } from "#features/histories.ts";
import type { alertEvents } from "#features/alerts/events.ts";
import type { Alert } from "#features/alerts/streams.ts";

const inNoOther = { consignor: null, item: null, user: null } as const;

const countFormat = new Intl.NumberFormat("en-US");

type Fault = Pick<Alert, "kind" | "subject" | "rowKey" | "count" | "atPosition">;

function rowsOf({ count, subject }: Fault): string {
  return count === 1 ? `A row of ${subject}` : `${countFormat.format(count)} rows of ${subject}`;
}

/** "A row of balances differs from the log". */
export function describeAlert(fault: Fault): string {
  const { kind, subject, count } = fault;
  switch (kind) {
    case "drift":
      return `${rowsOf(fault)} ${count === 1 ? "differs" : "differ"} from the log`;
    case "held":
      return `${rowsOf(fault)} ${count === 1 ? "is" : "are"} held back`;
    case "stalled":
      return `The tables of ${subject} get no further, or a part of them is missing`;
    case "books":
      return `The proof of the books found ${countFormat.format(count)} ${count === 1 ? "problem" : "problems"}: ${subject}`;
    case "proof":
      return "The books were not proved in time";
    case "backup":
      return "The newest backup is too old";
    case "notifications":
      return subject === "stopped"
        ? "Discord refuses the store's bot, and no notification is sent there"
        : `${countFormat.format(count)} ${count === 1 ? "notification was" : "notifications were"} given up`;
    default:
      return kind satisfies never;
  }
}

/** What an admin or operator can do. */
export function adviceFor({ kind, subject }: Pick<Fault, "kind" | "subject">): string {
  switch (kind) {
    case "drift":
      return `Run npm run verify to see the rows, then rebuild ${subject}. Payouts of the people concerned are on hold until the rows are right`;
    case "held":
      return `Fix the cause, then replay the held rows of ${subject}`;
    case "stalled":
      return `Run npm run status: it names a part that is missing. If none is, the worker's log says why. If the tables are damaged, rebuild ${subject}; if the step is wrong, start a program that has it right`;
    case "books":
      return "Run npm run verify: it names the first wrong position";
    case "proof":
      return "Look at the worker's log: it says why the proof did not end";
    case "backup":
      return "Look at the worker's log: it says why the backup did not end";
    case "notifications":
      return subject === "stopped"
        ? "Check the bot's token in DISCORD_BOT_TOKEN, and start the worker again"
        : "Operations lists them: try them again, or drop them";
    default:
      return kind satisfies never;
  }
}

export const alertExplanations: FeatureExplanations<typeof alertEvents> = {
  AlertRaised: {
    ...inNoOther,
    alert: {
      kind: "raised",
      read: (data) => ({ description: `Alert raised. ${describeAlert(data)}` }),
    },
  },
  AlertAcknowledged: {
    ...inNoOther,
    alert: { kind: "acknowledged", read: () => ({ description: "Alert acknowledged" }) },
  },
  AlertResolved: {
    ...inNoOther,
    alert: { kind: "resolved", read: () => ({ description: "Alert resolved" }) },
  },
};
