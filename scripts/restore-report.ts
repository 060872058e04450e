// How `npm run restore` and `npm run restore-drill` print what they proved.
import { formatCents } from "#ledger/money.ts";
import type { AfterRestore } from "#process/after-restore.ts";
import type { KeptOutside } from "#process/kept-outside.ts";
import type { Restored } from "#process/restore-store.ts";

const number = (value: number) => value.toLocaleString("en-US");
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

/** Whether everything that was proved is right. */
export function passed({ verified }: Restored): boolean {
  return verified.problems.length === 0;
}

/** The lines for a person; the last one says pass or fail. */
export function describeRestored(restored: Restored): string {
  const { verified, heads, position } = restored;
  const row = (what: string, text: string) => `  ${what.padEnd(18)}${text}`;
  const lost =
    heads.lostThrough === null
      ? []
      : [
          row(
            "Lost",
            `${number(heads.lostThrough - position)} events after the back-up: positions ${number(position + 1)} to ` +
              `${number(heads.lostThrough)} were published`,
          ),
        ];
  const [first] = verified.problems;
  return [
    row("Back-up", `of ${restored.backedUpAt}, ${(restored.bytes / 1e6).toFixed(1)} MB`),
    row("Log", `${number(verified.events)} events, head ${position}:${verified.hash ?? "none"}`),
    row("Published heads", `${number(heads.compared)} compared`),
    ...lost,
    row("Secrets", describeSecrets(restored)),
    row("Trial balance", `${verified.trialBalanceCents ?? "unknown"} cents`),
    row(
      "Live = replay",
      `${verified.replayedProjections.length} of ${verified.projections} projections`,
    ),
    row(
      "Time",
      `${seconds(restored.elapsedMs)}: loaded in ${seconds(restored.loadMs)}, read tables in ` +
        `${seconds(restored.rebuildMs)}, proved in ${seconds(verified.elapsedMs)}`,
    ),
    ...verified.problems.map((problem) => `  ! ${problem.check}: ${problem.message}`),
    first === undefined
      ? "Pass: the back-up restores to right books."
      : "Fail: the restored books are NOT right.",
  ].join("\n");
}

function describeSecrets({ secrets: { sealed, lost } }: Restored): string {
  return lost.length === 0
    ? `${number(sealed)}, all opened by the key at hand`
    : `${number(lost.length)} of ${number(sealed)} are sealed with a key that is not at hand`;
}

/** What a person has to do next. */
export function describeAfter(
  { erasedAgain, unsigned }: AfterRestore,
  { secrets: { lost } }: Pick<Restored, "secrets">,
  { heads, erased }: KeptOutside,
): string[] {
  const isAlone = heads.length + erased.signed.length + erased.unsigned.length === 0;
  return [
    ...(isAlone
      ? [
          "No published heads and no list of erased people were found: nothing proves that the log is whole, and whoever " +
            "was erased after the back-up is back. If you have DATA_DIR/heads of the store, restore again with --heads.",
        ]
      : []),
    ...(lost.length === 0
      ? []
      : [
          `Without their key, ${number(lost.length)} secrets were given up: the next start makes new keys for sign-ins ` +
            "and statements, and authenticator apps have to be set up again. Statements stay genuine.",
        ]),
    "Payouts wait until an admin has checked them against CashApp and Venmo, on Payout Requests.",
    ...unsigned.map((uid) =>
      erasedAgain.some((again) => again.uid === uid)
        ? `Nothing proves that the store wrote the line in erased.txt that says ${uid} was erased: there is no key.`
        : `A line in erased.txt says that ${uid} was erased, and the store did not sign it: not erased. Delete this ` +
          "person if it is true.",
    ),
    ...erasedAgain.map(
      ({ uid, leftCents }) =>
        `Erased again, as after the back-up: ${uid}` +
        (leftCents === 0
          ? ""
          : `; the restored log still has ${formatCents(leftCents)} in the account`),
    ),
  ];
}
