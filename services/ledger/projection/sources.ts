// How a step reads the log: `{events}`, `{streams}`, `{postings}` and `{movements}` as SQL.

/** The events in the log that are older than the program's versions. */
export type OlderEvents = {
  /** Their types, each with its current version. */
  readonly types: ReadonlyMap<string, number>;
  /** The positions of events that the upcast refused. */
  readonly refused: readonly number[];
};

export const NO_OLDER_EVENTS: OlderEvents = { types: new Map(), refused: [] };

/** How a statement reads the log. */
export type Reading = {
  readonly older: OlderEvents;
  /** Refused events whose row keys are all held back: their data reads as NULL instead of failing the step. */
  readonly excused: readonly number[];
  /** A table of the only positions whose events are read; null for all events. */
  readonly only: string | null;
};

/** The whole log, if it contains no older events. */
export const PLAIN_READING: Reading = { older: NO_OLDER_EVENTS, excused: [], only: null };

const TABLES: Readonly<Record<string, string>> = {
  streams: "log.event_streams",
  postings: "log.postings",
  movements: "log.movements",
};

function positions(list: readonly number[]): string {
  return `any ('{${list.join(",")}}'::bigint[])`;
}

/**
 * Not as a list of numbers: PostgreSQL sorts such a list again for each row that looks up one event, so an account of
 * 57,000 lines took a minute instead of two seconds.
 */
function isIn(position: string, table: string): string {
  return `${position} in (select n.position from ${table} n)`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Events with their data in the current version. A missing or refused row fails the statement. */
function currentEvents({ older, excused, only }: Reading): string {
  const cases = [...older.types].map(([type, version]) => `when ${quoted(type)} then ${version}`);
  const version = `case e.type ${cases.join(" ")} else 0 end`;
  const isExcused = excused.length === 0 ? "" : `when e.position = ${positions(excused)} then null`;
  const where = only === null ? "" : ` where ${isIn("e.position", only)}`;
  return `(
    select e.position, e.id, e.type, greatest(e.schema_version, ${version}) as schema_version,
      case when e.schema_version >= ${version} then e.data
        when u.data is not null then u.data
        ${isExcused}
        else read.no_upcast(e.position, u.error) end as data,
      e.actor, e.happened_at, e.recorded_at
    from log.events e
    left join read.upcast_events u on u.position = e.position and u.version = ${version}${where})`;
}

function sourceOf(name: string, reading: Reading): string {
  if (name === "events" && reading.older.types.size > 0) {
    return currentEvents(reading);
  }
  const table = TABLES[name] ?? "log.events";
  const { only } = reading;
  return only === null ? table : `(select o.* from ${table} o where ${isIn("o.position", only)})`;
}

/** Replaces `{events}`, `{streams}`, `{postings}` and `{movements}`. */
export function renderSources(template: string, reading: Reading): string {
  return template.replaceAll(/\{(events|streams|postings|movements)\}/g, (_match, name: string) =>
    sourceOf(name, reading),
  );
}
