// An account's last entries and payouts, for the dashboard and the drawer of Consignors, and what became of requested payouts.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import { statement, type ValueOf } from "#http/statement.ts";
import type { LedgerLine } from "#features/accounts/contract.ts";
import { PAYOUT_NEWS_MS } from "#features/accounts/contract-summary.ts";
import type { RecentLine, RecentResponse } from "#features/accounts/contract-summary.ts";
import type { LedgerPeople } from "#features/accounts/ledger-lines.ts";
import { selectLines, toLines } from "#features/accounts/ledger-lines.ts";
import { PayoutRequested } from "#features/payouts/events.ts";
import { payoutsTable } from "#features/payouts/projection.ts";
import type { KeptHandle, PayoutHandles } from "#identity/payout-handles.ts";
import { toDollars } from "#ledger/money.ts";
import type { RowOf } from "#ledger/projection/columns.ts";

const LINES = 5;
const PAYOUTS = 3;

const inPayouts = withTables(payoutsTable);

const lastLines = statement(
  (reads, value: ValueOf<{ readonly uid: string; readonly timeZone: string }>) =>
    selectLines(reads, value("uid"), value("timeZone"))
      .orderBy("h.line", "desc")
      .limit(sql.lit(LINES)),
);

type Whose = { readonly uid: string; readonly newsSince: string };

/**
 * The pending ones that wait longest, then those that were settled last. What came back lately is the first of these,
 * because its person must act on it, and requests that they withdrew since would hide it.
 */
const lastPayouts = statement((reads, value: ValueOf<Whose>) =>
  inPayouts(reads)
    .selectFrom((inner) =>
      inner
        .selectFrom("read.payouts")
        .select(["payout_id", "amount_cents", "method", "status", "requested_at", "settled_at"])
        .select([
          "claimed_until",
          "handle_id",
          "reference",
          "withdrawn",
          "returned_at",
          "return_note_id",
        ])
        .select([
          sql<number>`count(*) filter (where status = 'pending') over ()`.as("pending"),
          sql<number>`row_number() over (partition by status = 'pending'
            order by case when status = 'pending' then position end,
              coalesce(returned_at >= ${value("newsSince")}::timestamptz, false) desc,
              coalesce(returned_at, settled_at) desc, position desc)`.as("nth"),
        ])
        .where("consignor_uid", "=", value("uid"))
        .as("p"),
    )
    .selectAll()
    .where("nth", "<=", sql.lit(PAYOUTS))
    .orderBy(sql`status <> 'pending'`)
    .orderBy("nth"),
);

const statusesOf = statement((reads, value: ValueOf<{ readonly ids: string }>) =>
  inPayouts(reads)
    .selectFrom("read.payouts")
    .select(["payout_id", "status"])
    .where("payout_id", "=", sql<string>`any (${value("ids")}::text::uuid[])`),
);

/** The tone of a requested payout's chip shows whether it is pending, was paid, or went back. */
export async function withOutcomes(
  reads: Reads,
  lines: readonly LedgerLine[],
): Promise<LedgerLine[]> {
  const ids = lines.flatMap(({ type, payoutID }) =>
    type === PayoutRequested.type && payoutID !== null ? [payoutID] : [],
  );
  const found = ids.length === 0 ? [] : await statusesOf(reads, { ids: `{${ids.join(",")}}` });
  const statuses = new Map(found.map((row) => [row.payout_id, row.status]));
  return lines.map((line) => {
    const status = line.type === PayoutRequested.type ? statuses.get(line.payoutID ?? "") : "none";
    if (status === "paid") {
      return { ...line, chip: { ...line.chip, tone: "done" } };
    }
    return status === "deleted" || status === "returned"
      ? { ...line, chip: { ...line.chip, tone: "neutral" } }
      : line;
  });
}

function recentOf(line: LedgerLine): RecentLine {
  const { kind, description, amount, balanceAfter, note, happenedAt, recordedAt, isLate } = line;
  return {
    line: line.line,
    kind,
    description,
    amount,
    balanceAfter,
    // The last step is the amount itself.
    reasons: line.explanation.slice(0, -1),
    note,
    happenedAt,
    recordedAt,
    isLate,
  };
}

type Sent = Pick<RowOf<typeof payoutsTable>, "status" | "method" | "handle_id">;

function isSent({ status }: Sent): boolean {
  return status === "paid" || status === "returned";
}

/** Where a payout went. A row that is not this person's handle, or of another method, is not what the payout names. */
function sentTo(payout: Sent, uid: string, kept: KeptHandle | undefined): string | null {
  const isOwn = kept?.uid === uid && kept.method === payout.method && kept.handle !== "";
  return isSent(payout) && isOwn ? kept.handle : null;
}

export async function readRecent(
  reads: Reads,
  people: LedgerPeople & { readonly payoutHandles: PayoutHandles },
  viewer: {
    readonly uid: string;
    readonly timeZone: string;
    readonly forAdmin: boolean;
    readonly now: Date;
  },
): Promise<RecentResponse> {
  const { uid, timeZone, forAdmin, now } = viewer;
  const newsSince = new Date(now.getTime() - PAYOUT_NEWS_MS).toISOString();
  const [rows, payouts] = await Promise.all([
    lastLines(reads, { uid, timeZone }),
    lastPayouts(reads, { uid, newsSince }),
  ]);
  const [reasons, handles] = await Promise.all([
    people.notes.findMany(payouts.flatMap((row) => row.return_note_id ?? [])),
    people.payoutHandles.findMany(payouts.filter(isSent).map((row) => row.handle_id)),
  ]);
  const shown = payouts.filter(({ status }) => status === "pending").length;
  return {
    lines: (await toLines(people, rows, forAdmin)).map(recentOf),
    payouts: payouts.map((row) => ({
      id: row.payout_id,
      amount: toDollars(row.amount_cents),
      method: row.method,
      status: row.status,
      requestedAt: row.requested_at.toISOString(),
      claimedUntil: row.status === "pending" ? (row.claimed_until?.toISOString() ?? null) : null,
      handle: sentTo(row, uid, handles.get(row.handle_id)),
      reference: row.reference,
      withdrawn: row.withdrawn,
      settledAt: row.settled_at?.toISOString() ?? null,
      returnedAt: row.returned_at?.toISOString() ?? null,
      returnReason: reasons.get(row.return_note_id ?? "") ?? null,
    })),
    morePending: (payouts[0]?.pending ?? 0) - shown,
  };
}
