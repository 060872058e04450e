// What lists and look-ups can read: the log's and identity's tables, and the read tables that a query file declares.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { ReadonlyKysely } from "kysely/readonly";
import type { Sql } from "#db/connect.ts";
import type { ReadKysely, ReadPair, RunRead } from "#db/reads.ts";
import { openReads } from "#db/reads.ts";
import type { IdentityTables } from "#identity/tables.ts";
import type { LogTables } from "#ledger/log/tables.ts";
import type { ReadTable, TablesOf } from "#ledger/projection/columns.ts";

type JoinedTables = LogTables & IdentityTables;

/**
 * Kysely over the standby or the primary, as `readsFrom` chose for the request. A query file adds its read tables
 * with `withTables`.
 */
export type Reads = ReadKysely<JoinedTables>;

/** `reads` for look-ups, `searches` for statements whose best plan depends on their parameters. */
export type ReadDeps = ReadPair<JoinedTables>;

/** Each statement runs where its request reads. */
export function readsThrough(run: RunRead): ReadDeps {
  return openReads(run);
}

/** Always uses this pool. */
export function readsOver(pool: Sql): ReadDeps {
  return openReads((work) => work(pool));
}

/** Types a Kysely with read tables of its own feature or of another feature's `projection.ts`. */
export function withTables<const Tables extends readonly ReadTable[]>(
  ..._tables: Tables
): (reads: Reads) => ReadonlyKysely<JoinedTables & TablesOf<Tables[number]>> {
  return (reads) => reads.withTables<TablesOf<Tables[number]>>();
}

/** The name of a read table, for a fragment of SQL. Files that join it import its declaration. */
export function nameOfTable({ name }: ReadTable): RawBuilder<unknown> {
  return sql.table(`read.${name}`);
}
