// Kysely for reads over a pool: lists and look-ups come through here, and nothing is written.
import { Kysely } from "kysely";
import type { QueryExecutorProvider } from "kysely";
import { PostgresJSDialect } from "kysely-postgres-js";
import type { ReadonlyKysely } from "kysely/readonly";
import type { Sql } from "#db/connect.ts";

/** Selects only; the second half lets fragments of raw `sql` run on it. */
export type ReadKysely<Tables> = ReadonlyKysely<Tables> & QueryExecutorProvider;

/** Statements of both run on the same pool, each on a connection that is free. */
export type ReadPair<Tables> = {
  /** Prepares each statement once a connection, so that PostgreSQL may keep one plan for all parameters. */
  readonly reads: ReadKysely<Tables>;
  /** Has each statement planned for its own parameters: one plan for every search would be a bad one for most. */
  readonly searches: ReadKysely<Tables>;
};

/** Closing the pool closes both. */
export function openReads<Tables>(sql: Sql): ReadPair<Tables> {
  return { reads: kyselyOver(sql, true), searches: kyselyOver(sql, false) };
}

function kyselyOver<Tables>(sql: Sql, prepare: boolean): ReadKysely<Tables> {
  // Kysely reserves a connection for each statement. A read needs none of its own: the pool finds a free one.
  const connection = {
    unsafe: (text: string, parameters: never[] = []) => sql.unsafe(text, parameters, { prepare }),
    release: () => undefined,
  };
  const pool = {
    options: {},
    reserve: () => Promise.resolve(connection),
    end: () => Promise.resolve(),
  };
  // Kysely's own way to its type without writes.
  return new Kysely<Tables>({
    dialect: new PostgresJSDialect({ postgres: () => pool }),
  }) as never;
}
