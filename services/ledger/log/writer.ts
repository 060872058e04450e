// The single writer of a process: collects commands, decides them as a batch, appends, retries, and answers.
import type { Sql, TransactionSql } from "postgres";
import type { Decider, StreamDefinition } from "#ledger/decider.ts";
import { passCrashPoint } from "#ledger/crash-point.ts";
import type { AppendResult, KnownKey } from "#ledger/log/append.ts";
import { appendBatch } from "#ledger/log/append.ts";
import type { DecidedBatch, Pending } from "#ledger/log/batch.ts";
import { decideBatch } from "#ledger/log/batch.ts";
import { isConflict, isConnectionFailure, isOutOfRoom } from "#ledger/log/failure.ts";
import type { KeptStates } from "#ledger/log/kept-states.ts";
import { keepStates } from "#ledger/log/kept-states.ts";
import type { ExecutionContext, Ledger, Outcome } from "#ledger/log/ledger.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import { loadForBatch } from "#ledger/log/streams.ts";

/** The log's head after an append, which is published outside the database. */
export type Head = { readonly position: number; readonly hash: string | null };

export type WriterOptions = {
  /** Its own client with one connection: batches run one after the other. */
  readonly sql: Sql;
  readonly streams: ReadonlyMap<string, StreamDefinition<unknown>>;
  readonly events: EventRegister;
  /** Makes event ids; time-ordered ones keep their index compact. */
  readonly newId: () => string;
  /** Called after each commit, before the answers are sent. Must not throw. */
  readonly onAppended?: (head: Head) => void;
  /** The pause between two batches while commands come at the same time. */
  readonly collectMs?: number;
  /** How long to wait for a lost database before a command fails. */
  readonly reconnectTimeoutMs?: number;
};

/** Hears of the writer's batches, for metrics. Its functions must be cheap and must not throw. */
export type WriterWatch = {
  /** After a commit, with the milliseconds since the first decision. */
  readonly onBatch: (batch: Pick<DecidedBatch, "decided" | "events">, milliseconds: number) => void;
  /** Before a batch is decided again because another process came first. */
  readonly onConflict: () => void;
};

type WriterParts = WriterOptions & { readonly watches: readonly WriterWatch[] };

export type LedgerWriter = Ledger & {
  /** Resolves when everything accepted so far is answered, however long that takes; later commands are refused. */
  readonly close: () => Promise<void>;
  /** Commands that wait for their batch. */
  readonly queueLength: () => number;
  /** Those, and the commands of the batch that runs. */
  readonly unanswered: () => number;
  readonly watch: (watch: WriterWatch) => void;
};

const MAX_BATCH = 256;
/**
 * A batch costs nearly the same for one command as for ten. With 690 sales a second, batches of 5.4 instead of 1.9 left
 * an eighth more of the machine to the read tables.
 */
const COLLECT_MS = 3;
/**
 * With this many commands, a pause gains little, and costs callers who wait for an answer before they send again: 32 of
 * them sold 3,500 a second with pauses up to 64 commands, and 6,000 with pauses up to 8.
 */
const LARGE_BATCH = 8;
// First optimistic tries, then with the log locked while deciding, so that no other writer can come first.
const OPTIMISTIC_TRIES = 3;
const MAX_TRIES = 8;
const LOCK_LOG = "select pg_advisory_xact_lock(4711, 1)";
const STATES_KEPT = 20_000;

type Attempt =
  | { readonly kind: "done"; readonly batch: DecidedBatch; readonly result: AppendResult }
  | { readonly kind: "conflict" };

async function decideAndAppend(
  sql: Sql | TransactionSql,
  options: WriterOptions,
  batch: readonly Pending[],
  known: { readonly kept: KeptStates; readonly looksUpNew: boolean },
): Promise<Attempt> {
  const streams = await loadForBatch(sql, options, batch, known);
  const decidedBatch = decideBatch(batch, streams);
  if (decidedBatch.decided.length === 0) {
    return {
      kind: "done",
      batch: decidedBatch,
      result: { kind: "appended", lastBefore: 0, headPosition: 0, headHash: null },
    };
  }
  passCrashPoint("append:before-commit");
  const result = await appendBatch(sql, decidedBatch, options.newId);
  return result.kind === "streams"
    ? { kind: "conflict" }
    : { kind: "done", batch: decidedBatch, result };
}

async function attempt(
  options: WriterOptions,
  batch: readonly Pending[],
  kept: KeptStates,
  tryNumber: number,
): Promise<Attempt> {
  try {
    const tried =
      tryNumber <= OPTIMISTIC_TRIES
        ? await decideAndAppend(options.sql, options, batch, { kept, looksUpNew: tryNumber > 1 })
        : await options.sql.begin(async (transaction) => {
            await transaction.unsafe(LOCK_LOG);
            return decideAndAppend(transaction, options, batch, {
              kept: keepStates(0),
              looksUpNew: true,
            });
          });
    if (tried.kind === "done" && tried.result.kind === "appended") {
      kept.keep(tried.batch.read);
    }
    return tried;
  } catch (error) {
    if (isConflict(error)) {
      return { kind: "conflict" };
    }
    throw error;
  }
}

function keyOf(context: ExecutionContext): string {
  return `${context.scope}\n${context.key}`;
}

/** The outcome of a command whose key is known already. */
function outcomeOfKnown(known: KnownKey, context: ExecutionContext): Outcome<unknown> {
  if (known.requestHash !== context.requestHash) {
    return { kind: "key-reused" };
  }
  const { answer, position } = known;
  return answer.kind === "accepted"
    ? { kind: "accepted", answer: answer.answer, position, repeated: true }
    : { kind: "rejected", rejection: answer.rejection, position, repeated: true };
}

function settle(batch: DecidedBatch, lastBefore: number): void {
  for (const { pending, decision, offset } of batch.decided) {
    const position = lastBefore + offset;
    pending.resolve(
      decision.kind === "accepted"
        ? { kind: "accepted", answer: decision.answer, position, repeated: false }
        : { kind: "rejected", rejection: decision, position, repeated: false },
    );
  }
}

/** Runs a batch to its end; returns the commands that must go into the next one. */
async function runBatch(
  options: WriterParts,
  first: readonly Pending[],
  kept: KeptStates,
): Promise<Pending[]> {
  let batch = first;
  const deferred: Pending[] = [];
  const startedAt = performance.now();
  for (let tryNumber = 1; batch.length > 0;) {
    const tried = await attempt(options, batch, kept, tryNumber);
    if (tried.kind === "conflict") {
      options.watches.forEach(({ onConflict }) => onConflict());
      tryNumber += 1;
      if (tryNumber > MAX_TRIES) {
        for (const pending of batch) {
          pending.resolve({ kind: "contended" });
        }
        return deferred;
      }
      continue;
    }
    for (const { pending, error } of tried.batch.broken) {
      pending.reject(error);
    }
    if (tried.result.kind === "keys") {
      const known = new Map(
        tried.result.known.map((entry) => [`${entry.scope}\n${entry.key}`, entry]),
      );
      const rest: Pending[] = [];
      for (const pending of [
        ...tried.batch.decided.map((entry) => entry.pending),
        ...tried.batch.deferred,
      ]) {
        const entry = known.get(keyOf(pending.context));
        if (entry === undefined) {
          rest.push(pending);
        } else {
          pending.resolve(outcomeOfKnown(entry, pending.context));
        }
      }
      batch = rest;
      continue;
    }
    if (tried.result.kind === "appended") {
      if (tried.batch.decided.length > 0) {
        passCrashPoint("append:between-commit-and-answer");
        if (tried.batch.events.length > 0) {
          options.onAppended?.({
            position: tried.result.headPosition,
            hash: tried.result.headHash,
          });
        }
        const took = performance.now() - startedAt;
        options.watches.forEach(({ onBatch }) => onBatch(tried.batch, took));
        settle(tried.batch, tried.result.lastBefore);
      }
      deferred.push(...tried.batch.deferred);
      return deferred;
    }
  }
  return deferred;
}

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/** What a batch learns about the database, for the batches after it. */
type Patience = {
  /** Set when waiting for the database did not help: until it answers, no other command waits that long. */
  isUsedUp: boolean;
};

/**
 * Runs a batch through failures: a lost connection is retried with the same keys (the log knows whether the lost
 * answer was a commit), and a full disk fails the whole batch, since half of it would not fit either. Anything else
 * splits the batch until only the failing command is left.
 */
async function runThroughFailures(
  options: WriterParts,
  batch: readonly Pending[],
  kept: KeptStates,
  patience: Patience,
): Promise<Pending[]> {
  const waitMs = patience.isUsedUp ? 0 : (options.reconnectTimeoutMs ?? 15_000);
  const deadline = performance.now() + waitMs;
  for (let delayMs = 20; ; delayMs = Math.min(delayMs * 2, 500)) {
    try {
      const deferred = await runBatch(options, batch, kept);
      patience.isUsedUp = false;
      return deferred;
    } catch (error) {
      const isLost = isConnectionFailure(error);
      if (isLost && performance.now() < deadline) {
        await pause(delayMs);
        continue;
      }
      patience.isUsedUp = isLost;
      if (isLost || isOutOfRoom(error) || batch.length === 1) {
        for (const pending of batch) {
          pending.reject(error);
        }
        return [];
      }
      const middle = Math.ceil(batch.length / 2);
      const left = await runThroughFailures(options, batch.slice(0, middle), kept, patience);
      const right = await runThroughFailures(options, batch.slice(middle), kept, patience);
      return [...left, ...right];
    }
  }
}

/** Opens the process's writer. */
export function openLedger(options: WriterOptions): LedgerWriter {
  const kept = keepStates(STATES_KEPT);
  const patience: Patience = { isUsedUp: false };
  const watches: WriterWatch[] = [];
  const parts: WriterParts = { ...options, watches };
  const { collectMs = COLLECT_MS } = options;
  let queue: Pending[] = [];
  let inBatch = 0;
  let running: Promise<void> | undefined;
  let closed = false;

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, MAX_BATCH);
      queue = queue.slice(MAX_BATCH);
      inBatch = batch.length;
      const deferred = await runThroughFailures(parts, batch, kept, patience);
      inBatch = 0;
      if (batch.length > 1 && queue.length > 0 && queue.length < LARGE_BATCH) {
        await pause(collectMs);
      }
      // In front, so that a deferred command is first in the next batch and cannot be deferred forever.
      queue = [...deferred, ...queue];
    }
    running = undefined;
  }

  return {
    execute<Command, Answer>(
      decider: Decider<Command, Answer>,
      command: Command,
      context: ExecutionContext,
    ): Promise<Outcome<Answer>> {
      if (closed) {
        return Promise.reject(new Error("The ledger is closing and takes no more commands"));
      }
      return new Promise<Outcome<Answer>>((resolve, reject) => {
        queue.push({
          decider,
          command,
          context,
          // The outcome comes from this decider (or from its stored answer), so it has its type.
          resolve: (outcome) => resolve(outcome as Outcome<Answer>),
          reject,
        });
        running ??= Promise.resolve().then(drain);
      });
    },
    async close() {
      closed = true;
      await running;
    },
    queueLength: () => queue.length,
    unanswered: () => queue.length + inBatch,
    watch: (watch) => void watches.push(watch),
  };
}
