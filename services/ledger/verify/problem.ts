// What a check of the books found wrong: which check, at which position, in a sentence.

export type Problem = {
  readonly check:
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
    | "held"
    | "identity"
    | "schema"
    | "views"
    | "projection";
  /** The first offending position; 0 where the finding has none. */
  readonly position: number;
  readonly message: string;
};
