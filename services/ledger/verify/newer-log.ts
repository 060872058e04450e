// What a program can still say of a log with events that it does not know: that it is too old, and what published heads say.
import type { KnownLog, NewerEvent } from "#ledger/projection/newer-events.ts";
import { describeUnknown } from "#ledger/projection/newer-events.ts";
import { collectFindings } from "#ledger/verify/findings.ts";
import type { HeadsProof } from "#ledger/verify/heads.ts";
import { checkHeads } from "#ledger/verify/heads.ts";
import type { VerifyOptions, VerifyReport } from "#ledger/verify/verify.ts";
import { readProvableHead, SNAPSHOT, walkMost } from "#ledger/verify/walk-most.ts";

/** What this program does not know, and what the published heads say, for which it need not know anything. */
type TooOld = { readonly newer: NewerEvent; readonly heads: HeadsProof };

/**
 * The first event that only a newer program can have written: this one does not know it, and the chain is right. Where it is
 * not, somebody changed the log, and everything is looked at.
 */
export async function findNewer(
  options: VerifyOptions,
  knownLog: KnownLog,
): Promise<TooOld | undefined> {
  // What fails here is found again, and listed, by the checks themselves.
  const aside = collectFindings(options.signal);
  const known = await aside.attempt({ check: "rows", what: "The types of events" }, () =>
    knownLog(0, Number.MAX_SAFE_INTEGER),
  );
  if (known?.newer === undefined) {
    return undefined;
  }
  await walkMost(options, aside);
  const heads = await aside.attempt({ check: "head", what: "Published heads" }, () =>
    options.sql.begin(SNAPSHOT, async (snapshot) => {
      const { position } = await readProvableHead(snapshot);
      return checkHeads(snapshot, options.heads, position);
    }),
  );
  const isChanged = aside.listed().some(({ check }) => check === "chain");
  return isChanged || heads === undefined ? undefined : { newer: known.newer, heads };
}

/** The report of a program that is older than the log: it would call everything wrong that it does not know. */
export function notProved(
  { projections }: VerifyOptions,
  { newer, heads }: TooOld,
  startedAt: number,
): VerifyReport {
  const message =
    `${describeUnknown(newer)}: the program is older than the log, so it cannot prove the books. ` +
    "Verify with the newer version";
  return {
    position: 0,
    hash: null,
    events: 0,
    streams: 0,
    answers: { chained: 0, older: 0, refused: 0, acceptedWithoutEvents: 0 },
    trialBalanceCents: null,
    accounts: 0,
    unitsBalance: null,
    holdings: 0,
    projections: projections.length,
    replayedProjections: [],
    heads: heads.report,
    problems: [{ check: "program", position: newer.position, message }, ...heads.problems],
    unlistedProblems: 0,
    notes: [],
    elapsedMs: performance.now() - startedAt,
  };
}
