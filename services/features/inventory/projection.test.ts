// Inventory's read tables: the same live, replayed and folded by hand, and one broken item stops no other.
import { createHash, randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "#db/connect.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { readRange, type StoredEvent } from "#ledger/log/read.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { countHeldKeys } from "#ledger/projection/held.ts";
import { refoldKeys } from "#ledger/projection/refold-keys.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { createUpcasts } from "#ledger/projection/upcasts.ts";
import { refoldEachKey } from "#testing/shop/refold-each-key.ts";
import { testDatabase, type TestDatabase } from "#testing/database/test-database.ts";
import { inventoryEvents } from "#features/inventory/events.ts";
import { sized } from "#testing/trial/size.ts";
import { everyKind, runStep, type Step, step, unitsSold } from "#testing/shop/stock-steps.ts";
import { eventsWith } from "#testing/shop/register.ts";
import { streams } from "../../features.ts";
import { inventoryProjection, itemTimelineProjection } from "#features/inventory/projection.ts";

/** Only these: the others are rebuilt in their own specs. */
const projections = [inventoryProjection, itemTimelineProjection];

const events = eventsWith(unitsSold);

let database: TestDatabase;
let writerSql: ReturnType<typeof connect>;
let ledger: LedgerWriter;
let runner: ReturnType<typeof createRunner>;
const quarantined: string[] = [];

beforeAll(async () => {
  database = await testDatabase();
  writerSql = connect(database.appUrl, { applicationName: "writer", maxConnections: 1 });
  ledger = openLedger({
    sql: writerSql,
    streams,
    events,
    newId: randomUUID,
  });
  await ensureProjections({ sql: database.sql, projections, events });
  runner = createRunner({
    sql: database.sql,
    projections,
    events,
    onHeld: ({ projection, keys }) => quarantined.push(`${projection} ${keys.join()}`),
  });
});

afterAll(async () => {
  await ledger.close();
  await writerSql.end();
  await database.close();
});

type ItemRow = {
  readonly id: string;
  readonly owner_uid: string | null;
  readonly item_name: string;
  readonly barcode1: string;
  readonly location: string;
  readonly link: string;
  readonly asin: string;
  readonly search_text: string;
  readonly quantity: number;
  readonly out_of_stock: boolean;
  readonly version: number;
  readonly archived: boolean;
  readonly added_position: number;
  readonly updated_position: number;
  readonly added_at: string;
  readonly unsold_since: string;
  readonly tag_price_cents: number | null;
};

type LineRow = {
  readonly item_id: string;
  readonly line: number;
  readonly position: number;
  readonly units_delta: number;
  readonly units_after: number;
};

type Described = { ownerUid: string | null; after: Record<string, string> };

const describing = new Set(["ItemAdded", "ItemEdited", "ItemArchived", "ItemRestored"]);

/** Every item and line that a list of events makes, computed step by step. */
function fold(events: readonly StoredEvent[]): { items: ItemRow[]; lines: LineRow[] } {
  const items = new Map<string, ItemRow>();
  const lines: LineRow[] = [];
  for (const event of events) {
    for (const { streamId } of event.streams) {
      if (streamId.startsWith("item-")) {
        const id = streamId.replace("item-", "");
        const row = foldOne(items.get(id), id, event);
        items.set(id, row.item);
        lines.push(row.line);
      }
    }
  }
  return { items: [...items.values()].sort(byId), lines: lines.sort(byLine) };
}

function foldOne(
  before: ItemRow | undefined,
  id: string,
  event: StoredEvent,
): { item: ItemRow; line: LineRow } {
  let delta = 0;
  const happenedAt = new Date(Number(event.happenedAtMicros / 1000n)).toISOString();
  const known = [before?.unsold_since ?? happenedAt];
  for (const { from, to, units } of event.movements) {
    delta += to === `item:${id}` ? units : 0;
    delta -= from === `item:${id}` ? units : 0;
    const isCount = [from, to].some((one) => one === "world:adjusted" || one === "world:removed");
    known.push(...([from, to].includes(`item:${id}`) && !isCount ? [happenedAt] : []));
  }
  const isDescribed = describing.has(event.type);
  const { ownerUid, after } = (isDescribed ? event.data : { after: {} }) as Described;
  const quantity = (before?.quantity ?? 0) + delta;
  const version = (before?.version ?? 0) + 1;
  const words = isDescribed
    ? [after["itemName"], after["listingTitle"], after["barcode1"], after["barcode2"]]
    : [];
  return {
    line: {
      item_id: id,
      line: version,
      position: event.position,
      units_delta: delta,
      units_after: quantity,
    },
    item: {
      id,
      owner_uid: before === undefined ? ownerUid : before.owner_uid,
      item_name: after["itemName"] ?? before?.item_name ?? "",
      barcode1: after["barcode1"] ?? before?.barcode1 ?? "",
      location: after["location"] ?? before?.location ?? "",
      link: after["link"] ?? before?.link ?? "",
      asin: after["asin"] ?? before?.asin ?? "",
      search_text: isDescribed
        ? words
            .join("\n")
            .normalize("NFD")
            .replaceAll(/\p{Mn}/gu, "")
            .toLowerCase()
        : (before?.search_text ?? ""),
      quantity,
      out_of_stock: quantity === 0,
      version,
      archived: isDescribed ? event.type === "ItemArchived" : (before?.archived ?? false),
      added_position: before?.added_position ?? event.position,
      updated_position: event.position,
      added_at: before?.added_at ?? happenedAt,
      unsold_since: known.sort().at(-1) ?? happenedAt,
      tag_price_cents: priceAfter(event, before?.tag_price_cents ?? null),
    },
  };
}

function priceAfter({ type, data }: StoredEvent, before: number | null): number | null {
  const { afterCents, tagPriceCents } = data as Record<string, number | null | undefined>;
  return type === "ItemPriced" ? (afterCents ?? null) : (tagPriceCents ?? before);
}

function byId(a: ItemRow, b: ItemRow): number {
  return a.id < b.id ? -1 : 1;
}

function byLine(a: LineRow, b: LineRow): number {
  return a.item_id === b.item_id ? a.line - b.line : a.item_id < b.item_id ? -1 : 1;
}

async function tables(): Promise<{ items: ItemRow[]; lines: LineRow[] }> {
  const items = await database.sql<ItemRow[]>`
    select id, owner_uid, item_name, barcode1, location, link, asin, search_text, quantity, out_of_stock,
      version, archived, added_position, updated_position,
      to_char(added_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as added_at,
      to_char(unsold_since, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as unsold_since, tag_price_cents
    from read.inventory_items order by id`;
  const lines = await database.sql<LineRow[]>`
    select item_id, line, position, units_delta, units_after
    from read.item_timeline order by item_id, line`;
  return { items: [...items], lines: [...lines] };
}

async function folded(): Promise<{ items: ItemRow[]; lines: LineRow[] }> {
  return fold(await readRange(database.sql, 0, 1_000_000));
}

let commands = 0;
let histories = 0;

/** Runs a history command by command; each group's size says how many commands run before the read tables follow. */
async function play(steps: readonly Step[], groups: readonly number[]): Promise<void> {
  const prefix = `${(histories += 1)}-`;
  const owners = new Map<string, string | null>();
  let left = groups[0] ?? 1;
  let group = 0;
  for (const next of steps) {
    commands += 1;
    const outcome = await runStep(next, {
      itemIds: [...owners.keys()],
      ownerOf: (itemId) => owners.get(itemId) ?? null,
      seed: commands,
      prefix,
      execute: (decider, command) =>
        ledger.execute(decider, command, {
          actor: "system:test",
          scope: "store",
          key: `command-${commands}`,
          requestHash: createHash("sha256").update(`command-${commands}`).digest("hex"),
        }),
    });
    expect(["accepted", "rejected"]).toContain(outcome.kind);
    const added = await database.sql<{ id: string; owner: string | null }[]>`
      select data ->> 'itemId' as id, data ->> 'ownerUid' as owner from log.events
      where type = 'ItemAdded' and command_key = ${`command-${commands}`} order by position`;
    for (const { id, owner } of added) {
      owners.set(id, owner);
    }
    left -= 1;
    if (left === 0) {
      await runner.catchUp();
      group += 1;
      left = groups[group % groups.length] ?? 1;
    }
  }
  await runner.catchUp();
}

const history = fc.array(step, { minLength: 5, maxLength: 40 });
const groups = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 });

describe("inventory's read tables", () => {
  test("are the same fed live, rebuilt in chunks, folded by hand, and folded again key by key", async () => {
    let refolded = 0;
    let refoldedKeys = 0;
    await fc.assert(
      fc.asyncProperty(
        history,
        groups,
        fc.integer({ min: 1, max: 60 }),
        async (steps, group, chunk) => {
          await play(steps, group);
          const live = await tables();
          const before = refolded;
          expect(live).toEqual(await folded());
          for (const projection of projections) {
            const rebuilt = await rebuildProjection(database.sql, projection, { chunk, events });
            expect(rebuilt).toMatchObject({ flipped: true, differences: [] });
            const { keys, through } = await refoldEachKey(database.sql, projection, events, before);
            refolded = through;
            refoldedKeys += keys;
          }
          expect(await tables()).toEqual(live);
        },
      ),
      { numRuns: sized(3, 12), examples: [[[...everyKind], [3, 1], 4]] },
    );
    expect(refoldedKeys).toBeGreaterThan(0);
    // The histories were not empty: they had every kind of event and archived rows.
    const kinds = await database.sql<{ type: string }[]>`select distinct type from log.events`;
    expect(
      inventoryEvents
        .map(({ type }) => type)
        .filter((type) => !kinds.some((one) => one.type === type)),
      "add a kind of step in services/testing/shop/stock-steps.ts that makes them, and one to `everyKind`",
    ).toEqual([]);
    expect(kinds.map(({ type }) => type)).toContain(unitsSold.type);
    expect((await tables()).items.some(({ archived }) => archived)).toBe(true);
  }, 240_000);

  test("one item that cannot be applied is held back, the others go on, and only it is folded again", async () => {
    const add: Step = { kind: "add", owner: null, barcode: "B-1", quantity: 5 };
    await play([add], [1]);
    const poisoned = (await tables()).items.find(({ barcode1 }) => barcode1 === `${histories}-B-1`);
    const id = poisoned?.id ?? "";
    const constraints = [
      ["read.inventory_items", `check (id <> '${id}' or quantity > 4)`],
      ["read.item_timeline", `check (item_id <> '${id}' or units_after > 4)`],
    ] as const;
    const generations = (await readGenerations(database.sql)).filter(
      ({ state }) => state === "live",
    );
    for (const [index, [table, check]] of constraints.entries()) {
      const { generation } = generations[index] ?? { generation: 0 };
      await database.sql.unsafe(
        `alter table ${table}_g${generation} add constraint poison ${check}`,
      );
    }
    const sell: Step = { kind: "sell", pick: 0, units: 3 };
    const other: Step = { kind: "add", owner: null, barcode: "B-2", quantity: 2 };
    // The poisoned item is the first of its history, so the steps name it by number.
    await continueHistory(id, [sell, other, sell]);
    await runner.catchUp();

    expect(quarantined.sort()).toEqual([`inventory ${id}`, `item_timeline ${id}`]);
    const expected = await folded();
    const without = {
      items: expected.items.filter((row) => row.id !== id),
      lines: expected.lines.filter((row) => row.item_id !== id),
    };
    const seen = await tables();
    expect({
      items: seen.items.filter((row) => row.id !== id),
      lines: seen.lines.filter((row) => row.item_id !== id),
    }).toEqual(without);

    for (const [index, projection] of projections.entries()) {
      const [table] = constraints[index] ?? [""];
      const live = generations[index];
      if (live !== undefined) {
        await database.sql.unsafe(
          `alter table ${table}_g${live.generation} drop constraint poison`,
        );
        const now = (await readGenerations(database.sql)).find(
          ({ name, state }) => name === projection.name && state === "live",
        );
        await refoldKeys(
          database.sql,
          projection,
          now ?? live,
          [id],
          createUpcasts(database.sql, events),
        );
      }
    }
    await runner.catchUp();
    expect(await tables()).toEqual(expected);
    expect(await countHeldKeys(database.sql)).toEqual([]);
  });
});

/** More steps of the history that begins with this item. */
async function continueHistory(itemId: string, steps: readonly Step[]): Promise<void> {
  for (const next of steps) {
    commands += 1;
    const key = `command-${commands}`;
    await runStep(next, {
      itemIds: [itemId],
      ownerOf: () => null,
      seed: commands,
      prefix: `${histories}-`,
      execute: (decider, command) =>
        ledger.execute(decider, command, {
          actor: "system:test",
          scope: "store",
          key,
          requestHash: createHash("sha256").update(key).digest("hex"),
        }),
    });
  }
}
