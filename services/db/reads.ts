// Kysely for reads: lists and look-ups use it, each as a single statement that writes nothing.
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryExecutorProvider,
  type QueryResult,
} from "kysely";
import type { ReadonlyKysely } from "kysely/readonly";
import type { Sql } from "#db/connect.ts";

/** Only selects; the second part lets fragments of raw `sql` run on it. */
export type ReadKysely<Tables> = ReadonlyKysely<Tables> & QueryExecutorProvider;

/** Chooses a pool and runs a read on it; if that fails, it may run the read again on another pool. */
export type RunRead = <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;

/** Statements of both run on the same pools, each on any free connection. */
export type ReadPair<Tables> = {
  /** Prepares each statement once per connection, so that PostgreSQL can keep one plan for all parameters. */
  readonly reads: ReadKysely<Tables>;
  /** Plans each statement for its own parameters: one plan for all searches would be bad for most of them. */
  readonly searches: ReadKysely<Tables>;
};

/** Closing the pools closes both of them. */
export function openReads<Tables>(run: RunRead): ReadPair<Tables> {
  return { reads: kyselyOver(run, true), searches: kyselyOver(run, false) };
}

function kyselyOver<Tables>(run: RunRead, prepare: boolean): ReadKysely<Tables> {
  // Kysely's own type without writes.
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => readDriver(run, prepare),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }) as never;
}

/** Kysely's own driver reserves a connection for each statement, which a read does not need. */
function readDriver(run: RunRead, prepare: boolean): Driver {
  const connection: DatabaseConnection = {
    executeQuery: <Row>(query: CompiledQuery): Promise<QueryResult<Row>> =>
      run(async (sql) => {
        // Kysely types parameters as unknown; the driver rejects those it cannot send.
        const values = [...query.parameters] as never[];
        // The driver would send a statement without parameters in a way that is planned each time, and one that is not
        // prepared in two trips.
        const options = { prepare, simple: false, isOneTrip: true };
        return { rows: [...(await sql.unsafe<(Row & object)[]>(query.sql, values, options))] };
      }),
    streamQuery: () => refuse("stream; ask for a long list page by page"),
  };
  const done = () => Promise.resolve();
  return {
    init: done,
    acquireConnection: () => Promise.resolve(connection),
    releaseConnection: done,
    beginTransaction: () => refuse("have transactions; each statement may run on another server"),
    commitTransaction: done,
    rollbackTransaction: done,
    destroy: done,
  };
}

function refuse(what: string): never {
  throw new Error(`Reads do not ${what}`);
}
