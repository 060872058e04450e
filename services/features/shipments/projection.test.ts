// The list of shipments and their items: the same live, replayed, folded by hand and folded again key by key.
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { StoredEvent } from "#ledger/log/read.ts";
import { readRange } from "#ledger/log/read.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { massInput } from "#features/inventory/decider-mass-input.ts";
import { changeShipment, deleteShipment, submitShipment } from "#features/shipments/decider.ts";
import {
  assignShipment,
  markShipment,
  uploadShipmentLabel,
} from "#features/shipments/decider-store.ts";
import { shipmentsProjection } from "#features/shipments/projection.ts";
import type { Decider } from "#ledger/decider.ts";
import type { TestApp } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";
import { refoldEachKey } from "#testing/shop/refold-each-key.ts";
import { sized } from "#testing/trial/size.ts";
import { eventsWith } from "#testing/shop/register.ts";

const consignors = ["avery-000000000000001", "blake-000000000000002", null] as const;

const stepShape = fc.record({
  act: fc.constantFrom(
    ...([
      "submit",
      "submit",
      "change",
      "mark",
      "mark",
      "label",
      "delete",
      "assign",
      "take-in",
      "take-in",
    ] as const),
  ),
  /** Which shipment, and which units. */
  number: fc.integer({ min: 0, max: 5 }),
  carrier: fc.constantFrom("USPS", "OTHER", null),
  units: fc.option(fc.integer({ min: 1, max: 9 })),
  flag: fc.constantFrom(true, false, null),
  other: fc.constantFrom(true, false, null),
});
type Step = typeof stepShape extends fc.Arbitrary<infer Value> ? Value : never;

let shop: TestApp;
let taken = 0;

beforeAll(async () => {
  shop = await openTestApp({ routes: [], projections: [shipmentsProjection] });
});

afterAll(() => shop.close());

function idOf(kind: number, number: number): string {
  return `${String(kind).padStart(8, "0")}-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

async function execute<Command, Answer>(
  decider: Decider<Command, Answer>,
  command: Command,
): Promise<void> {
  const key = `step-${taken}`;
  await shop.deps.ledger.execute(decider, command, {
    actor: "system:spec",
    scope: "store",
    key,
    requestHash: "00",
  });
}

const plainStep: Step = {
  act: "submit",
  number: 0,
  carrier: "USPS",
  units: 3,
  flag: null,
  other: null,
};

/** Everything happens to one shipment, and one is left alone: no comparison is an empty one. */
const firstDay: readonly Step[] = [
  ...[0, 1, 2, 3, 4, 5].map((number) => ({ ...plainStep, number })),
  { ...plainStep, act: "label" },
  { ...plainStep, act: "take-in" },
  { ...plainStep, number: 2, act: "assign" },
  { ...plainStep, act: "mark", flag: true, other: true },
];

/** Runs are apart by their number: what one did to a shipment cannot be undone. */
async function take(step: Step, run: number): Promise<void> {
  taken += 1;
  const { act, number, carrier, units, flag, other } = step;
  const shipmentId = idOf(1, run * 10 + number);
  const happenedAt = new Date(Date.UTC(2026, 0, 1) + taken * 60_000).toISOString();
  const said = {
    textId: idOf(2, taken),
    carrier,
    declaredUnits: units,
    needsLabel: number % 2 === 0,
  };
  const named = { shipmentId, happenedAt };
  switch (act) {
    case "submit":
      return execute(submitShipment, {
        ...named,
        consignorId: ownerOf(number),
        said,
        boxOf: number < 3 ? null : idOf(1, run * 10 + number - 3),
      });
    case "assign": {
      const { expected } = await labelOf(named);
      return execute(assignShipment, {
        ...named,
        consignorId: consignors[0],
        textId: said.textId,
        expectedTextId: expected.textId,
      });
    }
    case "change": {
      const { expected } = await labelOf(named);
      return execute(changeShipment, {
        ...named,
        of: "anybody",
        said,
        expected,
        expectedVersion: null,
      });
    }
    case "delete": {
      const { expected } = await labelOf(named);
      // Most shipments live on.
      return number > 1
        ? undefined
        : execute(deleteShipment, { ...named, of: "anybody", expected });
    }
    case "mark": {
      const noteId = units === null ? null : idOf(3, taken);
      const counts = other === null ? null : { receivedUnits: units, refusedUnits: number, noteId };
      return execute(markShipment, { ...named, delivered: flag, processed: other, counts });
    }
    case "label":
      return execute(uploadShipmentLabel, await labelOf(named));
    case "take-in":
      return execute(massInput, {
        shipmentId,
        ownerUid: ownerOf(number),
        itemName: "Lamp",
        location: "",
        barcodes: Array.from({ length: units ?? 1 }, (_, index) => `${number}-${index % 3}`),
        newItemIds: [0, 1, 2].map((index) => idOf(4, taken * 3 + index)),
        happenedAt,
      });
  }
}

const ownerOf = (number: number) => consignors[number % consignors.length] ?? null;

async function labelOf(named: { readonly shipmentId: string; readonly happenedAt: string }) {
  const [row] = await shop.database.sql<{ text_id: string; label_id: string | null }[]>`
    select state -> 'said' ->> 'textId' as text_id, state ->> 'labelId' as label_id
    from log.streams where id = log.shipment_stream(${named.shipmentId})`;
  const expected = { textId: row?.text_id ?? "", labelId: row?.label_id ?? null };
  const made = { labelId: idOf(5, taken), textId: idOf(2, taken), carrier: "UPS" } as const;
  return { ...named, ...made, expected };
}

type Row = Record<string, unknown>;

function foldOne(row: Row, { type, data, happenedAtMicros }: StoredEvent): Row {
  const { after, consignorId, labelId, receivedUnits, refusedUnits, noteId } = Object(data) as Row;
  const at = new Date(Number(happenedAtMicros / 1000n));
  const said = () => {
    const { textId, carrier, declaredUnits, needsLabel } = Object(after) as Row;
    return {
      text_id: textId,
      carrier,
      declared_units: declaredUnits,
      needs_label: needsLabel,
    };
  };
  switch (type) {
    case "ShipmentAssigned":
      return { ...row, ...said(), consignor_uid: consignorId };
    case "ShipmentChanged":
      return { ...row, ...said() };
    case "ShipmentLabelUploaded":
      return { ...row, ...said(), label_id: labelId };
    case "ShipmentDelivered":
      return { ...row, delivered_at: at };
    case "ShipmentDeliveryReverted":
      return { ...row, delivered_at: null };
    case "ShipmentProcessed":
      return {
        ...row,
        processed_at: at,
        received_units: receivedUnits,
        refused_units: refusedUnits,
        note_id: noteId,
      };
    case "ShipmentReopened":
      return {
        ...row,
        processed_at: null,
        received_units: null,
        refused_units: null,
        note_id: null,
      };
    case "ShipmentDeleted":
      return { ...row, deleted: true };
    default:
      return row;
  }
}

function submitted({ data, position, happenedAtMicros }: StoredEvent): Row {
  const { shipmentId, consignorId, after, boxOf } = Object(data) as Row;
  const { textId, carrier, declaredUnits, needsLabel } = Object(after) as Row;
  return {
    shipment_id: shipmentId,
    consignor_uid: consignorId,
    text_id: textId,
    carrier,
    declared_units: declaredUnits,
    needs_label: needsLabel,
    label_id: null,
    delivered_at: null,
    processed_at: null,
    received_units: null,
    refused_units: null,
    note_id: null,
    deleted: false,
    submitted_at: new Date(Number(happenedAtMicros / 1000n)),
    first_box_id: boxOf ?? shipmentId,
    position,
  };
}

function fold(events: readonly StoredEvent[]): {
  readonly shipments: Row[];
  readonly items: Row[];
} {
  const shipments = new Map<unknown, Row>();
  const items = new Map<string, Row & { readonly units: number }>();
  for (const event of events) {
    const { shipmentId, itemId } = Object(event.data) as Row;
    const row = shipments.get(shipmentId);
    if (event.type === "ShipmentSubmitted") {
      shipments.set(shipmentId, submitted(event));
    } else if (row !== undefined) {
      shipments.set(shipmentId, foldOne(row, event));
    }
    if (typeof shipmentId === "string" && typeof itemId === "string") {
      const key = `${shipmentId} ${itemId}`;
      const units = event.movements.reduce((sum, movement) => sum + movement.units, 0);
      items.set(key, {
        shipment_id: shipmentId,
        item_id: itemId,
        units: (items.get(key)?.units ?? 0) + units,
        position: event.position,
      });
    }
  }
  const byPosition = (one: Row, two: Row) => Number(one["position"]) - Number(two["position"]);
  return { shipments: [...shipments.values()], items: [...items.values()].toSorted(byPosition) };
}

async function expectFolded(): Promise<ReturnType<typeof fold>> {
  const { sql } = shop.database;
  const expected = fold(await readRange(sql, 0, Number.MAX_SAFE_INTEGER));
  const shipments = await sql<Row[]>`select * from read.shipments order by position`;
  const items = await sql<Row[]>`select * from read.shipment_items order by position`;
  expect({ shipments: [...shipments], items: [...items] }).toEqual(expected);
  return expected;
}

test("live, replayed and folded by hand every shipment and its items are the same", async () => {
  const { sql } = shop.database;
  const events = eventsWith();
  let run = 0;
  let refolded = 0;
  // By column, whether it was empty after a day: what one day marks, a later one may take back.
  const seen = new Map<string, Set<boolean>>(
    ["label_id", "delivered_at", "processed_at", "note_id"].map((column) => [column, new Set()]),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(stepShape, { minLength: 10, maxLength: 25, size: "max" }), {
        minLength: 3,
        maxLength: 6,
        size: "max",
      }),
      fc.integer({ min: 1, max: 40 }),
      async (days, chunk) => {
        run += 1;
        for (const day of [firstDay, ...days]) {
          for (const step of day) {
            await take(step, run);
          }
          await shop.runner.catchUp();
          const { shipments } = await expectFolded();
          for (const [column, values] of seen) {
            shipments.forEach((row) => values.add(row[column] === null));
          }
        }
        const rebuilt = await rebuildProjection(sql, shipmentsProjection, { chunk, events });
        expect(rebuilt).toMatchObject({ flipped: true, differences: [] });
        await expectFolded();
        const { through } = await refoldEachKey(sql, shipmentsProjection, events, refolded);
        refolded = through;
        await expectFolded();
      },
    ),
    { numRuns: sized(2, 6), endOnFailure: true },
  );
  const { items } = fold(await readRange(sql, 0, Number.MAX_SAFE_INTEGER));
  expect(items.length).toBeGreaterThan(0);
  for (const [column, values] of seen) {
    // The days were full enough for the comparison to mean something.
    expect([column, values.size]).toEqual([column, 2]);
  }
}, 240_000);
