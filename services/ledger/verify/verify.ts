// Verifies the books: the chain, kept answers, typed rows, states, the schema, views, and live tables against a replay.
import type { Sql, TransactionSql } from "postgres";
import type { StreamDefinition } from "#ledger/decider.ts";
import type { HeadSource } from "#ledger/log/head-files.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { findMissing } from "#ledger/projection/missing-tables.ts";
import { createKnownLog } from "#ledger/projection/newer-events.ts";
import { fillUpcasts } from "#ledger/projection/upcasts.ts";
import type { AnswerCounts } from "#ledger/verify/answers.ts";
import { checkUnboundKeys } from "#ledger/verify/answers.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { checkFeatures } from "#ledger/verify/feature-checks.ts";
import type { Findings } from "#ledger/verify/findings.ts";
import { collectFindings } from "#ledger/verify/findings.ts";
import type { HeadsReport } from "#ledger/verify/heads.ts";
import { checkHeads } from "#ledger/verify/heads.ts";
import { checkHeld } from "#ledger/verify/held.ts";
import { lookAgain } from "#ledger/verify/look-again.ts";
import type { Problem } from "#ledger/verify/problem.ts";
import type { ReplayOptions } from "#ledger/verify/replay.ts";
import { checkReplay } from "#ledger/verify/replay.ts";
import type { TrialBalance } from "#ledger/verify/rows.ts";
import { checkRows, refuseEndlessGap, trialBalance } from "#ledger/verify/rows.ts";
import { checkSchema } from "#ledger/verify/schema.ts";
import { checkStates } from "#ledger/verify/states.ts";
import { checkDefinitions } from "#ledger/verify/definitions.ts";
import { checkUpcasts } from "#ledger/verify/upcasts.ts";
import { checkTableShape } from "#ledger/verify/table-shape.ts";
import { checkViews } from "#ledger/verify/views.ts";
import { findNewer, notProved } from "#ledger/verify/newer-log.ts";
import { CHAIN, readProvableHead, SNAPSHOT, walkMost } from "#ledger/verify/walk-most.ts";
import type { LogWalk, Walk } from "#ledger/verify/walk.ts";

export type VerifyOptions = ReplayOptions & {
  readonly sql: Sql;
  readonly streams: ReadonlyMap<string, StreamDefinition<unknown>>;
  readonly projections: readonly Projection[];
  /** Heads published outside the database that the log must still contain; not checked without any source. */
  readonly heads: readonly HeadSource[];
  readonly checks: readonly BookCheck[];
  /** The server is the store's own, the embedded one: nobody else has anything in it. */
  readonly hasOwnServer?: boolean;
  /** Skips live = replay, the longest part. */
  readonly withoutReplay?: boolean;
  /** Brings the read tables up to the log if nobody else does; a failure is a finding. */
  readonly prepare?: () => Promise<void>;
};

export type VerifyReport = {
  readonly position: number;
  readonly hash: string | null;
  readonly events: number;
  readonly streams: number;
  /** How many kept answers the chain proves, and how many it does not. */
  readonly answers: AnswerCounts;
  /** Null if it could not be computed. */
  readonly trialBalanceCents: number | null;
  readonly accounts: number;
  /** Null if it could not be computed. */
  readonly unitsBalance: number | null;
  readonly holdings: number;
  readonly projections: number;
  /** The names of those that were folded again and compared with their live tables. */
  readonly replayedProjections: readonly string[];
  readonly heads: HeadsReport;
  /** At most a hundred per check. */
  readonly problems: readonly Problem[];
  /** How many more findings there are. */
  readonly unlistedProblems: number;
  /** Facts that are not problems but should be known. */
  readonly notes: readonly string[];
  readonly elapsedMs: number;
};

type Proof = {
  readonly head: { readonly position: number; readonly hash: string | null };
  readonly events: number;
  readonly streams: number;
  readonly trial: TrialBalance | undefined;
  readonly answers: AnswerCounts;
  readonly heads: HeadsReport;
  readonly notes: readonly string[];
};

const NO_HEADS: HeadsReport = { sources: 0, compared: 0, through: 0, torn: [] };

/** Walks what was added since, in the snapshot that the states are read in. */
async function walkRest(
  snapshot: TransactionSql,
  most: LogWalk | undefined,
  findings: Findings,
): Promise<Walk | undefined> {
  return (
    most &&
    findings.attemptIn(snapshot, CHAIN, async (sql) => {
      while (await most.next(sql, Number.MAX_SAFE_INTEGER)) {
        // There are few.
      }
      return most.end();
    })
  );
}

/** Checks the log itself, event by event, and the answers and states that must follow from it. */
async function proveLog(
  snapshot: TransactionSql,
  { streams, onProgress }: VerifyOptions,
  { headPosition, most }: { readonly headPosition: number; readonly most: LogWalk | undefined },
  findings: Findings,
): Promise<Pick<Proof, "events" | "streams" | "answers">> {
  const walk = await walkRest(snapshot, most, findings);
  onProgress?.("typed rows", 0, 1);
  await checkRows(snapshot, findings);
  const lastOlder = walk?.answers.lastOlder ?? headPosition;
  const unbound = await findings.attemptIn(
    snapshot,
    { check: "keys", what: "Answers without events" },
    (sql) => checkUnboundKeys(sql, findings, headPosition, lastOlder),
  );
  if (walk !== undefined) {
    await findings.attemptIn(snapshot, { check: "streams", what: "The streams' states" }, (sql) =>
      checkStates(sql, streams, walk.folded, findings),
    );
  }
  return {
    events: walk?.events ?? 0,
    streams: walk?.folded.size ?? 0,
    answers: {
      chained: walk?.answers.chained ?? 0,
      older: walk?.answers.older ?? 0,
      refused: unbound?.refused ?? 0,
      acceptedWithoutEvents: unbound?.acceptedWithoutEvents ?? 0,
    },
  };
}

/** The part that is checked in one snapshot: the end of the log, and what is derived from it. */
async function prove(
  snapshot: TransactionSql,
  options: VerifyOptions,
  most: LogWalk | undefined,
  findings: Findings,
): Promise<Proof> {
  const head = (await findings.attemptIn(
    snapshot,
    { check: "chain", what: "The log's head" },
    readProvableHead,
  )) ?? { position: 0, hash: null };
  const heads = await findings.attemptIn(
    snapshot,
    { check: "head", what: "Published heads" },
    (sql) => checkHeads(sql, options.heads, head.position),
  );
  findings.add(...(heads?.problems ?? []));
  const at = { headPosition: head.position, most };
  const log = await proveLog(snapshot, options, at, findings);
  const upcasts = await findings.attemptIn(
    snapshot,
    { check: "projection", what: "The rows of older events" },
    (sql) => checkUpcasts(sql, options.events),
  );
  findings.add(...(upcasts ?? []));
  const trial = await findings.attemptIn(
    snapshot,
    { check: "balances", what: "The trial balance" },
    trialBalance,
  );
  const schema = await findings.attemptIn(
    snapshot,
    { check: "schema", what: "Grants, triggers and functions" },
    (sql) => checkSchema(sql, { hasOwnServer: options.hasOwnServer === true }),
  );
  findings.add(...(schema?.problems ?? []));
  options.onProgress?.("typed rows", 1, 1);
  const notes = schema?.notes ?? [];
  return { head, ...log, trial, heads: heads?.report ?? NO_HEADS, notes };
}

/** Parts that are gone, with what to do. Views have a check of their own. */
function checkPresence(sql: Sql, projection: Projection): Promise<Problem[]> {
  return lookAgain(async () =>
    (await findMissing(sql, [projection], "without views")).map(({ sentence }) => ({
      check: "projection",
      position: 0,
      message: `${sentence}: npm run rebuild -- ${projection.name} makes new ones`,
    })),
  );
}

/**
 * The part that is checked for each projection outside the snapshot: its views, and its live tables against a replay.
 * Returns whether it was replayed.
 */
async function proveProjection(
  projection: Projection,
  options: VerifyOptions,
  findings: Findings,
): Promise<boolean> {
  const { sql } = options;
  const missing = await findings.attempt(
    { check: "projection", what: `Whether the tables of ${projection.name} are there` },
    () => checkPresence(sql, projection),
  );
  findings.add(...(missing ?? []));
  const views = await findings.attempt(
    { check: "views", what: `The views of ${projection.name}` },
    () => checkViews(sql, projection),
  );
  findings.add(...(views ?? []));
  if (missing !== undefined && missing.length > 0) {
    return false;
  }
  const shape = await findings.attempt(
    { check: "projection", what: `The structure of the tables of ${projection.name}` },
    () => checkTableShape(sql, projection),
  );
  findings.add(...(shape ?? []));
  if (options.withoutReplay === true) {
    return false;
  }
  const replay = await findings.attempt(
    { check: "projection", what: `The replay of ${projection.name}` },
    async () => {
      await refuseEndlessGap(sql);
      return checkReplay(sql, projection, options);
    },
  );
  findings.add(...(replay?.problems ?? []));
  return replay?.isReplayed ?? false;
}

function addTrial(trial: TrialBalance | undefined, findings: Findings): void {
  if (trial !== undefined && trial.cents !== 0) {
    findings.add({ check: "balances", position: 0, message: "The trial balance is not zero" });
  }
  if (trial !== undefined && trial.units !== 0) {
    findings.add({ check: "units", position: 0, message: "The units balance is not zero" });
  }
}

/**
 * The whole verification. The log's end and its states are read in one snapshot, so the shop can go on. A check
 * that fails is a finding; throws only if verification itself is interrupted, by a lost database or its signal.
 */
export async function verifyBooks(options: VerifyOptions): Promise<VerifyReport> {
  const startedAt = performance.now();
  const findings = collectFindings(options.signal);
  const { prepare } = options;
  const knownLog = createKnownLog(options.sql, options.events);
  const tooOld = await findNewer(options, knownLog);
  if (tooOld !== undefined) {
    return notProved(options, tooOld, startedAt);
  }
  if (prepare !== undefined) {
    const what = "Whether the read tables can be brought up to the log";
    await findings.attempt({ check: "projection", what }, async () => {
      await refuseEndlessGap(options.sql);
      await prepare();
    });
  }
  const older = "Whether older events can be read in their current version";
  await findings.attempt({ check: "projection", what: older }, () =>
    fillUpcasts(options.sql, options.events),
  );
  const most = await walkMost(options, findings);
  const proof = await options.sql.begin(SNAPSHOT, (snapshot) =>
    prove(snapshot, options, most, findings),
  );
  addTrial(proof.trial, findings);
  const featureNotes = await checkFeatures(options, findings);
  const replayedProjections: string[] = [];
  for (const projection of options.projections) {
    if (await proveProjection(projection, { ...options, knownLog }, findings)) {
      replayedProjections.push(projection.name);
    }
  }
  const definitions = await findings.attempt(
    { check: "projection", what: "The definitions of the read tables" },
    () => checkDefinitions(options.sql, options.projections),
  );
  findings.add(...(definitions?.problems ?? []));
  // Last, because the replays may have held back further keys.
  const held = await findings.attempt({ check: "held", what: "The held rows" }, () =>
    checkHeld(options.sql),
  );
  findings.add(...(held ?? []));
  return {
    position: proof.head.position,
    hash: proof.head.hash,
    events: proof.events,
    streams: proof.streams,
    answers: proof.answers,
    trialBalanceCents: proof.trial?.cents ?? null,
    accounts: proof.trial?.accounts ?? 0,
    unitsBalance: proof.trial?.units ?? null,
    holdings: proof.trial?.holdings ?? 0,
    projections: options.projections.length,
    replayedProjections,
    heads: proof.heads,
    problems: findings.listed(),
    unlistedProblems: findings.unlisted(),
    notes: [...proof.notes, ...featureNotes, ...(definitions?.notes ?? [])],
    elapsedMs: performance.now() - startedAt,
  };
}
