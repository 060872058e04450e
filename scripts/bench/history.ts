// A log of millions of events for rebuilds and reads: commands write one stretch, and SQL copies it many times.
import { randomUUID } from "node:crypto";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { addItem, editItem } from "#features/inventory/decider.ts";
import { markPayoutPaid, requestPayout } from "#features/payouts/decider.ts";
import { correctSale } from "#features/sales/decider-correct.ts";
import { recordCustomSale, recordSale } from "#features/sales/decider-record.ts";
import { refundSale } from "#features/sales/decider-refund.ts";
import type { Outcome } from "#ledger/log/ledger.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { events, streams } from "../../services/features.ts";
import { newTimeOrderedId } from "#ledger/log/time-ordered-id.ts";
import type { BenchDatabase } from "./server.ts";
import { consignorIdOf, newContext } from "./shop.ts";

/** This consignor has a tenth of all sales. */
export const BUSY_CONSIGNOR = consignorIdOf(0);

const CONSIGNORS = 200;
const ITEMS_SHARE = 0.1;
const IN_FLIGHT = 256;
// Every id and barcode of the stretch begins with this; a copy puts its own number there.
const PLACE = "00000000-";
const STARTS_AT = Date.UTC(2026, 0, 1);
const STRETCH_MS = 3_600_000;

/** An id that a copy can recognize. */
/** Nobody is paid here, so there is no handle either. */
const NO_HASH = "0".repeat(64);

function newPlacedId(): string {
  return PLACE + randomUUID().slice(PLACE.length);
}

type Stretch = {
  readonly items: { readonly itemId: string; readonly consignorId: string }[];
  readonly sales: string[];
  /** Sales that were neither corrected nor refunded yet. */
  readonly untouched: string[];
  readonly payouts: { readonly payoutId: string; readonly consignorId: string }[];
};

function at(index: number, count: number): string {
  return new Date(STARTS_AT + Math.floor((index / count) * STRETCH_MS)).toISOString();
}

async function add(
  ledger: LedgerWriter,
  stretch: Stretch,
  index: number,
  happenedAt: string,
): Promise<Outcome<unknown>> {
  const itemId = newPlacedId();
  // Every tenth item is the busy consignor's.
  const consignorId = index % 10 === 0 ? BUSY_CONSIGNOR : consignorIdOf(index % CONSIGNORS);
  stretch.items.push({ itemId, consignorId });
  return ledger.execute(
    addItem,
    {
      itemId,
      ownerUid: consignorId,
      details: {
        itemName: `Desk lamp ${index}`,
        listingTitle: `Brass desk lamp, number ${index}, tested, from a home without smoke`,
        barcode1: `${PLACE}${index}`,
        barcode2: "",
        location: `R${index % 20}-${index % 25}`,
        link: `https://shop.example/dp/${index}`,
        imageUrl: "",
        asin: "",
      },
      quantity: 1_000,
      source: "manual",
      happenedAt,
    },
    newContext(),
  );
}

function picked<Element>(elements: readonly Element[], index: number): Element {
  // This step shares no factor with any length, so it reaches every entry.
  const element = elements[(index * 7919) % elements.length];
  if (element === undefined) {
    throw new Error("The stretch has nothing of this kind yet");
  }
  return element;
}

function sell(
  ledger: LedgerWriter,
  stretch: Stretch,
  index: number,
  happenedAt: string,
): Promise<Outcome<unknown>> {
  const saleId = newPlacedId();
  stretch.sales.push(saleId);
  stretch.untouched.push(saleId);
  return ledger.execute(
    recordSale,
    {
      saleId,
      ...picked(stretch.items, index),
      barcode1: null,
      units: 1 + (index % 2),
      priceCents: 1_000 + (index % 90) * 100,
      shippingCents: 500,
      salesTaxCents: index % 3 === 0 ? 80 : 0,
      taxRateBasisPoints: index % 3 === 0 ? 825 : null,
      consignorPercentage: 50,
      channel: index % 4 === 0 ? "pos" : "online",
      happenedAt,
    },
    newContext(),
  );
}

/** How many of a hundred commands after the first items are not sales. */
async function doOther(
  ledger: LedgerWriter,
  stretch: Stretch,
  index: number,
  happenedAt: string,
): Promise<Outcome<unknown> | undefined> {
  const consignorId = consignorIdOf(((index / 100) % CONSIGNORS) | 0);
  switch (index % 100) {
    case 10:
    case 35:
    case 60:
    case 85: {
      const saleId = stretch.untouched.shift() ?? "";
      const refund = { saleId, units: 1, amountCents: null, restock: true };
      return ledger.execute(
        refundSale,
        { ...refund, expectedVersion: null, noteId: null, happenedAt },
        newContext(),
      );
    }
    case 20:
    case 45:
    case 70: {
      const saleId = stretch.untouched.shift() ?? "";
      const nothing = { itemName: null, units: null, shippingCents: null, salesTaxCents: null };
      const changes = {
        ...nothing,
        priceCents: 1_234 + index,
        consignorPercentage: null,
        payoutCents: null,
      };
      return ledger.execute(
        correctSale,
        { saleId, changes, expectedVersion: null, noteId: null, happenedAt },
        newContext(),
      );
    }
    case 30:
    case 65: {
      const payoutId = newPlacedId();
      // The busy consignor is paid every few sales, the others a little each time.
      const isBusy = index % 400 === 65;
      const wanted = isBusy
        ? { consignorId: BUSY_CONSIGNOR, amountCents: 25_000 }
        : { consignorId, amountCents: 300 };
      stretch.payouts.push({ payoutId, consignorId: wanted.consignorId });
      const payout = { payoutId, ...wanted, method: "venmo" } as const;
      return ledger.execute(
        requestPayout,
        { ...payout, handleId: newPlacedId(), handleHash: NO_HASH, happenedAt },
        newContext(),
      );
    }
    case 50: {
      const payout = stretch.payouts.shift();
      return payout === undefined
        ? undefined
        : ledger.execute(
            markPayoutPaid,
            { ...payout, reference: null, handleId: null, happenedAt },
            newContext(),
          );
    }
    case 90: {
      const { itemId, consignorId: ownerUid } = picked(stretch.items, index);
      const changes = { location: `R${index % 20}-E${index}` };
      const edit = { itemId, ownerUid, changes, quantity: null, reason: null };
      return ledger.execute(editItem, { ...edit, expectedVersion: null, happenedAt }, newContext());
    }
    case 95: {
      const sale = { saleId: newPlacedId(), consignorId, itemName: "Repair", amountCents: 700 };
      return ledger.execute(recordCustomSale, { ...sale, happenedAt }, newContext());
    }
    default:
      return undefined;
  }
}

/** Writes about `count` events through commands: items first, then mostly sales. */
async function writeStretch(database: BenchDatabase, count: number): Promise<void> {
  const sql = connect(database.appUrl, { applicationName: "bench-stretch", maxConnections: 1 });
  const ledger = openLedger({ sql, streams, events, newId: newTimeOrderedId });
  const stretch: Stretch = { items: [], sales: [], untouched: [], payouts: [] };
  const itemCount = Math.max(20, Math.round(count * ITEMS_SHARE));
  try {
    for (let from = 0; from < count; from += IN_FLIGHT) {
      const indexes = Array.from(
        { length: Math.min(IN_FLIGHT, count - from) },
        (_, offset) => from + offset,
      );
      const outcomes = await Promise.all(
        indexes.map(async (index) => {
          const happenedAt = at(index, count);
          return index < itemCount
            ? add(ledger, stretch, index, happenedAt)
            : ((await doOther(ledger, stretch, index, happenedAt)) ??
                sell(ledger, stretch, index, happenedAt));
        }),
      );
      const failed = outcomes.find(({ kind }) => kind === "contended" || kind === "key-reused");
      if (failed !== undefined) {
        throw new Error(`A command of the stretch was answered: ${failed.kind}`);
      }
    }
  } finally {
    await ledger.close();
    await sql.end();
  }
}

export type History = {
  /** Adds copies of the stretch until the log has about this many events. Returns how many it has. */
  readonly growTo: (events: number) => Promise<number>;
  readonly close: () => Promise<void>;
};

/**
 * A new log in a database with the ledger's schema. Each copy of the stretch gets ids of its own; the consignors
 * stay the same people, so their accounts grow. Hashes are copied too, so the chain breaks at the first copy.
 * Stream states, keys and answers are missing: no read and no rebuild looks at them.
 */
export async function openHistory(
  database: BenchDatabase,
  stretchEvents: number,
): Promise<History> {
  await writeStretch(database, stretchEvents);
  const sql = connect(database.ownerUrl, { applicationName: "bench-history", maxConnections: 1 });
  const [head] = await sql<{ events: number }[]>`select count(*) as events from log.events`;
  const length = head?.events ?? 0;
  await sql.unsafe(`
    create schema bench;
    create table bench.events as select * from log.events order by position;
    create table bench.postings as select * from log.postings order by position, ordinal;
    create table bench.movements as select * from log.movements order by position, ordinal;
    create table bench.event_streams as
      select s.*, case when s.stream_id like '%${PLACE}%' then 0 else c.versions end as versions
      from log.event_streams s
      join (select stream_id, count(*) as versions from log.event_streams group by 1) c using (stream_id)
      order by s.position`);
  let copies = 1;
  return {
    async growTo(wanted) {
      const total = Math.max(copies, Math.round(wanted / length));
      if (total > copies) {
        // Their order differs from the log's, so rebuilding these indexes is cheaper than keeping them up to date.
        await sql.unsafe(`
          alter table log.event_streams drop constraint event_streams_pkey;
          alter table log.events drop constraint events_id_key`);
        for (; copies < total; copies += 1) {
          await copyStretch(sql, length, copies);
        }
        await sql.unsafe(`
          alter table log.event_streams add constraint event_streams_pkey primary key (stream_id, version);
          alter table log.events add constraint events_id_key unique (id)`);
      }
      for (const table of ["events", "postings", "movements", "event_streams"]) {
        await sql.unsafe(`vacuum analyze log.${table}`);
      }
      return copies * length;
    },
    close: () => sql.end(),
  };
}

async function copyStretch(sql: Sql, length: number, copy: number): Promise<void> {
  const prefix = `${copy.toString(16).padStart(8, "0")}-`;
  const placed = (column: string) => `replace(${column}, '${PLACE}', '${prefix}')`;
  const moved = `position + ${copy * length}`;
  const later = (column: string) => `${column} + ${copy} * interval '${STRETCH_MS} milliseconds'`;
  await sql.unsafe(`
    begin;
    set local synchronous_commit = off;
    insert into log.events (position, id, type, schema_version, data, actor, key_scope, command_key,
        happened_at, recorded_at, field_hash, hash, hash_form)
      select ${moved}, ('${prefix}' || substr(id::text, ${PLACE.length + 1}))::uuid, type, schema_version,
        ${placed("data::text")}::jsonb, actor, key_scope, command_key,
        ${later("happened_at")}, ${later("recorded_at")}, field_hash, hash, hash_form
      from bench.events;
    insert into log.postings (position, ordinal, from_account, to_account, cents)
      select ${moved}, ordinal, from_account, to_account, cents from bench.postings;
    insert into log.movements (position, ordinal, from_holding, to_holding, units)
      select ${moved}, ordinal, ${placed("from_holding")}, ${placed("to_holding")}, units
      from bench.movements;
    insert into log.event_streams (stream_id, version, position)
      select ${placed("stream_id")}, version + ${copy} * versions, ${moved} from bench.event_streams;
    commit`);
}
