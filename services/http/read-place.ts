// The Kysely that routes read through: each statement goes to the standby or the primary, as its request was told.
import { AsyncLocalStorage } from "node:async_hooks";
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
} from "kysely";
import type { Sql } from "#db/connect.ts";
import type { Standby } from "#db/standby.ts";
import { type ReadSource, type RepeatReason, whyRepeat } from "#http/read-source.ts";

/** Runs statements that read, where the request reads. They may run twice, so they must not write. */
export type RunRead = <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;

/** What became of a request's reads: the standby had them, or why the primary did. */
export type ReadOutcome = "standby" | "away" | "behind" | "late" | RepeatReason;

/** Where the reads of one request go; from the standby it changes to the primary and never back. */
type Place = { source: ReadSource };

const places = new AsyncLocalStorage<Place>();

/** The reads of `work` go to `source`. Without this they go to the primary. */
export function readFrom<Result>(source: ReadSource, work: () => Result): Result {
  return places.run({ source }, work);
}

/** For what goes on reading after its route has returned, such as a file that is sent piece by piece. */
export function keepReadSource(): <Result>(work: () => Result) => Result {
  return AsyncLocalStorage.snapshot();
}

/**
 * A statement that recovery cancels on the standby, or that meets it lost, is repeated once on the primary, and the
 * rest of its request stays there. Lists and files are read by single statements, so this holds for the later
 * pieces of a file too.
 */
export function createRunRead(
  primary: Sql,
  standby: Standby | null,
  count: (outcome: ReadOutcome) => void,
): RunRead {
  return async (work) => {
    const place = places.getStore();
    if (standby === null || place?.source !== "standby") {
      return work(primary);
    }
    const onPrimary = (reason: RepeatReason) => {
      // Another statement of the request may have come here first.
      if (place.source === "standby") {
        place.source = "primary";
        count(reason);
      }
      return work(primary);
    };
    const pool = standby.pool();
    if (pool === null) {
      return onPrimary("lost");
    }
    try {
      return await work(pool);
    } catch (error) {
      const reason = whyRepeat(error);
      if (reason === undefined) {
        throw error;
      }
      if (reason === "lost") {
        standby.noteLost(error);
      }
      return onPrimary(reason);
    }
  };
}

/** Every query is a statement of its own. */
export function kyselyForReads<Database>(run: RunRead): Kysely<Database> {
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => readDriver(run),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

function readDriver(run: RunRead): Driver {
  const connection: DatabaseConnection = {
    executeQuery: <Row>({ sql: text, parameters }: CompiledQuery) =>
      run(async (sql) => {
        // Kysely types parameters as unknown; the driver refuses what it cannot send.
        const values = [...parameters] as (string | number)[];
        const rows = await sql.unsafe<(Row & object)[]>(text, values, { prepare: true });
        return { rows: [...rows] };
      }),
    streamQuery: () => refuse("stream; ask for a long list page by page"),
  };
  const done = () => Promise.resolve();
  return {
    init: done,
    acquireConnection: () => Promise.resolve(connection),
    releaseConnection: done,
    beginTransaction: () => refuse("have transactions: each statement may be repeated elsewhere"),
    commitTransaction: done,
    rollbackTransaction: done,
    destroy: done,
  };
}

function refuse(what: string): never {
  throw new Error(`Reads do not ${what}`);
}
