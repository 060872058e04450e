// A finding of verify: which check, at which position, and a sentence.

export type Problem = {
  readonly check:
    /** The program is older than the log, so that nothing was proved. */
    | "program"
    | "chain"
    | "head"
    | "rows"
    | "postings"
    | "movements"
    | "streams"
    | "keys"
    | "balances"
    | "units"
    | "users"
    | "settings"
    | "till"
    | "months"
    | "held"
    | "identity"
    | "pictures"
    | "schema"
    | "views"
    | "projection";
  /** The first wrong position; 0 if the finding has none. */
  readonly position: number;
  readonly message: string;
};
