// Collects what the checks find: a check that fails is a finding too, and the next one still runs.
import type { TransactionSql } from "postgres";
import { codeOf, isServerTrouble } from "#ledger/log/failure.ts";
import type { Problem } from "#ledger/verify/problem.ts";

/** What a check looks at, for the finding that it failed: "The hash chain", with a position or none (0). */
export type Attempt = {
  readonly check: Problem["check"];
  readonly what: string;
  readonly position?: number;
};

export type Findings = {
  readonly add: (...problems: readonly Problem[]) => void;
  /** Runs a check; an error in it is a finding. Throws only errors that end the whole verification. */
  readonly attempt: <Result>(
    attempt: Attempt,
    body: () => Promise<Result>,
  ) => Promise<Result | undefined>;
  /** The same in a savepoint, so that a failed statement does not break the snapshot for the next check. */
  readonly attemptIn: <Result>(
    snapshot: TransactionSql,
    attempt: Attempt,
    body: (sql: TransactionSql) => Promise<Result>,
  ) => Promise<Result | undefined>;
  /** The findings, the log itself first. */
  readonly listed: () => Problem[];
  /** How many findings are not listed. */
  readonly unlisted: () => number;
};

/** The most findings that are listed per check; the rest are counted. */
const LISTED = 100;
const LONGEST_REASON = 300;

/** What went wrong, in one line. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const line = text.replaceAll(/\s+/gu, " ").trim();
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line;
}

/**
 * True if the cause is not the books: a lost connection, a full disk or memory, a canceled statement, an abort. Locks,
 * races and damaged files, which do not count against the data when a step fails, are findings here.
 */
export function endsTheProof(error: unknown, signal: AbortSignal | undefined): boolean {
  return (
    signal?.aborted === true || isServerTrouble(error) || /^5[37]...$/u.test(codeOf(error) ?? "")
  );
}

/** Findings about what is derived from the log: they follow from findings about the log itself, if there are any. */
const DERIVED: ReadonlySet<Problem["check"]> = new Set([
  "streams",
  "balances",
  "units",
  "users",
  "settings",
  "till",
  "months",
  "identity",
  "pictures",
  "held",
  "projection",
  "views",
]);

/** The log itself first, then what is derived from it; each by position, with findings without a position last. */
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
  // The driver returns the body's result; its type also unwraps lists of promises, which do not occur here.
  return (await snapshot.savepoint(body)) as Result;
}
