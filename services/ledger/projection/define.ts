// What a projection is: a name, a version, its tables, and one set-based SQL step from position a to b.

/** One read table. The live generation is seen through the view `read.<name>`. */
export type ProjectionTable = {
  readonly name: string;
  /** Column definitions, as they stand between the parentheses of CREATE TABLE. */
  readonly columns: string;
  /** Constraints that the step itself needs (its ON CONFLICT targets and look-ups), e.g. `primary key (account)`. */
  readonly keys: readonly string[];
  /** Index bodies made after a bulk rebuild: `(uid, position desc)` or `using gin (search_text gin_trgm_ops)`. */
  readonly indexes: readonly string[];
};

/**
 * A projection. In its SQL `{table:balances}` stands for that table of the generation being fed, `$1` for
 * the position it has reached and `$2` for the position to reach, and `{key:expression}` for the filter on
 * its row key: nothing, "not these keys" (held back) or "only these keys" (a key folded anew).
 *
 * It is stored with each generation of its tables, so it holds nothing but data, and a field that is added later
 * must be optional where it is read back.
 */
export type Projection = {
  readonly name: string;
  /** Raised whenever tables or step change; a rebuild then makes the tables of the new version. */
  readonly version: number;
  readonly tables: readonly ProjectionTable[];
  /** Statements run in this order in one transaction. Each must be right for one event and for a million. */
  readonly step: readonly string[];
  /** Selects, as `key text`, every row key that events in ($1, $2] touch. */
  readonly keysTouched: string;
  /** Statements that remove everything of the row keys `$1::text[]`, so that they can be folded anew. */
  readonly forgetKeys: readonly string[];
  /** An SQL expression over `key`: the stream whose events make the row. Tells whom a held key concerns; '' for nobody. */
  readonly streamOfKey: string;
};
