// A shop for tests of read tables about stock: generated days of items, their units and what is set aside.
import { randomUUID } from "node:crypto";
import { connect } from "#db/connect.ts";
import { readRange } from "#ledger/log/read.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { projections, streams } from "../../features.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";
import type { DayShop } from "#testing/shop/live-replay-fold.ts";
import { eventsWith } from "#testing/shop/register.ts";
import type { Step } from "#testing/shop/stock-steps.ts";
import { everyKind, runStep, step, unitsSold } from "#testing/shop/stock-steps.ts";

export type StockShop = DayShop<Step> & {
  /** Held-back row keys, as "projection key". */
  readonly quarantined: readonly string[];
  readonly close: () => Promise<void>;
};

/** A shop without items at first. Each history has items of its own, so that its ordinary days are never refused. */
export async function openStockShop(): Promise<StockShop> {
  const database = await readableDatabase();
  const writerSql = connect(database.appUrl, { applicationName: "writer", maxConnections: 1 });
  const events = eventsWith(unitsSold);
  const ledger = openLedger({ sql: writerSql, streams, events, newId: randomUUID });
  const quarantined: string[] = [];
  const runner = createRunner({
    sql: database.sql,
    projections,
    events,
    onHeld: ({ projection, keys }) => quarantined.push(`${projection} ${keys.join()}`),
  });
  const owners = new Map<string, string | null>();
  let commands = 0;
  let histories = 0;
  return {
    database,
    runner,
    quarantined,
    days: { step, ordinary: [everyKind] },
    begin() {
      owners.clear();
      histories += 1;
    },
    async take(next) {
      const key = `command-${(commands += 1)}`;
      await runStep(next, {
        itemIds: [...owners.keys()],
        ownerOf: (itemId) => owners.get(itemId) ?? null,
        seed: commands,
        prefix: `${histories}-`,
        execute: (decider, command) =>
          ledger.execute(decider, command, {
            actor: "system:test",
            scope: "store",
            key,
            requestHash: "00",
          }),
      });
      const added = await database.sql<{ id: string; owner: string | null }[]>`
        select data ->> 'itemId' as id, data ->> 'ownerUid' as owner from log.events
        where type = 'ItemAdded' and command_key = ${key} order by position`;
      for (const { id, owner } of added) {
        owners.set(id, owner);
      }
    },
    events: async () => readRange(database.sql, 0, Number.MAX_SAFE_INTEGER),
    register: events,
    async close() {
      await ledger.close();
      await writerSql.end({ timeout: 5 });
      await database.close();
    },
  };
}
