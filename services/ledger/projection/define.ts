// Defines a projection: a name, a version, its tables, and one set-based SQL step from position a to b.

/** One read table. The view `read.<name>` shows the live generation. */
export type ProjectionTable = {
  readonly name: string;
  /** Column definitions, as between the parentheses of CREATE TABLE. */
  readonly columns: string;
  /** Constraints that the step itself needs (its ON CONFLICT targets and look-ups), e.g. `primary key (account)`. */
  readonly keys: readonly string[];
  /** Index bodies made after a bulk rebuild: `(uid, position desc)` or `using gin (search_text gin_trgm_ops)`. */
  readonly indexes: readonly string[];
  /**
   * Those of `indexes` by which the step itself looks rows up: made before a fill, in which each chunk would otherwise read
   * the whole table. They make no rows, so they are not stored with them.
   */
  readonly stepIndexes?: readonly string[];
  /**
   * How full pages are made, in percent; 100 if left out. An update that finds room in its row's page, and changes no
   * indexed column, updates no index. It makes no rows, so it is not stored with them.
   */
  readonly fillFactor?: number;
};

/**
 * A projection. In its SQL, `{table:balances}` is that table of the generation being fed, `$1` the position it has
 * reached, `$2` the position to reach, and `{key:expression}` the filter on its row key: nothing, "not these keys"
 * (held back) or "only these keys" (a key that is folded again).
 *
 * It reads the log through `{events}` (every event's data in its current version), `{postings}`, `{movements}` and
 * `{streams}`, and never uses schema log directly.
 *
 * It is stored with each generation of its tables, so it contains only data, and `StoredProjection` must be able to
 * read every form that was ever stored.
 */
export type Projection = {
  readonly name: string;
  /** Raised whenever the tables change or the step gives another result for the same events. */
  readonly version: number;
  readonly tables: readonly ProjectionTable[];
  /** Statements run in this order in one transaction. Each must be right for one event and for a million. */
  readonly step: readonly string[];
  /**
   * For each statement of `step`, the types of events without which it changes nothing; null where there is no such list.
   * Small steps and rebuilds leave out what has nothing to do. It makes no other rows, so it is not stored with them, and
   * replays that check tables never use it.
   */
  readonly onlyFor?: readonly (readonly string[] | null)[];
  /**
   * For each statement of `step`, a shorter one that changes the same where the range has no event of these types; null
   * where there is none. Small steps take it. Like `onlyFor`, it is not stored, and replays that check tables never use it.
   */
  readonly shortcuts?: readonly (Shortcut | null)[];
  /**
   * Selects, as `key text`, every row key that events in ($1, $2] touch. Reads the streams of these events, postings and
   * movements, never data: it must also work for an event whose data cannot be read. A step that touches no key is not
   * run.
   */
  readonly keysTouched: string;
  /** Statements that delete all rows of the row keys `$1::text[]`, so that they can be folded again. */
  readonly forgetKeys: readonly string[];
  /**
   * An SQL expression of type text[] over `key`: all streams whose events make the row. The key is folded again from
   * only these events, and the people these streams belong to see a notice when it is held back. Empty for a key
   * without such streams, for example an account of the store: it is folded again from the whole log and concerns no
   * person.
   */
  readonly streamsOfKey: string;
  /**
   * Tables whose rows have no row key of their own, because they follow from the rows of the other tables: totals of
   * several keys. `forgetKeys` leaves them right without the forgotten rows. After keys were folded again, only the
   * other tables' rows are swapped in, and `deriveKeys` (with the keys `$1::text[]`) makes the derived rows right.
   */
  readonly derived?:
    | { readonly tables: readonly string[]; readonly deriveKeys: readonly string[] }
    | undefined;
  /**
   * For tables whose step costs more in many chunks than at once: what a rebuild's chunks run instead of `step`, and what
   * then makes the tables what `step` would have made. `finish` runs in one transaction, and again if the rebuild goes
   * on after it. It makes no other rows, so it is not stored with them, and replays that check tables never use it. Nor
   * does a rebuild that begins while commands go on: `finish` cannot give way.
   */
  readonly fill?:
    | { readonly step: readonly string[]; readonly finish: readonly string[] }
    | undefined;
  /** Whose money the rows show; undefined where they show none. It makes no rows, so it is not stored with them. */
  readonly money?: ShownMoney | undefined;
};

/** A statement that stands for one of a step's, unless the range has events of these types. */
export type Shortcut = { readonly without: readonly string[]; readonly statement: string };

/** Whose money a projection's rows show: payouts of these people wait while a row is held back or wrong. */
export type ShownMoney = {
  /** An SQL expression of type text[] over `key`: the people. It reads the log through `{streams}`. */
  readonly uidsOfKey: string;
  /** The row key of each table's rows, as an SQL expression over its columns. */
  readonly keyOfRow: Readonly<Record<string, string>>;
  /** An SQL expression of type text[] over `uid`: the row keys of an account; null if there is no fixed list. */
  readonly keysOfUid: string | null;
  /**
   * Selects the positions of all events that count in the rows of the keys `$1::text[]`, where an event may count that
   * extends none of their streams. It may read the whole log: only rows that seem wrong are proved with it.
   */
  readonly positionsOfKeys?: string;
};

/** A definition as it is stored with its tables. Older programs knew only one stream per key, '' for none. */
export type StoredProjection =
  | Projection
  | (Omit<Projection, "streamsOfKey" | "fill" | "money" | "onlyFor" | "shortcuts"> & {
      readonly streamOfKey: string;
    });
