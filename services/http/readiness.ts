// Answers `/readyz`: a list of named conditions, checked at each request; if one fails, the answer is a 503.
import type { Context } from "hono";
import type { Logger } from "pino";
import type { StorageWatch } from "#db/storage-watch.ts";

/** With `warning`, somebody should look at it, but the process keeps serving; `failing` takes it out of service. */
export type ConditionState = "ok" | "warning" | "failing";

/** One thing that serving depends on. Anyone may read the message, so it contains no person and no address. */
export type Condition = {
  readonly name: string;
  readonly state: ConditionState;
  readonly message: string;
};

/** Checks one condition. */
export type ReadinessCheck = {
  readonly name: string;
  /** If it throws, the condition is failing, and the error is logged but not shown. */
  readonly look: () => Promise<Omit<Condition, "name">>;
  /** The message if it throws. */
  readonly whenBroken?: string;
};

/** All conditions, in the order of the checks. Never rejects. */
export type Readiness = () => Promise<readonly Condition[]>;

const PATIENCE_MS = 5_000;
const RETRY_AFTER_SECONDS = 5;

/** Each change of a condition's state is one line in the log, however often somebody asks. */
export function createReadiness(
  checks: readonly ReadinessCheck[],
  logger: Logger,
  patienceMs = PATIENCE_MS,
): Readiness {
  const known = new Map<string, ConditionState>();
  return () =>
    Promise.all(
      checks.map(async (check) => {
        const { condition, error } = await lookPatiently(check, patienceMs);
        if (condition.state !== (known.get(check.name) ?? "ok")) {
          logChange(logger, condition, error);
        }
        known.set(check.name, condition.state);
        return condition;
      }),
    );
}

/** The answer to `/readyz`: 503 only if a condition is failing. */
export async function answerReadiness(c: Context, readiness: Readiness): Promise<Response> {
  const conditions = await readiness();
  if (conditions.every(({ state }) => state !== "failing")) {
    return c.json({ status: "ready", conditions });
  }
  c.header("Retry-After", String(RETRY_AFTER_SECONDS));
  return c.json({ status: "not ready", conditions }, 503);
}

/** Whether this process is still in service. */
export function processCheck(isClosing: () => boolean): ReadinessCheck {
  return {
    name: "process",
    look: () =>
      Promise.resolve(
        isClosing()
          ? { state: "failing", message: "This process is shutting down" }
          : { state: "ok", message: "This process takes requests" },
      ),
  };
}

/** Whether the database answers a statement. */
export function databaseCheck(ask: () => Promise<unknown>): ReadinessCheck {
  return {
    name: "database",
    look: async () => {
      await ask();
      return { state: "ok", message: "The database answers" };
    },
    whenBroken: "The database cannot be reached; it may be starting again",
  };
}

/** Whether the log's head can be written outside the database; if not, the shop can still go on. */
export function headsCheck(failure: () => Error | null): ReadinessCheck {
  return {
    name: "published heads",
    look: () =>
      Promise.resolve(
        failure() === null
          ? { state: "ok", message: "The log's head is published" }
          : {
              state: "warning",
              message: "The log's head cannot be published; the process's log says why",
            },
      ),
  };
}

/** Whether there is disk space: low is a warning, full is failing. */
export function storageCheck(storage: StorageWatch): ReadinessCheck {
  return {
    name: "storage",
    look: async () => {
      const { state, message } = await storage.look();
      return { state: ({ ok: "ok", low: "warning", full: "failing" } as const)[state], message };
    },
  };
}

type Look = { readonly condition: Condition; readonly error?: unknown };

async function lookPatiently(check: ReadinessCheck, patienceMs: number): Promise<Look> {
  const { name } = check;
  const late = Promise.withResolvers<Look>();
  const timer = setTimeout(() => {
    const message = `No answer within ${patienceMs / 1000} s`;
    late.resolve({ condition: { name, state: "failing", message } });
  }, patienceMs);
  try {
    return await Promise.race([
      check.look().then((seen) => ({ condition: { name, ...seen } })),
      late.promise,
    ]);
  } catch (error) {
    const message = check.whenBroken ?? "This could not be checked";
    return { condition: { name, state: "failing", message }, error };
  } finally {
    clearTimeout(timer);
  }
}

function logChange(logger: Logger, condition: Condition, error: unknown): void {
  const fields = { ...condition, ...(error === undefined ? {} : { err: error }) };
  if (condition.state === "ok") {
    logger.info(fields, "a readiness condition is ok again");
  } else {
    logger.warn(fields, condition.state === "failing" ? "not ready" : "ready, with a warning");
  }
}
