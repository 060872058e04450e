// Changes of what people see and of what protects the log: read tables, views, grants, triggers, functions.
import { availableAccount } from "#features/accounts/streams.ts";
import { randomUUID } from "node:crypto";
import { events, projections, streams } from "../../services/features.ts";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import { CustomSaleRecorded } from "#features/sales/events.ts";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { Change, Copy } from "./change.ts";
import { at, atOrNamed, bySql, named } from "./change.ts";

export const readChanges: readonly Change[] = [
  bySql(
    "a row of a read table",
    ({ salesTable, sale }) =>
      `update ${salesTable} set payout_cents = payout_cents + 1 where sale_id = '${sale.saleId}'`,
    ({ sale }) => atOrNamed(sale.position, sale.saleId),
  ),
  bySql(
    "a balance",
    ({ balancesTable, consignor }) =>
      `update ${balancesTable} set balance_cents = balance_cents + 100
       where account = '${availableAccount.of(consignor.uid)}'`,
    ({ consignor }) => named(availableAccount.of(consignor.uid)),
  ),
  bySql(
    "a false upcast of a sale, as if its event were of an older version",
    ({ sale }) =>
      `insert into read.upcast_events (position, version, data, error)
       values (${sale.position}, 1, '{"payoutCents": 1}', null)`,
    ({ sale }) => at(sale.position),
  ),
  bySql(
    "a checkpoint moved back, so that events count twice",
    () =>
      `update read.projections set position = position - 3 where name = 'balances' and state = 'live'`,
    () => named("read.balances", "balances:"),
  ),
  bySql(
    "a checkpoint moved back, so that rows cannot be added again",
    () =>
      `update read.projections set position = position - 3 where name = 'sales' and state = 'live'`,
    ({ customSale }) => atOrNamed(customSale.position, customSale.saleId),
  ),
  bySql(
    "a checkpoint beyond the log",
    () =>
      `update read.projections set position = position + 3 where name = 'sales' and state = 'live'`,
    ({ end }) => at(end + 1),
  ),
  {
    name: "a sale of $1,200 that is held back",
    tamper: ({ appUrl }, { customSale }) => recordTwice(appUrl, customSale.consignorId),
    shown: () => named(HELD_SALE),
  },
  {
    name: "a view with doubled prices",
    tamper: async ({ sql }, { salesTable }) => {
      await sql.unsafe(await viewWithDoubledPrices(sql, salesTable));
    },
    shown: () => named("read.sales", "sales"),
  },
  bySql(
    "the step that fills a read table",
    () => `
      update read.definitions d set definition = jsonb_set(definition, '{step}', '["select 1"]')
      from read.projections p
      where p.name = d.name and p.generation = d.generation and p.name = 'sales' and p.state = 'live'`,
    () => named("of sales (live, version"),
  ),
  bySql(
    "old tables with a step that would be run for them",
    () => `
      with old as (
        insert into read.projections (name, generation, version, state, position, definition_hash)
        select name, 901, version, 'previous', position, 'evil'
        from read.projections where name = 'sales' and state = 'live'
        returning name, generation)
      insert into read.definitions (name, generation, definition)
      select old.name, old.generation, jsonb_set(d.definition, '{step}', '["select 1"]')
      from old join read.definitions d using (name) limit 1`,
    () => named("generation 901 of sales"),
  ),
  bySql(
    "a constraint that every later sale breaks",
    () => "alter table read.sales_g1 add constraint poison check (position < 1000000) not valid",
    () => named("read.sales_g has constraint poison"),
  ),
  bySql(
    "a dropped index",
    () => "drop index read.sales_g1_1_idx",
    () => named("read.sales_g lacks index"),
  ),
  bySql(
    "a search path of the application's role",
    () => `
      do $$ begin
        execute format('alter role ledger_app in database %I set search_path = pgboss, pg_catalog', current_database());
      end $$`,
    () => named("search_path"),
  ),
  bySql(
    "a dropped view",
    () => "drop view read.sales",
    () => named("read.sales", "sales"),
  ),
];

const HELD_SALE = "5a1e0000-0000-4000-8000-000000000001";

/** As a program with a bug might: the same sale is recorded a second time, which the read tables cannot hold. */
async function recordTwice(appUrl: string, consignorId: string): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const pool = (maxConnections: number): Sql => {
    const sql = connect(appUrl, { applicationName: "tamper", maxConnections });
    parts.defer(() => sql.end({ timeout: 5 }));
    return sql;
  };
  const ledger = openLedger({ sql: pool(1), streams, events, newId: randomUUID });
  parts.defer(ledger.close);
  const sale = {
    saleId: HELD_SALE,
    consignorId,
    itemName: "Road bicycle",
    amountCents: 120_000,
    happenedAt: new Date().toISOString(),
  };
  const { saleId, itemName, amountCents, happenedAt } = sale;
  const carelessly: Decider<typeof sale, { readonly saleId: string }> = {
    type: "RecordCustomSale",
    streams: (command) => recordCustomSale.streams(command),
    decide: () =>
      accept(
        [
          emit(
            CustomSaleRecorded,
            { saleId, consignorId, itemName, amountCents },
            { streams: recordCustomSale.streams(sale), happenedAt },
          ),
        ],
        { saleId },
      ),
  };
  const context = (key: string) => ({
    actor: "system:tamper",
    scope: "store",
    key,
    requestHash: "00",
  });
  await ledger.execute(recordCustomSale, sale, context("held-1"));
  await ledger.execute(carelessly, sale, context("held-2"));
  await createRunner({ sql: pool(4), projections, events }).catchUp();
}

async function viewWithDoubledPrices(sql: Sql, table: string): Promise<string> {
  const columns = await sql<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`;
  const shown = columns.map(({ name }) =>
    name === "price_cents" ? "price_cents * 2 as price_cents" : name,
  );
  return `create or replace view read.sales as select ${shown.join(", ")} from ${table}`;
}

async function definitionOfAppend({ sql }: Copy): Promise<string> {
  const [row] = await sql<{ definition: string }[]>`
    select pg_get_functiondef(p.oid) as definition from pg_proc p
    where p.pronamespace = 'log'::regnamespace and p.proname = 'append'`;
  return row?.definition ?? "";
}

export const guardChanges: readonly Change[] = [
  bySql(
    "a grant on the log",
    () => "grant insert, update on log.events to ledger_app",
    () => named("log.events"),
  ),
  bySql(
    "a grant on the log for everyone",
    () => "grant select on log.streams to public",
    () => named("log.streams"),
  ),
  bySql(
    "a grant on read tables for everyone",
    () => "grant usage on schema read to public; grant update on read.projections to public",
    () => named("read.projections", "schema read"),
  ),
  bySql(
    "a dropped trigger",
    ({ trigger }) => `drop trigger ${trigger.name} on ${trigger.table}`,
    ({ trigger }) => named(trigger.name),
  ),
  bySql(
    "a disabled trigger",
    ({ trigger }) => `alter table ${trigger.table} disable trigger ${trigger.name}`,
    ({ trigger }) => named(trigger.name),
  ),
  bySql(
    "an added trigger",
    () => `
      create function public.skim() returns trigger language plpgsql as
        'begin new.cents := new.cents - 1; return new; end';
      create trigger skim before insert on log.postings for each row execute function public.skim()`,
    () => named("skim"),
  ),
  {
    name: "a changed function",
    tamper: async (copy) => {
      const definition = await definitionOfAppend(copy);
      const changed = definition.replace(
        "greatest(clock_timestamp(), v_recorded)",
        "clock_timestamp()",
      );
      if (changed === definition) {
        throw new Error("log.append no longer reads as this change expects");
      }
      await copy.sql.unsafe(changed);
    },
    shown: () => named("append"),
  },
];
