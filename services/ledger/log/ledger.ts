// The one door to the log: whoever wants something to happen hands a decider and a command to `execute`.
import type { TransactionSql } from "postgres";
import type { Decider, Rejection } from "#ledger/decider.ts";

/** Who asks, and under which idempotency key. */
export type ExecutionContext = {
  /** The uid of the person, or `system:<name>` for a job or a script. */
  readonly actor: string;
  /** Keys are unique within a scope: `user:<uid>`, or `store` for admin commands. */
  readonly scope: string;
  readonly key: string;
  /** Hex sha256 of the request, so that the same key with another body is noticed. */
  readonly requestHash: string;
  /**
   * Writes the rows outside the log that the command's events refer to. It runs in the transaction that appends
   * these events: the rows are there with them or not at all. What it throws refuses this command alone.
   */
  readonly inSameTransaction?: (transaction: TransactionSql) => Promise<void>;
};

/** What came of a command. `position` is the last position that the answer reflects. */
export type Outcome<Answer> =
  | {
      readonly kind: "accepted";
      readonly answer: Answer;
      readonly position: number;
      readonly repeated: boolean;
    }
  | {
      readonly kind: "rejected";
      readonly rejection: Rejection;
      readonly position: number;
      readonly repeated: boolean;
    }
  /** The key was used before with another request: HTTP 422. */
  | { readonly kind: "key-reused" }
  /** Other writers won every one of the bounded tries: HTTP 409, and the caller may repeat it. */
  | { readonly kind: "contended" };

export type Ledger = {
  /**
   * Decides and appends. Resolves after the commit, for a rejection too. Throws only on a bug or when the
   * database stays unreachable; the same key may then be sent again and nothing happens twice.
   */
  readonly execute: <Command, Answer>(
    decider: Decider<Command, Answer>,
    command: Command,
    context: ExecutionContext,
  ) => Promise<Outcome<Answer>>;
};
