// What lists and look-ups read: the log's and identity's tables, and the read tables that a file of queries names.
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

/** Kysely over the standby or the primary, as `readsFrom` chose for the request. A file of queries adds the read tables it names by `withTables`. */
export type Reads = ReadKysely<JoinedTables>;

/** `reads` for look-ups, `searches` for statements whose best plan depends on their parameters. */
export type ReadDeps = ReadPair<JoinedTables>;

/** Each statement where its request reads. */
export function readsThrough(run: RunRead): ReadDeps {
  return openReads(run);
}

/** Always over this pool. */
export function readsOver(pool: Sql): ReadDeps {
  return openReads((work) => work(pool));
}

/** Types a Kysely with read tables, its own feature's or those that another feature's `projection.ts` exports. */
export function withTables<const Tables extends readonly ReadTable[]>(
  ..._tables: Tables
): (reads: Reads) => ReadonlyKysely<JoinedTables & TablesOf<Tables[number]>> {
  return (reads) => reads.withTables<TablesOf<Tables[number]>>();
}

/** The name of a read table, for a fragment of SQL. Whoever joins it imports its declaration. */
export function nameOfTable({ name }: ReadTable): RawBuilder<unknown> {
  return sql.table(`read.${name}`);
}
