// Proving the books right: the chain, kept answers, typed rows, states, the schema, views, and live tables against a replay.
import type { Sql, TransactionSql } from "postgres";
import type { StreamDefinition } from "#ledger/decider.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import type { Projection } from "#ledger/projection/define.ts";
import type { AnswerCounts } from "#ledger/verify/answers.ts";
import { checkUnboundKeys } from "#ledger/verify/answers.ts";
import type { PublishedHead } from "#ledger/verify/chain.ts";
import { checkHead } from "#ledger/verify/chain.ts";
import type { Findings } from "#ledger/verify/findings.ts";
import { collectFindings } from "#ledger/verify/findings.ts";
import type { Problem } from "#ledger/verify/problem.ts";
import type { ReplayOptions } from "#ledger/verify/replay.ts";
import { checkReplay } from "#ledger/verify/replay.ts";
import type { TrialBalance } from "#ledger/verify/rows.ts";
import { checkRows, refuseEndlessGap, runSqlChecks, trialBalance } from "#ledger/verify/rows.ts";
import { checkSchema } from "#ledger/verify/schema.ts";
import { checkStates } from "#ledger/verify/states.ts";
import { checkViews } from "#ledger/verify/views.ts";
import { walkLog } from "#ledger/verify/walk.ts";

/** A statement about the read tables that must hold; its SQL selects `position` and `message` of what does not. */
export type BookCheck = {
  readonly check: "balances" | "units" | "users";
  readonly sql: string;
};

export type VerifyOptions = ReplayOptions & {
  readonly sql: Sql;
  readonly events: EventRegister;
  readonly streams: ReadonlyMap<string, StreamDefinition<unknown>>;
  readonly projections: readonly Projection[];
  /** Heads published outside the database that the log must still contain. */
  readonly heads: readonly PublishedHead[];
  readonly checks: readonly BookCheck[];
  /** Leaves out live = replay, the longest part. */
  readonly withoutReplay?: boolean;
  /** Brings the read tables up to the log where nobody else does; that it fails is a finding. */
  readonly prepare?: () => Promise<void>;
};

export type VerifyReport = {
  readonly position: number;
  readonly hash: string | null;
  readonly events: number;
  readonly streams: number;
  /** How many kept answers the chain proves, and how many it does not. */
  readonly answers: AnswerCounts;
  /** Null where it could not be drawn up. */
  readonly trialBalanceCents: number | null;
  readonly accounts: number;
  /** Null where it could not be drawn up. */
  readonly unitsBalance: number | null;
  readonly holdings: number;
  readonly replayedProjections: number;
  /** At most a hundred of each check. */
  readonly problems: readonly Problem[];
  /** How many findings there are besides. */
  readonly unlistedProblems: number;
  readonly elapsedMs: number;
};

type Proof = {
  readonly head: { readonly position: number; readonly hash: string | null };
  readonly events: number;
  readonly streams: number;
  readonly trial: TrialBalance | undefined;
  readonly answers: AnswerCounts;
};

/** The head as far as positions can be: one beyond what a number holds is a finding of the rows. */
async function readProvableHead(sql: TransactionSql): Promise<Proof["head"]> {
  const [row] = await sql<{ position: number; hash: string }[]>`
    select position, encode(hash, 'hex') as hash from log.events
    where position between 1 and ${Number.MAX_SAFE_INTEGER} order by position desc limit 1`;
  return row ?? { position: 0, hash: null };
}

/** What is proved in one snapshot: the log, and what is derived from it. */
async function prove(
  snapshot: TransactionSql,
  options: VerifyOptions,
  findings: Findings,
): Promise<Proof> {
  const { signal, onProgress } = options;
  const head = (await findings.attemptIn(
    snapshot,
    { check: "chain", what: "The log's head" },
    readProvableHead,
  )) ?? { position: 0, hash: null };
  const walkOptions = {
    events: options.events,
    streams: options.streams,
    wanted: new Set(options.heads.map((published) => published.position)),
    headPosition: head.position,
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(signal === undefined ? {} : { signal }),
  };
  const walk = await findings.attemptIn(
    snapshot,
    { check: "chain", what: "The hash chain" },
    (sql) => walkLog(sql, walkOptions, findings),
  );
  for (const published of options.heads) {
    const problem = checkHead(published, walk?.hashes.get(published.position), head.position);
    if (problem !== undefined) {
      findings.add(problem);
    }
  }
  onProgress?.("typed rows", 0, 1);
  await checkRows(snapshot, findings);
  const lastOlder = walk?.answers.lastOlder ?? head.position;
  const unbound = await findings.attemptIn(
    snapshot,
    { check: "keys", what: "Answers without events" },
    (sql) => checkUnboundKeys(sql, findings, head.position, lastOlder),
  );
  if (walk !== undefined) {
    await findings.attemptIn(snapshot, { check: "streams", what: "The streams' states" }, (sql) =>
      checkStates(sql, options.streams, walk.folded, findings),
    );
  }
  await runSqlChecks(snapshot, options.checks, "What a feature says of its read tables", findings);
  const trial = await findings.attemptIn(
    snapshot,
    { check: "balances", what: "The trial balance" },
    trialBalance,
  );
  const schema = await findings.attemptIn(
    snapshot,
    { check: "schema", what: "Grants, triggers and functions" },
    checkSchema,
  );
  findings.add(...(schema ?? []));
  onProgress?.("typed rows", 1, 1);
  return {
    head,
    events: walk?.events ?? 0,
    streams: walk?.folded.size ?? 0,
    trial,
    answers: {
      chained: walk?.answers.chained ?? 0,
      older: walk?.answers.older ?? 0,
      refused: unbound?.refused ?? 0,
      acceptedWithoutEvents: unbound?.acceptedWithoutEvents ?? 0,
    },
  };
}

/** What is proved of each projection, outside the snapshot: its views, and its live tables against a replay. */
async function proveProjection(
  projection: Projection,
  options: VerifyOptions,
  findings: Findings,
): Promise<void> {
  const { sql } = options;
  const views = await findings.attempt(
    { check: "views", what: `What the views of ${projection.name} show` },
    () => checkViews(sql, projection),
  );
  findings.add(...(views ?? []));
  if (options.withoutReplay !== true) {
    const differences = await findings.attempt(
      { check: "projection", what: `The replay of ${projection.name}` },
      async () => {
        await refuseEndlessGap(sql);
        return checkReplay(sql, projection, options);
      },
    );
    findings.add(...(differences ?? []));
  }
}

/**
 * The whole proof. Everything but views and replay is read in one snapshot, so the shop may go on meanwhile. A
 * check that fails is a finding; throws only where the proof itself is cut short, by a lost database or its signal.
 */
export async function verifyBooks(options: VerifyOptions): Promise<VerifyReport> {
  const startedAt = performance.now();
  const findings = collectFindings(options.signal);
  const { prepare } = options;
  if (prepare !== undefined) {
    const what = "Whether the read tables can be brought up to the log";
    await findings.attempt({ check: "projection", what }, async () => {
      await refuseEndlessGap(options.sql);
      await prepare();
    });
  }
  const proof = await options.sql.begin("isolation level repeatable read read only", (snapshot) =>
    prove(snapshot, options, findings),
  );
  if (proof.trial !== undefined && proof.trial.cents !== 0) {
    findings.add({ check: "balances", position: 0, message: "The trial balance is not zero" });
  }
  if (proof.trial !== undefined && proof.trial.units !== 0) {
    findings.add({ check: "units", position: 0, message: "The units balance is not zero" });
  }
  for (const projection of options.projections) {
    await proveProjection(projection, options, findings);
  }
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
    replayedProjections: options.withoutReplay === true ? 0 : options.projections.length,
    problems: findings.listed(),
    unlistedProblems: findings.unlisted(),
    elapsedMs: performance.now() - startedAt,
  };
}
