// Opens connections: postgres.js for hot paths, and Kysely on top of the same pool for reads.
import { Kysely } from "kysely";
import { PostgresJSDialect } from "kysely-postgres-js";
import type postgres from "postgres";
import { addArrayTypes } from "#db/array-types.ts";
import { repairDriver } from "#db/driver-repairs.ts";

repairDriver();
// Not a static import, because those are loaded before anything runs.
const { default: openPool } = await import("postgres");

/**
 * A pool. bigint columns are JavaScript numbers (an error beyond the safe integers), timestamptz is a Date,
 * numeric is a string: cast sums of cents to bigint.
 */
export type Sql = postgres.Sql<{ int8: number }>;

/** The same inside `sql.begin`. */
export type TransactionSql = postgres.TransactionSql<{ int8: number }>;

export type ConnectOptions = {
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Maximum number of connections; 10 by default. */
  readonly maxConnections?: number;
  /** Ends any statement that takes longer, in milliseconds. */
  readonly statementTimeoutMs?: number;
  /** Refuses every statement that writes, as a standby does. */
  readonly isReadOnly?: boolean;
  /** For work that nobody waits for: each statement uses one core at most. */
  readonly isInBackground?: boolean;
  /** "off": commits do not wait for the disk. Where PostgreSQL crashes, the last ones may be lost, in their order. */
  readonly commit?: "off";
  /** Called with PostgreSQL's notices: the message and its details. */
  readonly onNotice?: (notice: string) => void;
};

/** Retries a lost server soon and often: by default, the driver would make everybody wait up to 20 s. */
const longestPauseSeconds = 0.5;

/** PostgreSQL's largest, 24 days. None would be 0, which the driver leaves out. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

const int8 = {
  to: 20,
  from: [20],
  serialize: (value: number | bigint | string) => String(value),
  parse: (text: string) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value)) {
      throw new RangeError(`${text} is beyond the safe integers`);
    }
    return value;
  },
};

/**
 * The file of a socket on this machine, if the address names its folder as `postgres://user:pw@%2Fvar%2Frun/ledger`:
 * the driver would look for a host of that name. A statement takes a third less work than by TCP.
 */
function socketIn(url: string): { readonly path?: string } {
  const [, folder, port = "5432"] = /^[^?@]*@(%2F[^/:?]*)(?::(\d+))?/iu.exec(url) ?? [];
  return folder === undefined ? {} : { path: `${decodeURIComponent(folder)}/.s.PGSQL.${port}` };
}

/** A pool of connections to a postgres:// address. Nothing is opened before the first query. */
export function connect(url: string, options: ConnectOptions): Sql {
  const sql = openPool(url, {
    ...socketIn(url),
    max: options.maxConnections ?? 10,
    backoff: (failures: number) => Math.min(0.02 * 2 ** failures, longestPauseSeconds),
    types: { int8 },
    fetch_types: false,
    // Messages like "already exists, skipping" are not interesting.
    onnotice: ({ message, detail }) => options.onNotice?.(`${message ?? ""}\n${detail ?? ""}`),
    connection: {
      application_name: options.applicationName,
      TimeZone: "UTC",
      // Overrides any setting of the role: a user-defined function must not replace one of PostgreSQL's.
      search_path: "public",
      // PostgreSQL's own setting compiles statements that look dear, which a step's do in a large store, for a few rows.
      jit: "off",
      // As texts: the driver leaves out the number 0.
      ...(options.isInBackground === true
        ? {
            max_parallel_workers_per_gather: "0",
            max_parallel_maintenance_workers: "0",
            // As much as the processor keeps close to itself: with 256 MB, sorting an index's rows beside a busy shop took
            // twice as long.
            maintenance_work_mem: "8MB",
          }
        : {}),
      ...(options.commit === undefined ? {} : { synchronous_commit: options.commit }),
      ...(options.isReadOnly === true ? { default_transaction_read_only: true } : {}),
      // Overrides a setting of the role as well: with a short one, verify could not even name it.
      statement_timeout: options.statementTimeoutMs ?? LONGEST_TIMEOUT_MS,
    },
  });
  addArrayTypes(sql.options);
  return sql;
}

/** Kysely over a pool of `connect`; closing the pool closes it too. */
export function kyselyOver<Database>(sql: Sql): Kysely<Database> {
  return new Kysely<Database>({ dialect: new PostgresJSDialect({ postgres: sql }) });
}
