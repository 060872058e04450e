// Collecting what the checks find: a check that fails is a finding too, and the next one still runs.
import type { TransactionSql } from "postgres";
import { isConnectionFailure } from "#ledger/log/failure.ts";
import type { Problem } from "#ledger/verify/problem.ts";

/** What a check looks at, for the finding that it failed: "The hash chain", at a position or at none (0). */
export type Attempt = {
  readonly check: Problem["check"];
  readonly what: string;
  readonly position?: number;
};

export type Findings = {
  readonly add: (...problems: readonly Problem[]) => void;
  /** Runs a check; what it throws is a finding. Throws only what ends the whole proof. */
  readonly attempt: <Result>(
    attempt: Attempt,
    body: () => Promise<Result>,
  ) => Promise<Result | undefined>;
  /** The same in a savepoint, so that a statement that fails does not spoil the snapshot for the next check. */
  readonly attemptIn: <Result>(
    snapshot: TransactionSql,
    attempt: Attempt,
    body: (sql: TransactionSql) => Promise<Result>,
  ) => Promise<Result | undefined>;
  /** What was found, the log itself first. */
  readonly listed: () => Problem[];
  /** How many more were found than are listed. */
  readonly unlisted: () => number;
};

/** The most findings that are listed of each check; the rest are counted. */
const LISTED = 100;
const LONGEST_REASON = 300;

/** What went wrong, in one line. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const line = text.replaceAll(/\s+/gu, " ").trim();
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line;
}

/** The code that PostgreSQL gave an error, if it was PostgreSQL's. */
export function sqlState(error: unknown): string {
  return typeof error === "object" &&
    error !== null &&
    "code" in error &&
    typeof error.code === "string"
    ? error.code
    : "";
}

/** True where the books are not to blame: a lost connection, a full disk, somebody who wants it to stop. */
export function endsTheProof(error: unknown, signal: AbortSignal | undefined): boolean {
  return (
    signal?.aborted === true || isConnectionFailure(error) || /^5[37]...$/u.test(sqlState(error))
  );
}

/** Findings about what is derived from the log: they follow from findings about the log itself, if there are any. */
const DERIVED: ReadonlySet<Problem["check"]> = new Set([
  "streams",
  "balances",
  "units",
  "users",
  "settings",
  "identity",
  "held",
  "projection",
  "views",
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

export function collectFindings(signal: AbortSignal | undefined): Findings {
  const byCheck = new Map<Problem["check"], Problem[]>();
  let unlisted = 0;

  const add = (...problems: readonly Problem[]): void => {
    for (const problem of problems) {
      const same = byCheck.get(problem.check) ?? [];
      byCheck.set(problem.check, same);
      if (same.length < LISTED) {
        same.push(problem);
      } else {
        unlisted += 1;
      }
    }
  };

  const attempt = async <Result>(
    { check, what, position }: Attempt,
    body: () => Promise<Result>,
  ): Promise<Result | undefined> => {
    try {
      return await body();
    } catch (error) {
      if (endsTheProof(error, signal)) {
        throw error;
      }
      add({
        check,
        position: position ?? 0,
        message: `${what} cannot be checked: ${reasonOf(error)}`,
      });
      return undefined;
    }
  };

  return {
    add,
    attempt,
    attemptIn: (snapshot, about, body) => attempt(about, () => inSavepoint(snapshot, body)),
    listed: () => inOrder([...byCheck.values()].flat()),
    unlisted: () => unlisted,
  };
}

/** Runs a body whose failure leaves the snapshot usable. */
export async function inSavepoint<Result>(
  snapshot: TransactionSql,
  body: (sql: TransactionSql) => Promise<Result>,
): Promise<Result> {
  // What the driver hands back is what the body returned, unwrapped from promises that it may have been a list of.
  return (await snapshot.savepoint(body)) as Result;
}
