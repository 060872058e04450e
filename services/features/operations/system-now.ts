// What runs and how large it is: processes, the log's head in and outside of the database, sizes of tables.
import type { Sql } from "#db/connect.ts";
import { readProcesses } from "#db/processes.ts";
import { readHead } from "#ledger/log/read.ts";
import type { SystemResponse } from "#features/operations/contract.ts";

const TABLES_LISTED = 200;

export async function readSystemNow(sql: Sql): Promise<SystemResponse> {
  const [head, processes, tables] = await Promise.all([
    readHead(sql),
    readProcesses(sql),
    sql<SystemResponse["tables"]>`
      select n.nspname || '.' || c.relname as name,
        case n.nspname when 'log' then 'log' when 'read' then 'read' else 'other' end as kind,
        pg_total_relation_size(c.oid) as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
        and n.nspname not like 'pg\\_%'
      order by bytes desc, name limit ${TABLES_LISTED}`,
  ]);
  const published = processes
    .flatMap(({ published: one }) => (one === null ? [] : [one]))
    .toSorted((one, other) => other.position - one.position)
    .at(0);
  return {
    head,
    publishedHead:
      published === undefined
        ? null
        : { position: published.position, at: published.at.toISOString() },
    processes: processes.map(({ published: _published, startedAt, seenAt, doing, ...one }) => ({
      ...one,
      startedAt: startedAt.toISOString(),
      seenAt: seenAt.toISOString(),
      doing: [...doing],
    })),
    tables: [...tables],
  };
}
