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

function newIdOf({ seed }: Pick<StepGround<unknown>, "seed">): string {
  return idOf(seed * 10);
}

/** Steps follow each other, but what they tell may have happened in another order. */
function timeOf(seed: number): string {
  return new Date(Date.parse(noon) + ((seed * 7) % 11) * 60_000).toISOString();
}

/** The picked item, or a new one, its owner and the time. */
type Named = { readonly itemId: string; readonly ownerUid: OwnerUid; readonly happenedAt: string };

type ValuesOf<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends fc.Arbitrary<infer Value> ? Value : never;
};

type Kind<Fields, Values> = {
  readonly fields: Fields;
  readonly run: <Result>(values: Values, named: Named, ground: StepGround<Result>) => Result;
};

type AnyFields = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** What a kind of step chooses, and the command that it becomes. */
function kind<const Fields extends AnyFields>(
  fields: Fields,
  run: Kind<Fields, ValuesOf<Fields>>["run"],
): Kind<Fields, ValuesOf<Fields>> {
  return { fields, run };
}

const kinds = {
  add: kind(
    { owner, barcode, quantity: fc.nat({ max: 6 }) },
    (next, named, { prefix, execute }) => {
      const { owner: ownerUid, quantity } = next;
      const details = detailsOf(prefix + next.barcode, { link: "https://shop.example/lamp" });
      const tagPriceCents = quantity % 2 === 0 ? 1000 + quantity : null;
      const added = { ...named, ownerUid, details, quantity, tagPriceCents };
      return execute(addItem, { ...added, source: "manual" });
    },
  ),
  edit: kind(
    {
      pick,
      barcode: fc.option(barcode, { nil: undefined }),
      quantity: fc.option(fc.nat({ max: 6 }), { nil: null }),
    },
    ({ barcode: changed, quantity }, named, { prefix, execute }) => {
      const changes = changed === undefined ? { asin: "B0" } : { barcode1: prefix + changed };
      const edit = { ...named, changes, quantity, reason: null, expectedVersion: null };
      return execute(editItem, edit);
    },
  ),
  archive: kind({ pick }, (_next, named, { execute }) => execute(archiveItem, named)),
  restore: kind({ pick }, (_next, named, { execute }) => execute(restoreItem, named)),
  allocate: kind({ pick, consignor, units, location }, (next, { itemId, ...named }, ground) => {
    const { consignor: ownerUid, ...some } = next;
    const filling = { ...named, ownerUid, units: some.units, location: some.location };
    const newItemId = newIdOf(ground);
    return ground.execute(allocateUnits, { ...filling, newItemId, masterItemId: itemId });
  }),
  copy: kind({ pick, consignor, units, location }, (next, { itemId, ...named }, ground) => {
    const { consignor: ownerUid, ...some } = next;
    const filling = { ...named, ownerUid, units: some.units, location: some.location };
    return ground.execute(copyToConsignor, {
      ...filling,
      newItemId: newIdOf(ground),
      sourceItemId: itemId,
      sourceOwnerUid: named.ownerUid ?? avery,
    });
  }),
  receive: kind({ pick, units }, (next, named, { execute }) =>
    execute(receiveUnits, { ...named, units: next.units, source: "manual" }),
  ),
  sell: kind({ pick, units }, (next, named, { execute }) =>
    execute(sellUnits, { ...named, units: next.units }),
  ),
  remove: kind({ pick, units }, (next, named, { execute }) =>
    execute(removeUnits, { ...named, units: next.units, reason: "lost" }),
  ),
  price: kind(
    { pick, cents: fc.option(fc.constantFrom(2000, 1500), { nil: null }) },
    ({ cents: tagPriceCents }, named, { execute }) => {
      const edit = { ...named, changes: {}, tagPriceCents, quantity: null, reason: null };
      return execute(editItem, { ...edit, expectedVersion: null });
    },
  ),
  "mass-input": kind(
    { consignor, location, barcodes: fc.array(barcode, { minLength: 1, maxLength: 8 }) },
    (next, { happenedAt }, { seed, prefix, execute }) => {
      const barcodes = next.barcodes.map((one) => prefix + one);
      const newItemIds = [0, 1, 2, 3].map((offset) => idOf(seed * 10 + offset));
      const { consignor: ownerUid, location: place } = next;
      const input = { ownerUid, itemName: "Toy", location: place, barcodes, newItemIds };
      return execute(massInput, { ...input, happenedAt, shipmentId: null });
    },
  ),
};

export type Step = {
  [Name in keyof typeof kinds]: { readonly kind: Name } & ValuesOf<(typeof kinds)[Name]["fields"]>;
}[keyof typeof kinds];

const anyKinds: Readonly<Record<string, Kind<AnyFields, never>>> = kinds;

/** Any step. Its type follows from `kinds`, which `Object.entries` cannot say. */
export const step = fc.oneof(
  ...Object.entries(anyKinds).map(([name, { fields }]) =>
    fc.record<Record<string, unknown>>({ kind: fc.constant(name), ...fields }),
  ),
) as fc.Arbitrary<unknown> as fc.Arbitrary<Step>;

/** One step of every kind, all accepted, one after the other. */
export const everyKind: readonly Step[] = [
  { kind: "add", owner: null, barcode: "B-1", quantity: 5 },
  { kind: "edit", pick: 0, barcode: "B-2", quantity: 6 },
  { kind: "allocate", pick: 0, consignor: avery, units: 2, location: "A-1" },
  { kind: "copy", pick: 1, consignor: blake, units: 1, location: "" },
  { kind: "mass-input", consignor: blake, location: "B-2", barcodes: ["B-2", "B-1", "B-2"] },
  { kind: "receive", pick: 3, units: 2 },
  { kind: "sell", pick: 0, units: 4 },
  { kind: "archive", pick: 1 },
  { kind: "restore", pick: 1 },
  { kind: "archive", pick: 2 },
  { kind: "price", pick: 0, cents: 2000 },
  { kind: "remove", pick: 3, units: 1 },
];

/** Runs one step as its command. */
export function runStep<Result>(next: Step, ground: StepGround<Result>): Result {
  // One more than the number of items: the extra one is unknown.
  const picked = "pick" in next ? next.pick % (ground.itemIds.length + 1) : 0;
  const itemId = "pick" in next ? (ground.itemIds[picked] ?? unknownItemId) : newIdOf(ground);
  const named = { itemId, ownerUid: ground.ownerOf(itemId), happenedAt: timeOf(ground.seed) };
  const { run }: Kind<AnyFields, never> = kinds[next.kind];
  return run(next as never, named, ground);
}
