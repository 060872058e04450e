// Generated days in an inventory, for property tests of stock: each step becomes one command.
import * as fc from "fast-check";
import * as z from "zod/mini";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import { defineEvent, emit } from "#ledger/event.ts";
import { addItem, editItem } from "#features/inventory/decider.ts";
import { archiveItem, removeUnits, restoreItem } from "#features/inventory/decider-archive.ts";
import { allocateUnits, copyToConsignor, receiveUnits } from "#features/inventory/decider-fill.ts";
import { massInput } from "#features/inventory/decider-mass-input.ts";
import { itemStreamId, type OwnerUid, takeUnits } from "#features/inventory/streams.ts";
import { avery, blake, detailsOf, idOf, noon } from "#testing/shop/stock-room.ts";
import { SOLD } from "#features/sales/streams.ts";

const barcode = fc.constantFrom("B-1", "B-2", "b-2", "2-B");
const owner = fc.constantFrom(null, avery, blake);
const consignor = fc.constantFrom(avery, blake);
/** An event of a feature that inventory does not know, which still moves units. */
export const unitsSold = defineEvent("UnitsSold", 1, z.object({}));

/** Picks one of the items, sometimes an unknown one. */
export const pick = fc.nat({ max: 12 });
const units = fc.integer({ min: 1, max: 6 });
const location = fc.constantFrom("", "A-1", "B-2");

export const step = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), owner, barcode, quantity: fc.nat({ max: 6 }) }),
  fc.record({
    kind: fc.constant("edit" as const),
    pick,
    barcode: fc.option(barcode, { nil: undefined }),
    quantity: fc.option(fc.nat({ max: 6 }), { nil: null }),
  }),
  fc.record({ kind: fc.constant("archive" as const), pick }),
  fc.record({ kind: fc.constant("restore" as const), pick }),
  fc.record({ kind: fc.constant("allocate" as const), pick, consignor, units, location }),
  fc.record({ kind: fc.constant("copy" as const), pick, consignor, units, location }),
  fc.record({ kind: fc.constant("receive" as const), pick, units }),
  fc.record({ kind: fc.constant("sell" as const), pick, units }),
  fc.record({ kind: fc.constant("remove" as const), pick, units }),
  fc.record({
    kind: fc.constant("price" as const),
    pick,
    cents: fc.option(fc.constantFrom(2000, 1500), { nil: null }),
  }),
  fc.record({
    kind: fc.constant("mass-input" as const),
    consignor,
    location,
    barcodes: fc.array(barcode, { minLength: 1, maxLength: 8 }),
  }),
);

export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

type SellUnits = {
  readonly itemId: string;
  readonly ownerUid: OwnerUid;
  readonly units: number;
  readonly happenedAt: string;
};

/** What another feature does with units, as an event of a type that inventory does not know. */
const sellUnits: Decider<SellUnits, null> = {
  type: "SellUnits",
  streams: ({ itemId }) => [itemStreamId(itemId)],
  decide: ({ itemId, ownerUid, units, happenedAt }, states) => {
    const taken = takeUnits(states, { itemId, ownerUid, units, to: SOLD });
    if (taken.kind === "rejected") {
      return taken;
    }
    const sold = emit(
      unitsSold,
      {},
      {
        streams: [itemStreamId(itemId)],
        movements: taken.movements,
        happenedAt,
      },
    );
    return accept([sold], null);
  },
};

/** What a step runs on: the items in a stable order, and who executes the command. */
export type StepGround<Result> = {
  readonly itemIds: readonly string[];
  readonly ownerOf: (itemId: string) => OwnerUid;
  /** The seed of new ids, different for each step. */
  readonly seed: number;
  /** A prefix of every barcode, so that several histories can share a log. */
  readonly prefix: string;
  readonly execute: <Command, Answer>(
    decider: Decider<Command, Answer>,
    command: Command,
  ) => Result;
};

export const unknownItemId = idOf(999_999_999);

/** Steps follow each other, but what they tell may have happened in another order. */
function timeOf(seed: number): string {
  return new Date(Date.parse(noon) + ((seed * 7) % 11) * 60_000).toISOString();
}

/** Runs one step as its command. */
export function runStep<Result>(next: Step, ground: StepGround<Result>): Result {
  const { execute, prefix } = ground;
  const happenedAt = timeOf(ground.seed);
  const newItemId = idOf(ground.seed * 10);
  // One more than the number of items: the extra one is unknown.
  const picked = "pick" in next ? next.pick % (ground.itemIds.length + 1) : 0;
  const itemId = "pick" in next ? (ground.itemIds[picked] ?? unknownItemId) : newItemId;
  const named = { itemId, ownerUid: ground.ownerOf(itemId), happenedAt };
  if (next.kind === "add") {
    const { owner: ownerUid, quantity } = next;
    const details = detailsOf(prefix + next.barcode, { link: "https://shop.example/lamp" });
    const tagPriceCents = quantity % 2 === 0 ? 1000 + quantity : null;
    const added = { ...named, ownerUid, details, quantity, tagPriceCents };
    return execute(addItem, { ...added, source: "manual" });
  }
  if (next.kind === "edit") {
    const { barcode, quantity } = next;
    const changes = barcode === undefined ? { asin: "B0" } : { barcode1: prefix + barcode };
    return execute(editItem, { ...named, changes, quantity, reason: null, expectedVersion: null });
  }
  if (next.kind === "price") {
    const tagPriceCents = next.cents;
    const edit = { ...named, changes: {}, tagPriceCents, quantity: null, reason: null };
    return execute(editItem, { ...edit, expectedVersion: null });
  }
  if (next.kind === "remove") {
    return execute(removeUnits, { ...named, units: next.units, reason: "lost" });
  }
  if (next.kind === "archive") {
    return execute(archiveItem, named);
  }
  if (next.kind === "restore") {
    return execute(restoreItem, named);
  }
  if (next.kind === "receive") {
    return execute(receiveUnits, { ...named, units: next.units, source: "manual" });
  }
  if (next.kind === "sell") {
    return execute(sellUnits, { ...named, units: next.units });
  }
  const { consignor: ownerUid, location } = next;
  if (next.kind === "mass-input") {
    const barcodes = next.barcodes.map((barcode) => prefix + barcode);
    const newItemIds = [0, 1, 2, 3].map((offset) => idOf(ground.seed * 10 + offset));
    const input = { ownerUid, itemName: "Toy", location, barcodes, newItemIds, happenedAt };
    return execute(massInput, { ...input, shipmentId: null });
  }
  const filling = { ownerUid, units: next.units, location, newItemId, happenedAt };
  return next.kind === "allocate"
    ? execute(allocateUnits, { ...filling, masterItemId: itemId })
    : execute(copyToConsignor, {
        ...filling,
        sourceItemId: itemId,
        sourceOwnerUid: named.ownerUid ?? avery,
      });
}
