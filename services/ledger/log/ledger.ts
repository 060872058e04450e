// The only entry to the log: callers pass a decider and a command to `execute`.
import type { TransactionSql } from "postgres";
import type { Decider, Rejection } from "#ledger/decider.ts";

/** Who sends the command, and under which idempotency key. */
export type ExecutionContext = {
  /** The uid of the person, or `system:<name>` for a job or a script. */
  readonly actor: string;
  /** Keys are unique within a scope: `user:<uid>`, or `store` for admin commands. */
  readonly scope: string;
  readonly key: string;
  /** Hex sha256 of the request, so that the same key with another body is noticed. */
  readonly requestHash: string;
  /**
   * Writes the rows outside the log that the command's events refer to. It runs in the transaction that appends these
   * events, so the rows are committed with them or not at all. If it throws, only this command is refused.
   */
  readonly inSameTransaction?: (transaction: TransactionSql) => Promise<void>;
};

/** The outcome of a command. `position` is the last position that the answer reflects. */
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
  /** Other writers came first in every try: HTTP 409, and the caller may repeat it. */
  | { readonly kind: "contended" };

export type Ledger = {
  /**
   * Decides and appends. Resolves after the commit, also for a rejection. Throws only on a bug or when the database
   * stays unreachable; the same key can then be sent again without anything happening twice.
   */
  readonly execute: <Command, Answer>(
    decider: Decider<Command, Answer>,
    command: Command,
    context: ExecutionContext,
  ) => Promise<Outcome<Answer>>;
};
