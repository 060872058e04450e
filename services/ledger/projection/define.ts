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
 * It reads the log through `{events}` (every event's data in its current version), `{postings}`, `{movements}`
 * and `{streams}`, and names nothing in schema log.
 *
 * It is stored with each generation of its tables, so it holds only data, and `StoredProjection` must read every
 * form that was ever stored.
 */
export type Projection = {
  readonly name: string;
  /** Raised whenever the tables change, or what the step makes of the same events. */
  readonly version: number;
  readonly tables: readonly ProjectionTable[];
  /** Statements run in this order in one transaction. Each must be right for one event and for a million. */
  readonly step: readonly string[];
  /**
   * Selects, as `key text`, every row key that events in ($1, $2] touch. Reads streams, postings and movements, never
   * data: it also has to answer for an event whose data cannot be read.
   */
  readonly keysTouched: string;
  /** Statements that remove everything of the row keys `$1::text[]`, so that they can be folded anew. */
  readonly forgetKeys: readonly string[];
  /**
   * An SQL expression of type text[] over `key`: all streams whose events make the row. The key is folded anew from
   * their events alone, and people whom these streams name are told when it is held back. Empty for a key that no
   * streams make up, such as an account of the store: it is folded anew from the whole log and concerns nobody.
   */
  readonly streamsOfKey: string;
};

/** A definition as it stands beside its tables: programs before knew one stream of a key, '' for none. */
export type StoredProjection =
  | Projection
  | (Omit<Projection, "streamsOfKey"> & { readonly streamOfKey: string });
