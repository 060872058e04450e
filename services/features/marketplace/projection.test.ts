// The marketplace's tables: the same live, replayed and folded by hand; totals stay right when one item is folded again.
import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect } from "#db/connect.ts";
import type { StoredEvent } from "#ledger/log/read.ts";
import { readRange } from "#ledger/log/read.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { refoldKeys } from "#ledger/projection/refold-keys.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { createUpcasts } from "#ledger/projection/upcasts.ts";
import { marketplaceProjection } from "#features/marketplace/projection.ts";
import { testDatabase } from "#testing/database/test-database.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { refoldEachKey } from "#testing/shop/refold-each-key.ts";
import { eventsWith, streamsWith } from "#testing/shop/register.ts";
import { avery, blake } from "#testing/shop/stock-room.ts";
import type { Step } from "#testing/shop/stock-steps.ts";
import { runStep, step, unitsSold } from "#testing/shop/stock-steps.ts";
import { sized } from "#testing/trial/size.ts";

const events = eventsWith(unitsSold);

let database: TestDatabase;
let writerSql: ReturnType<typeof connect>;
let ledger: LedgerWriter;
let runner: ReturnType<typeof createRunner>;
const held: string[] = [];

beforeAll(async () => {
  database = await testDatabase();
  const { sql } = database;
  writerSql = connect(database.appUrl, { applicationName: "writer", maxConnections: 1 });
  ledger = openLedger({ sql: writerSql, streams: streamsWith(), events, newId: randomUUID });
  await ensureProjections({ sql, projections: [marketplaceProjection], events });
  runner = createRunner({
    sql,
    projections: [marketplaceProjection],
    events,
    onHeld: ({ keys }) => held.push(...keys),
  });
});

afterAll(async () => {
  await ledger.close();
  await writerSql.end({ timeout: 5 });
  await database.close();
});

type Item = {
  readonly ownerUid: string | null;
  readonly barcode1: string;
  readonly itemName: string;
  readonly units: number;
  readonly archived: boolean;
  readonly addedAt: number;
};

/** Every item that a list of events makes. */
function foldItems(log: readonly StoredEvent[]): Map<string, Item> {
  const items = new Map<string, Item>();
  const described = new Set(["ItemAdded", "ItemEdited", "ItemArchived", "ItemRestored"]);
  for (const { type, data, position, movements } of log) {
    if (described.has(type)) {
      const { itemId, ownerUid, after } = data as {
        readonly itemId: string;
        readonly ownerUid: string | null;
        readonly after: { readonly barcode1: string; readonly itemName: string };
      };
      const before = items.get(itemId);
      items.set(itemId, {
        ownerUid,
        barcode1: after.barcode1,
        itemName: after.itemName,
        units: before?.units ?? 0,
        archived: type === "ItemArchived",
        addedAt: before?.addedAt ?? position,
      });
    }
    for (const [holding, change] of movements.flatMap(({ from, to, units }) => [
      [from, -units] as const,
      [to, units] as const,
    ])) {
      const id = holding.replace("item:", "");
      const item = items.get(id);
      if (item !== undefined) {
        items.set(id, { ...item, units: item.units + change });
      }
    }
  }
  return items;
}

/** What everybody together has of each barcode. */
function foldBarcodes(items: Iterable<Item>) {
  const inStock = [...items].filter(
    ({ ownerUid, units, archived }) => ownerUid !== null && units > 0 && !archived,
  );
  return [...Map.groupBy(inStock, ({ barcode1 }) => barcode1)]
    .map(([barcode1, own]) => {
      const newest = own.toSorted((a, b) => b.addedAt - a.addedAt)[0];
      return {
        barcode1,
        units: own.reduce((sum, { units }) => sum + units, 0),
        owners: new Set(own.map(({ ownerUid }) => ownerUid)).size,
        item_name: newest?.itemName,
        newest_position: newest?.addedAt,
      };
    })
    .sort((a, b) => (a.barcode1 < b.barcode1 ? -1 : 1));
}

const folded = async () =>
  foldBarcodes(foldItems(await readRange(database.sql, 0, 1_000_000)).values());

const shown = async () => [
  ...(await database.sql`
    select barcode1, units, owners, item_name, newest_position
    from read.marketplace_barcodes order by barcode1 collate "C"`),
];

let commands = 0;
let histories = 0;

/** Runs steps as commands; the tables follow after every group of them. */
async function play(steps: readonly Step[], group: number): Promise<readonly string[]> {
  const prefix = `${(histories += 1)}-`;
  const owners = new Map<string, string | null>();
  for (const [index, next] of steps.entries()) {
    commands += 1;
    const key = `command-${commands}`;
    await runStep(next, {
      itemIds: [...owners.keys()],
      ownerOf: (itemId) => owners.get(itemId) ?? null,
      seed: commands,
      prefix,
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
    if (index % group === group - 1) {
      await runner.catchUp();
    }
  }
  await runner.catchUp();
  return [...owners.keys()];
}

const add = (
  owner: typeof avery | typeof blake,
  barcode: "B-1" | "B-2",
  quantity: number,
): Step => ({
  kind: "add",
  owner,
  barcode,
  quantity,
});

it("is the same live, rebuilt in chunks, folded by hand, and folded again key by key", async () => {
  let refolded = 0;
  const moves: Step[] = [
    add(avery, "B-1", 5),
    add(blake, "B-1", 2),
    { kind: "edit", pick: 0, barcode: "B-2", quantity: 4 },
    { kind: "sell", pick: 1, units: 2 },
    { kind: "edit", pick: 0, barcode: "B-1", quantity: null },
    { kind: "archive", pick: 0 },
    { kind: "restore", pick: 0 },
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 40 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 60 }),
      async (steps, group, chunk) => {
        await play(steps, group);
        const expected = await folded();
        expect(await shown()).toEqual(expected);
        const { sql } = database;
        const rebuilt = await rebuildProjection(sql, marketplaceProjection, { chunk, events });
        expect(rebuilt).toMatchObject({ flipped: true, differences: [] });
        const { through } = await refoldEachKey(sql, marketplaceProjection, events, refolded);
        refolded = through;
        expect(await shown()).toEqual(expected);
      },
    ),
    {
      numRuns: sized(3, 12),
      examples: [
        [moves, 1, 4],
        [moves, 3, 2],
      ],
    },
  );
  expect((await shown()).length).toBeGreaterThan(0);
}, 120_000);

async function liveGeneration() {
  const live = (await readGenerations(database.sql)).find(
    ({ name, state }) => name === "marketplace" && state === "live",
  );
  if (live === undefined) {
    throw new Error("The marketplace is not live");
  }
  return live;
}

it("adds up the units of an item that was held back, once it is folded again", async () => {
  const { sql } = database;
  const [id = ""] = await play([add(avery, "B-1", 5), add(blake, "B-1", 3)], 1);
  const { generation } = await liveGeneration();
  const table = `read.marketplace_items_g${generation}`;
  await sql.unsafe(`alter table ${table} add constraint poison check (id <> '${id}' or units > 4)`);
  const sale = { kind: "sell", pick: 0, units: 2 } as const;
  const context = { actor: "system:test", scope: "store", key: "held", requestHash: "00" };
  await runStep(sale, {
    itemIds: [id],
    ownerOf: () => avery,
    seed: (commands += 1),
    prefix: `${histories}-`,
    execute: (decider, command) => ledger.execute(decider, command, context),
  });
  await runner.catchUp();
  expect(held).toEqual([id]);
  const total = async () =>
    (await shown()).find((row) => row["barcode1"] === `${histories}-B-1`)?.["units"];
  expect(await total()).toBe(8);

  // Without the constraint the item can be folded again, and the other owner's units stay counted.
  await sql.unsafe(`alter table ${table} drop constraint poison`);
  const upcasts = createUpcasts(sql, events);
  await refoldKeys(sql, marketplaceProjection, await liveGeneration(), [id], upcasts);
  expect(await total()).toBe(6);
  expect(await shown()).toEqual(await folded());
});
