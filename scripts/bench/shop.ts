// The store that benchmarks write to: the real features and projections over a bench database, 1,000 items of 200 consignors.
import { hash, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { events, projections, streams } from "../../services/features.ts";
import { newTimeOrderedId } from "#ledger/log/time-ordered-id.ts";
import type { Sql } from "#db/connect.ts";
import { connect } from "#db/connect.ts";
import type { RecordSale } from "#features/sales/decider-record.ts";
import { addItem } from "#features/inventory/decider.ts";
import type { StreamDefinition } from "#ledger/decider.ts";
import type { EventDefinition } from "#ledger/event.ts";
import type { ExecutionContext } from "#ledger/log/ledger.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createRunner } from "#ledger/projection/run.ts";

export type ShopItem = { readonly itemId: string; readonly consignorId: string };

const ITEMS = 1_000;
export const SHOP_CONSIGNORS = 200;
const HAPPENED_AT = "2026-06-01T12:00:00.000Z";

export function consignorIdOf(number: number): string {
  return `bench-consignor-${String(number).padStart(6, "0")}`;
}

/** A new key each time, as the point of sale or a browser sends it. */
export function newContext(): ExecutionContext {
  const key = randomUUID();
  return { actor: "system:bench", scope: "store", key, requestHash: hash("sha256", key, "hex") };
}

/** A sale of one unit of an item, with a shipping cost, so that it posts three legs and moves one unit. */
export function saleOf(item: ShopItem): RecordSale {
  return {
    saleId: randomUUID(),
    ...item,
    barcode1: null,
    units: 1,
    priceCents: 4_000,
    shippingCents: 500,
    salesTaxCents: 0,
    taxRateBasisPoints: null,
    consignorPercentage: 50,
    channel: "online",
    happenedAt: HAPPENED_AT,
  };
}

/** Anything that executes commands: the ledger, or a contender. */
export type Executor = Pick<LedgerWriter, "execute">;

/** Puts the items on the shelves, with enough units for every run. */
export async function stockShelves(executor: Executor): Promise<readonly ShopItem[]> {
  const items = Array.from({ length: ITEMS }, (_, index) => ({
    itemId: randomUUID(),
    consignorId: consignorIdOf(index % SHOP_CONSIGNORS),
  }));
  await Promise.all(
    items.map(async ({ itemId, consignorId }, index) => {
      const outcome = await executor.execute(
        addItem,
        {
          itemId,
          ownerUid: consignorId,
          details: {
            itemName: `Desk lamp ${index}`,
            listingTitle: `Brass desk lamp, number ${index}, tested`,
            barcode1: `B-${String(index).padStart(8, "0")}`,
            barcode2: "",
            location: `R${index % 20}-${index % 25}`,
            link: `https://shop.example/dp/${index}`,
            imageUrl: "",
            asin: "",
          },
          quantity: 1_000_000,
          source: "manual",
          happenedAt: HAPPENED_AT,
        },
        newContext(),
      );
      if (outcome.kind !== "accepted") {
        throw new Error(`Item ${index} was not added: ${outcome.kind}`);
      }
    }),
  );
  return items;
}

export type Shop = {
  readonly ledger: LedgerWriter;
  readonly sql: Sql;
  /** The longest time the read tables were behind the log since the last call, in milliseconds. */
  readonly takeLagMs: () => number;
  readonly close: () => Promise<void>;
};

/** Streams and events in addition to the features', for benchmarks with their own domain. */
export type ShopExtras = {
  readonly streams: ReadonlyMap<string, StreamDefinition<unknown>>;
  readonly events: ReadonlyMap<string, EventDefinition>;
};

/** Opens the ledger, with all projections moved by this process after each commit. */
export async function openShop(
  appUrl: string,
  extras: ShopExtras = { streams: new Map(), events: new Map() },
): Promise<Shop> {
  const sql = connect(appUrl, { applicationName: "bench", maxConnections: 4 });
  const writerSql = connect(appUrl, { applicationName: "bench-writer", maxConnections: 1 });
  const knownEvents = new Map([...events, ...extras.events]);
  await ensureProjections({ sql, projections, events: knownEvents });
  const failures: unknown[] = [];
  const runner = createRunner({
    sql,
    projections,
    events: knownEvents,
    onHeld: ({ projection, keys, atPosition }) =>
      failures.push(new Error(`${projection} ${keys.join()} at ${atPosition}`)),
  });
  const ledger = openLedger({
    sql: writerSql,
    streams: new Map([...streams, ...extras.streams]),
    events: knownEvents,
    newId: newTimeOrderedId,
    onAppended: () => {
      runner.catchUp().catch((error: unknown) => failures.push(error));
    },
  });
  const lag = watchLag(sql);
  return {
    ledger,
    sql,
    takeLagMs: lag.takeMs,
    close: async () => {
      // In reverse order; each one is closed even if another fails.
      await using parts = new AsyncDisposableStack();
      parts.defer(() => Promise.all([writerSql.end(), sql.end()]).then(() => undefined));
      parts.defer(lag.stop);
      await ledger.close();
      await runner.catchUp();
      if (failures.length > 0) {
        throw new AggregateError(failures, "Projections failed during the benchmark");
      }
    },
  };
}

const lagSampleMs = 100;

/** Samples the log's head, and measures how long the read tables take to reach it. */
function watchLag(sql: Sql): { takeMs: () => number; stop: () => Promise<void> } {
  let heads: { at: number; position: number }[] = [];
  let longestMs = 0;
  const stopped = new AbortController();
  const run = async () => {
    while (!stopped.signal.aborted) {
      const [row] = await sql<{ head: number; reached: number }[]>`
        select coalesce((select max(position) from log.events), 0) as head,
          (select min(position) from read.projections where state = 'live') as reached`;
      const now = performance.now();
      const { head = 0, reached = 0 } = row ?? {};
      heads = [...heads.filter(({ position }) => position > reached), { at: now, position: head }];
      const oldest = heads.find(({ position }) => position > reached);
      longestMs = Math.max(longestMs, oldest === undefined ? 0 : now - oldest.at);
      await delay(lagSampleMs);
    }
  };
  const running = run();
  return {
    takeMs: () => {
      const longest = longestMs;
      longestMs = 0;
      return longest;
    },
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}
