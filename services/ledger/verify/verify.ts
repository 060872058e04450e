// Proving the books right: the chain, the typed rows, every stream's state, and live tables against a replay.
import type { Sql, TransactionSql } from "postgres";
import type { StreamDefinition } from "#ledger/decider.ts";
import { canonicalJson } from "#ledger/log/chain.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import { readHead, readRange, toCurrent } from "#ledger/log/read.ts";
import { definitionOf } from "#ledger/log/batch.ts";
import type { Projection } from "#ledger/projection/define.ts";
import type { HeadSource } from "#ledger/log/head-files.ts";
import type { ChainState } from "#ledger/verify/chain.ts";
import { CHAIN_START, checkLink } from "#ledger/verify/chain.ts";
import type { HeadsReport } from "#ledger/verify/heads.ts";
import { checkHeads } from "#ledger/verify/heads.ts";
import { checkHeld } from "#ledger/verify/held.ts";
import type { Problem } from "#ledger/verify/problem.ts";
import type { ReplayOptions } from "#ledger/verify/replay.ts";
import { checkReplay } from "#ledger/verify/replay.ts";
import { checkRows, trialBalance } from "#ledger/verify/rows.ts";

/**
 * A statement that must hold; its SQL selects `position` and `message` of what does not. A `note` selects the
 * `message` of what is right but should be known.
 */
export type BookCheck = {
  readonly check: "balances" | "units" | "users" | "identity" | "note";
  readonly sql: string;
};

export type VerifyOptions = ReplayOptions & {
  readonly sql: Sql;
  readonly events: EventRegister;
  readonly streams: ReadonlyMap<string, StreamDefinition<unknown>>;
  readonly projections: readonly Projection[];
  /** Heads published outside the database that the log must still contain, and that must reach its end if there are sources. */
  readonly heads: readonly HeadSource[];
  readonly checks: readonly BookCheck[];
  /** Leaves out live = replay, the longest part. */
  readonly withoutReplay?: boolean;
};

export type VerifyReport = {
  readonly position: number;
  readonly hash: string | null;
  readonly events: number;
  readonly streams: number;
  readonly trialBalanceCents: number;
  readonly accounts: number;
  readonly unitsBalance: number;
  readonly holdings: number;
  readonly replayedProjections: number;
  readonly heads: HeadsReport;
  readonly problems: readonly Problem[];
  /** What is right but should be known. */
  readonly notes: readonly string[];
  readonly elapsedMs: number;
};

const RANGE = 5_000;
const MAX_PROBLEMS = 100;

type Folded = { version: number; state: unknown; lastPosition: number };

type Walk = {
  readonly problems: Problem[];
  readonly folded: Map<string, Folded>;
  readonly end: ChainState;
};

/** One pass over the log: links, hashes and the fold of every stream. */
async function walkLog(
  sql: TransactionSql,
  options: VerifyOptions,
  headPosition: number,
): Promise<Walk> {
  const problems: Problem[] = [];
  const folded = new Map<string, Folded>();
  let state = CHAIN_START;
  for (let after = 0; after < headPosition; after += RANGE) {
    options.signal?.throwIfAborted();
    for (const event of await readRange(sql, after, Math.min(headPosition, after + RANGE))) {
      const { after: next, problem } = checkLink(state, event);
      if (problem !== undefined && problems.length < MAX_PROBLEMS) {
        problems.push(problem);
      }
      state = next;
      foldInto(options, folded, event, problems);
    }
    options.onProgress?.("chain and streams", Math.min(headPosition, after + RANGE), headPosition);
  }
  return { problems, folded, end: state };
}

function foldInto(
  options: VerifyOptions,
  folded: Map<string, Folded>,
  event: Awaited<ReturnType<typeof readRange>>[number],
  problems: Problem[],
): void {
  try {
    const current = toCurrent(options.events, event);
    for (const { streamId } of event.streams) {
      const definition = definitionOf(options.streams, streamId);
      const before = folded.get(streamId);
      folded.set(streamId, {
        version: (before?.version ?? 0) + 1,
        state: definition.evolve(before?.state ?? definition.initial, current, streamId),
        lastPosition: event.position,
      });
    }
  } catch (error) {
    if (problems.length < MAX_PROBLEMS) {
      const reason = error instanceof Error ? error.message : "unknown";
      problems.push({
        check: "streams",
        position: event.position,
        message: `Event ${event.position} cannot be folded: ${reason}`,
      });
    }
  }
}

/** Every stream's row against the fold of its events; a row of an older state version is left to the writer. */
async function checkStates(
  sql: TransactionSql,
  options: VerifyOptions,
  folded: ReadonlyMap<string, Folded>,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  const rows = sql<{ id: string; version: number; state: unknown; stateVersion: number }[]>`
    select id, version, state, state_version as "stateVersion" from log.streams order by id`;
  for await (const chunk of rows.cursor(RANGE)) {
    for (const row of chunk) {
      seen.add(row.id);
      const own = folded.get(row.id);
      const current = definitionOf(options.streams, row.id).stateVersion === row.stateVersion;
      const same =
        own !== undefined &&
        own.version === row.version &&
        (!current || canonicalJson(own.state) === canonicalJson(row.state));
      if (!same && problems.length < MAX_PROBLEMS) {
        problems.push({
          check: "streams",
          // Events that are missing stood somewhere behind the last one that is there.
          position: own?.version === row.version ? own.lastPosition : 0,
          message: `The state row of ${row.id} (version ${row.version}) is not the fold of its ${own?.version ?? 0} events`,
        });
      }
    }
  }
  for (const [id, own] of folded) {
    if (!seen.has(id) && problems.length < MAX_PROBLEMS) {
      problems.push({
        check: "streams",
        position: own.lastPosition,
        message: `${id} has ${own.version} events but no state row`,
      });
    }
  }
  return problems;
}

/** Findings about what is derived from the log: they follow from findings about the log itself, if there are any. */
const DERIVED: ReadonlySet<Problem["check"]> = new Set([
  "streams",
  "balances",
  "units",
  "held",
  "projection",
]);

/** The log itself first, then what is derived from it; each by position, and last what names none. */
function inOrder(problems: readonly Problem[]): Problem[] {
  const rank = ({ check, position }: Problem): readonly [number, number] => [
    DERIVED.has(check) ? 1 : 0,
    position === 0 ? Number.MAX_SAFE_INTEGER : position,
  ];
  return problems.toSorted((a, b) => {
    const [derivedA, positionA] = rank(a);
    const [derivedB, positionB] = rank(b);
    return derivedA - derivedB || positionA - positionB;
  });
}

/** The whole proof. Everything but the replay is read in one snapshot, so the shop may go on meanwhile. */
export async function verifyBooks(options: VerifyOptions): Promise<VerifyReport> {
  const startedAt = performance.now();
  const proof = await options.sql.begin(
    "isolation level repeatable read read only",
    async (snapshot) => {
      const head = await readHead(snapshot);
      const walk = await walkLog(snapshot, options, head.position);
      const heads = await checkHeads(snapshot, options.heads, head.position);
      const problems = [...walk.problems, ...heads.problems];
      options.onProgress?.("typed rows", 0, 1);
      problems.push(...(await checkRows(snapshot)));
      problems.push(...(await checkStates(snapshot, options, walk.folded)));
      const notes: string[] = [];
      for (const { check, sql } of options.checks) {
        const findings = await snapshot.unsafe<{ position: number; message: string }[]>(sql);
        if (check === "note") {
          notes.push(...findings.map(({ message }) => message));
        } else {
          problems.push(...findings.map((finding) => ({ check, ...finding })));
        }
      }
      options.onProgress?.("typed rows", 1, 1);
      const trial = await trialBalance(snapshot);
      const report = heads.report;
      return { head, problems, notes, trial, streams: walk.folded.size, heads: report };
    },
  );
  const problems = [...proof.problems];
  if (proof.trial.cents !== 0) {
    problems.push({ check: "balances", position: 0, message: "The trial balance is not zero" });
  }
  if (proof.trial.units !== 0) {
    problems.push({ check: "units", position: 0, message: "The units balance is not zero" });
  }
  const replayed = options.withoutReplay === true ? [] : options.projections;
  for (const projection of replayed) {
    problems.push(...(await checkReplay(options.sql, projection, options)));
  }
  // Last, for what the replays fed on may be held back only now.
  problems.push(...(await checkHeld(options.sql)));
  return {
    position: proof.head.position,
    hash: proof.head.hash,
    events: proof.head.position,
    streams: proof.streams,
    trialBalanceCents: proof.trial.cents,
    accounts: proof.trial.accounts,
    unitsBalance: proof.trial.units,
    holdings: proof.trial.holdings,
    replayedProjections: replayed.length,
    heads: proof.heads,
    problems: inOrder(problems).slice(0, MAX_PROBLEMS),
    notes: proof.notes,
    elapsedMs: performance.now() - startedAt,
  };
}
