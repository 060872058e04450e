// Reads from a filled store the facts that the changes use.
import type { Sql } from "#db/connect.ts";
import type { Facts } from "./change.ts";

async function one<Row extends Record<string, unknown>>(sql: Sql, query: string): Promise<Row> {
  const [row] = await sql.unsafe<Row[]>(query);
  if (row === undefined) {
    throw new Error(`The store was not filled as expected: ${query}`);
  }
  return row;
}

const person = (where: string) => `
  select p.uid, (select max(position) from log.event_streams where stream_id = log.user_stream(p.uid)) as position
  from identity.profiles p where ${where}`;

/** Throws if the store lacks something. */
export async function readFacts(sql: Sql): Promise<Facts> {
  const tables = await one<{ sales: string; balances: string }>(
    sql,
    `select max('read.sales_g' || generation) filter (where name = 'sales') as sales,
       max('read.balances_g' || generation) filter (where name = 'balances') as balances
     from read.projections where state = 'live'`,
  );
  return {
    ...(await one<{ end: number }>(sql, `select max(position) as end from log.events`)),
    sale: await one<Facts["sale"]>(
      sql,
      `select e.position, e.data ->> 'saleId' as "saleId", e.key_scope as scope, e.command_key as key,
         log.item_stream(e.data ->> 'itemId') as "itemStream"
       from log.events e where type = 'SaleRecorded' and not exists (
         select from log.events later where later.position > e.position
           and later.data ->> 'saleId' = e.data ->> 'saleId')
       order by e.position limit 1`,
    ),
    customSale: await one<Facts["customSale"]>(
      sql,
      `select position, data ->> 'saleId' as "saleId", data ->> 'consignorId' as "consignorId"
       from log.events where type = 'CustomSaleRecorded' order by position desc limit 1`,
    ),
    refund: await one<Facts["refund"]>(
      sql,
      `select position, data ->> 'saleId' as "saleId" from log.events
       where type = 'SaleRefunded' and data ? 'tender' order by position limit 1`,
    ),
    till: await one<Facts["till"]>(
      sql,
      `select position, data ->> 'day' as day, data ->> 'noteId' as "noteId" from log.events
       where type = 'TillDayClosed' order by position limit 1`,
    ),
    item: await one<Facts["item"]>(
      sql,
      `select id as "itemId" from read.inventory_items
       where tag_price_cents is not null order by added_position limit 1`,
    ),
    picture: await one<Facts["picture"]>(
      sql,
      `select id as "imageId" from files.images where kept_at is not null order by id limit 1`,
    ),
    erased: await one<Facts["erased"]>(
      sql,
      `select position, data -> 'noteIds' ->> 0 as "noteId" from log.events
       where type = 'TaxCertificateErased' order by position limit 1`,
    ),
    payout: await one<Facts["payout"]>(
      sql,
      `select position, data ->> 'handleId' as "handleId" from log.events
       where type = 'PayoutRequested' order by position limit 1`,
    ),
    admin: await one<Facts["admin"]>(sql, person("p.username = 'casey'")),
    consignor: await one<Facts["consignor"]>(sql, person("p.username = 'avery'")),
    deactivated: await one<Facts["deactivated"]>(sql, person("p.deactivated_at is not null")),
    invited: await one<Facts["invited"]>(sql, `select uid from identity.invitations limit 1`),
    statementKey: await one<Facts["statementKey"]>(
      sql,
      `select kid from identity.statement_keys where retired_at is null`,
    ),
    signingKey: await one<Facts["signingKey"]>(
      sql,
      `select kid from identity.signing_keys order by turn desc limit 1`,
    ),
    trigger: await one<Facts["trigger"]>(
      sql,
      `select tgname as name, tgrelid::regclass::text as table from pg_trigger
       where not tgisinternal and tgrelid::regclass::text ~ '^(log|identity)[.]' order by tgname limit 1`,
    ),
    salesTable: tables.sales,
    balancesTable: tables.balances,
  };
}
