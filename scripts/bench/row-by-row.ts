// How projections are often written: Node reads each event and folds it with its own statements. For comparison only.
import type { Sql, TransactionSql } from "#db/connect.ts";
import { events as register } from "../../services/features.ts";
import { accountHistoryProjection, balancesProjection } from "#features/accounts/projection.ts";
import { availableAccount } from "#features/accounts/streams.ts";
import { readRange } from "#ledger/log/read.ts";
import type { StoredEvent } from "#ledger/log/read.ts";
import { createGeneration, dropGeneration } from "#ledger/projection/generation.ts";
import { fillGeneration } from "#ledger/projection/build.ts";

const EVENTS_A_TRANSACTION = 1_000;

/** Folds the first events into balances and account history both ways. Returns the events per second of each. */
export async function foldRowByRow(
  sql: Sql,
  events: number,
): Promise<{ perSecond: number; setPerSecond: number }> {
  await sql.unsafe(`
    create table read.bench_balances (account text primary key, balance_cents bigint not null);
    create table read.bench_history (uid text not null, line bigint not null, position bigint not null,
      available_after_cents bigint not null, primary key (uid, line))`);
  const startedAt = performance.now();
  for (let from = 0; from < events; from += EVENTS_A_TRANSACTION) {
    const through = Math.min(events, from + EVENTS_A_TRANSACTION);
    const range = await readRange(sql, from, through);
    await sql.begin(async (transaction) => {
      for (const event of range) {
        await foldEvent(transaction, event);
      }
    });
  }
  const ms = performance.now() - startedAt;
  await sql.unsafe("drop table read.bench_balances, read.bench_history");
  return { perSecond: (events * 1000) / ms, setPerSecond: await foldInSets(sql) };
}

async function foldEvent(transaction: TransactionSql, event: StoredEvent): Promise<void> {
  for (const { from, to, cents } of event.postings) {
    for (const [name, change] of [
      [from, -cents],
      [to, cents],
    ] as const) {
      await transaction`
        insert into read.bench_balances as b (account, balance_cents) values (${name}, ${change})
        on conflict (account) do update set balance_cents = b.balance_cents + excluded.balance_cents`;
    }
  }
  for (const { streamId, version } of event.streams) {
    if (streamId.startsWith("consignor-")) {
      const uid = streamId.slice("consignor-".length);
      await transaction`
        insert into read.bench_history (uid, line, position, available_after_cents)
        select ${uid}, ${version}, ${event.position}, coalesce(
          (select balance_cents from read.bench_balances where account = ${availableAccount.of(uid)}), 0)`;
    }
  }
}

/** The same two projections with their own step, over the whole log. */
async function foldInSets(sql: Sql): Promise<number> {
  const startedAt = performance.now();
  let events = 0;
  for (const projection of [balancesProjection, accountHistoryProjection]) {
    const made = await createGeneration(sql, projection);
    const filled = await fillGeneration(sql, projection, made, {
      events: register,
    });
    events = filled.position;
    await dropGeneration(sql, projection, made.generation);
  }
  return (events * 1000) / (performance.now() - startedAt);
}
