// A shop for tests of money's read tables: generated days of sales, payouts and corrections.
import { randomUUID } from "node:crypto";
import { connect } from "#db/connect.ts";
import { readRange } from "#ledger/log/read.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { addItem } from "#features/inventory/decider.ts";
import { projections, streams } from "../../features.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";
import type { DayShop } from "#testing/shop/live-replay-fold.ts";
import { takeSteps, tradeSettled } from "#testing/shop/money-commands.ts";
import type { Execute } from "#testing/shop/money-commands.ts";
import { AVERY, BLAKE, moneyStep, ordinaryDays } from "#testing/shop/money-steps.ts";
import type { MoneyStep } from "#testing/shop/money-steps.ts";
import { eventsWith } from "#testing/shop/register.ts";

export type MoneyShop = DayShop<MoneyStep> & {
  /** Held-back row keys, as "projection key". */
  readonly quarantined: readonly string[];
  /** Takes a command that is no step. */
  readonly execute: Execute;
  /** The item of an owner; null is the store. */
  readonly itemOf: (ownerUid: string | null) => string;
  readonly close: () => Promise<void>;
};

/** A shop with plenty of three items: Avery's, Blake's and the store's own. The actor does everything. */
export async function openMoneyShop(actor = "system:test"): Promise<MoneyShop> {
  const database = await readableDatabase();
  const writerSql = connect(database.appUrl, { applicationName: "writer", maxConnections: 1 });
  const events = eventsWith(tradeSettled);
  const ledger = openLedger({
    sql: writerSql,
    streams,
    events,
    newId: randomUUID,
  });
  const quarantined: string[] = [];
  const runner = createRunner({
    sql: database.sql,
    projections,
    events,
    onHeld: ({ projection, keys }) => quarantined.push(`${projection} ${keys.join()}`),
  });
  const execute: Execute = async (decider, command) => {
    const key = randomUUID();
    const requestHash = "00";
    await ledger.execute(decider, command, {
      actor,
      scope: "store",
      key,
      requestHash,
    });
  };
  const items = new Map<string | null, string>();
  for (const ownerUid of [AVERY, BLAKE, null]) {
    const itemId = randomUUID();
    items.set(ownerUid, itemId);
    await execute(addItem, newItem(itemId, ownerUid));
  }
  const itemOf = (ownerUid: string | null) => items.get(ownerUid) ?? "";
  return {
    database,
    runner,
    quarantined,
    execute,
    itemOf,
    days: { step: moneyStep, ordinary: ordinaryDays },
    take: takeSteps(execute, itemOf),
    events: async () => readRange(database.sql, 0, Number.MAX_SAFE_INTEGER),
    register: events,
    async close() {
      await ledger.close();
      await writerSql.end({ timeout: 5 });
      await database.close();
    },
  };
}

function newItem(itemId: string, ownerUid: string | null) {
  return {
    itemId,
    ownerUid,
    details: {
      itemName: "Desk lamp",
      listingTitle: "",
      barcode1: `B-${ownerUid ?? "own"}`,
      barcode2: "",
      location: "",
      link: "",
      imageUrl: "",
      asin: "",
    },
    quantity: 100_000,
    source: "manual" as const,
    happenedAt: "2024-01-01T00:00:00.000Z",
  };
}
