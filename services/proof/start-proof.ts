// Runs in the worker: accounts are proved each minute, everything each night, and the heartbeat follows from both.
import { setTimeout as delay } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import type { Logger } from "pino";
import { readProof } from "#features/alerts/proof-now.ts";
import { ensureQueue } from "#jobs/boss.ts";
import { repeat } from "#jobs/repeat.ts";
import { retried } from "#jobs/retried.ts";
import { workOn } from "#jobs/work-on.ts";
import type { AlertLetterDeps } from "./alert-letters.ts";
import { startAlertLetters } from "./alert-letters.ts";
import type { HealthCheck } from "./health.ts";
import { isFarFrom, PROOF_LATE_MS, proofHealth, workerHealth } from "./health.ts";
import { beat } from "./heartbeat.ts";
import { proveAccounts } from "./prove-accounts.ts";
import type { BooksProof, NightlyDeps } from "./prove-books.ts";
import { isLeftToNewer, proveBooksIfDue } from "./prove-books.ts";
import type { AgeCheck } from "./too-old.ts";
import { createGate, workWhile } from "./too-old.ts";

export type ProofDeps = Omit<NightlyDeps, "prove" | "rest"> & {
  readonly boss: PgBoss;
  readonly logger: Logger;
  readonly prove: (signal: AbortSignal) => Promise<BooksProof>;
  readonly age: AgeCheck;
  readonly heartbeatUrl: string | null;
  /** What must be well in addition to the worker and the proof. */
  readonly health: readonly HealthCheck[];
  /** Null where nobody gets letters about alerts. */
  readonly letters: Omit<AlertLetterDeps, "sql" | "readEvent"> | null;
};

const queues = {
  accounts: "prove-accounts",
  books: "prove-books",
  heartbeat: "heartbeat",
} as const;
const EVERY_MINUTE = "* * * * *";
const POLL_SECONDS = 5;
/** To find out that only a newer program can prove the books, one walk through the whole log is needed. */
const LEFT_FOR_MS = 3_600_000;
/** How often it is looked at whether this program is too old to take jobs. */
const LOOK_MS = 30_000;

/** Says so when everything was not proved for too long, and takes it back when it was. */
async function watchAge(deps: NightlyDeps): Promise<void> {
  const { provedAt } = await readProof(deps.sql);
  const key = "proof:late";
  const isExpected = deps.proofTime !== null && provedAt !== null;
  if (isExpected && isFarFrom(deps.clock(), provedAt, PROOF_LATE_MS)) {
    const fault = { key, kind: "proof", subject: "books" } as const;
    await deps.alerting.raise({ ...fault, rowKey: null, count: 1, atPosition: 0 });
  } else {
    await deps.alerting.resolve(key);
  }
}

type MinuteQueue = {
  readonly queue: string;
  readonly expireInSeconds: number;
  readonly work: () => Promise<unknown>;
};

/** Makes a queue that has one job each minute. Returns how to start working on it, which returns how to stop. */
async function openMinuteQueue(
  { boss, logger }: Pick<ProofDeps, "boss" | "logger">,
  ending: AbortSignal,
  { queue, expireInSeconds, work }: MinuteQueue,
): Promise<() => Promise<() => Promise<void>>> {
  await ensureQueue(boss, {
    name: queue,
    // One waits at most. They may overlap: after a crash nobody waits for the job of the killed worker.
    policy: "short",
    retryLimit: 0,
    expireInSeconds,
    retentionSeconds: 300,
    deleteAfterSeconds: 60,
  });
  await boss.schedule(queue, EVERY_MINUTE);
  return () =>
    workOn(
      { boss, logger },
      {
        queue,
        pollingIntervalSeconds: POLL_SECONDS,
        failure: "a job of the proof failed",
        retryLimit: 0,
        ending,
        work,
      },
    );
}

/** Works on such a queue unless the program is too old, and then does something else at each look. Returns how to stop. */
async function workUnlessOld(
  deps: Pick<ProofDeps, "boss" | "logger">,
  ending: AbortSignal,
  queue: MinuteQueue,
  { may, instead }: { readonly may: () => Promise<boolean>; readonly instead: () => Promise<void> },
): Promise<() => Promise<void>> {
  // It may have become too old since the last look.
  const work = async () => ((await may()) ? queue.work() : undefined);
  const start = await openMinuteQueue(deps, ending, { ...queue, work });
  const working = workWhile(await start(), { may, start, instead });
  const failure = `a look at whether to work on ${queue.queue} failed`;
  const looking = repeat(LOOK_MS, retried(deps.logger, failure, working.look, { ending }));
  return async () => {
    await looking.close();
    await working.close();
  };
}

/** Makes the jobs and works on them. Several workers share them. */
export async function startProof(
  deps: ProofDeps,
): Promise<{ readonly close: () => Promise<void> }> {
  const { boss, logger, letters, heartbeatUrl } = deps;
  const ending = new AbortController();
  let leftAt: number | undefined;
  const isLeft = () => leftAt !== undefined && performance.now() - leftAt < LEFT_FOR_MS;
  const nightly: NightlyDeps = {
    ...deps,
    // Ends early when the process closes.
    rest: (milliseconds) => delay(milliseconds, undefined, { signal: ending.signal }),
    prove: async () => {
      const books = await deps.prove(ending.signal);
      leftAt = isLeftToNewer(books) ? performance.now() : undefined;
      if (leftAt !== undefined) {
        logger.warn(
          { why: books.report.problems[0]?.message },
          "the books are left to a newer program",
        );
      }
      return books;
    },
  };
  const checks = [workerHealth(deps), proofHealth(deps), ...deps.health];
  const mail = letters === null ? null : await startAlertLetters({ ...deps, ...letters, boss });
  const stops: (() => Promise<void>)[] = [];
  const { ofSchema, ofEvents } = deps.age;
  const accounts = {
    queue: queues.accounts,
    expireInSeconds: 300,
    work: async () => {
      await proveAccounts(nightly);
      await watchAge(nightly);
    },
  };
  const mayProveAccounts = createGate(logger, [ofSchema, ofEvents]);
  // Where only an older program is left, somebody has to say that the proof is late.
  const instead = () => watchAge(nightly);
  stops.push(
    await workUnlessOld(deps, ending.signal, accounts, { may: mayProveAccounts, instead }),
  );
  const books = {
    queue: queues.books,
    expireInSeconds: 6 * 3_600,
    work: () => proveBooksIfDue(nightly),
  };
  // Not by the events: a type that somebody changed in the database would end the proof that finds it.
  const fitsSchema = createGate(logger, [ofSchema]);
  const mayProveBooks = async () => !isLeft() && (await fitsSchema());
  stops.push(
    await workUnlessOld(deps, ending.signal, books, {
      may: mayProveBooks,
      instead: () => Promise.resolve(),
    }),
  );
  if (heartbeatUrl !== null) {
    const start = await openMinuteQueue(deps, ending.signal, {
      queue: queues.heartbeat,
      expireInSeconds: 60,
      work: () => beat({ url: heartbeatUrl, checks, logger }),
    });
    stops.push(await start());
  }
  return {
    close: async () => {
      ending.abort(new Error("The process is closing"));
      await Promise.all(stops.map((stop) => stop()));
      await mail?.close();
    },
  };
}
