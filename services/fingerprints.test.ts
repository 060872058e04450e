// Finds forgotten version numbers: an evolve, a projection or an upcast that changed while its version did not.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { EventDefinition } from "#ledger/event.ts";
import { defineEvent, is } from "#ledger/event.ts";
import { AlertRaised } from "#features/alerts/events.ts";
import { alertsStream } from "#features/alerts/streams.ts";
import type { StreamDefinition } from "#ledger/decider.ts";
import { ItemAdded, ItemArchived } from "#features/inventory/events.ts";
import type { ItemState } from "#features/inventory/streams.ts";
import { itemStream } from "#features/inventory/streams.ts";
import { payoutsProjection } from "#features/payouts/projection.ts";
import { PayoutHoldLifted } from "#features/holds/events.ts";
import type { HoldsState } from "#features/holds/streams.ts";
import { holdsStream } from "#features/holds/streams.ts";
import { SaleRecorded, SaleRefunded, TaxCertificateErased } from "#features/sales/events.ts";
import type { SaleState } from "#features/sales/streams.ts";
import { certificatesStream, saleStream } from "#features/sales/streams.ts";
import { ShipmentAssigned } from "#features/shipments/events.ts";
import type { UserState } from "#features/users/streams.ts";
import { userStream } from "#features/users/streams.ts";
import { currentFingerprints } from "#testing/fingerprints/current-fingerprints.ts";
import { eventSamples, samplesOf } from "#testing/fingerprints/event-samples.ts";
import { foldFingerprint } from "#testing/fingerprints/fold-fingerprint.ts";
import type { Fingerprint } from "#testing/fingerprints/kept-fingerprints.ts";
import { differencesOf, readKept, recorded } from "#testing/fingerprints/kept-fingerprints.ts";
import { declaredNames } from "#testing/fingerprints/names.ts";
import { projectionFingerprint } from "#testing/fingerprints/projection-fingerprint.ts";
import { upcastFingerprints } from "#testing/fingerprints/upcast-fingerprints.ts";
import { eventFixtures } from "#testing/shop/event-fixtures.ts";

const { fingerprints, unreached } = await currentFingerprints();

it("every stream, every projection and every older fixture matches its version", () => {
  expect(differencesOf(readKept(), fingerprints).map(({ message }) => message)).toEqual([]);
});

it("every event that a stream handles and every field of its state is covered", () => {
  expect(unreached).toEqual([]);
});

const samples = eventSamples();
const namesOf = await declaredNames();
const hashOf = (stream: StreamDefinition<unknown>) => foldFingerprint(stream, samples, namesOf);
const today = fingerprints.find(({ name }) => name === "item")?.hash;

/** The item's stream with another evolve. */
const itemWith = (evolve: StreamDefinition<ItemState>["evolve"]): StreamDefinition<ItemState> => ({
  ...itemStream,
  evolve,
});

describe("the fingerprint of an evolve", () => {
  it("is the same when another feature gains an event", () => {
    const newEvent = {
      type: "NothingHappened",
      fixtures: [],
      greater: [],
      others: [],
      variants: [],
    };
    const fixture = { type: "NothingHappened", data: { itemId: "x", note: null } };
    expect(
      foldFingerprint(itemStream, [...samples, { ...newEvent, fixtures: [fixture] }], namesOf).hash,
    ).toBe(today);
  });

  it("changes with a new field of the state", () => {
    const initial = { ...itemStream.initial, reservedUnits: 0 };
    expect(hashOf({ ...itemStream, initial }).hash).not.toBe(today);
  });

  it("changes when a branch does something else", () => {
    const changed = itemWith((state, event, streamId) => {
      const after = itemStream.evolve(state, event, streamId);
      return is(ItemArchived, event) ? { ...after, removedUnits: 0 } : after;
    });
    expect(hashOf(changed).hash).not.toBe(today);
  });

  it("changes when money or units are counted differently", () => {
    const changed = itemWith((state, event, streamId) => {
      const after = itemStream.evolve(state, event, streamId);
      return { ...after, quantity: Math.max(0, after.quantity) };
    });
    expect(hashOf(changed).hash).not.toBe(today);
  });

  it("changes when only the first of several entries counts", () => {
    const once: typeof certificatesStream = {
      ...certificatesStream,
      evolve: (state, event) =>
        is(TaxCertificateErased, event) ? { erased: state.erased + 1 } : state,
    };
    expect(hashOf(once).hash).not.toBe(hashOf(certificatesStream).hash);
  });

  it.each<[string, (text: string) => string]>([
    ["trimmed", (text) => text.trim()],
    ["without double spaces", (text) => text.replaceAll(/ {2,}/gu, " ")],
    ["on one line", (text) => text.replaceAll("\n", " ")],
    ["in lower case", (text) => text.toLowerCase()],
    ["with composed letters", (text) => text.normalize()],
    ["cut", (text) => text.slice(0, 100)],
  ])("changes when a text is %s", (_how, change) => {
    const named = (nameOf: typeof change): StreamDefinition<{ readonly name: string }> => ({
      ...itemStream,
      initial: { name: "" },
      evolve: (state, event) =>
        is(ItemAdded, event) ? { name: nameOf(event.data.after.itemName) } : state,
    });
    expect(hashOf(named(change)).hash).not.toBe(hashOf(named((text) => text)).hash);
  });

  it("changes with what only shows after many events", () => {
    const counted = (most: number): StreamDefinition<{ readonly keys: readonly string[] }> => ({
      ...alertsStream,
      initial: { keys: [] },
      evolve: (state, event) =>
        is(AlertRaised, event) ? { keys: [...state.keys, event.data.key].slice(-most) } : state,
    });
    expect(hashOf(counted(499)).hash).not.toBe(hashOf(counted(500)).hash);
  });

  it("changes when the second of two entries is changed in another order", () => {
    const reversed: StreamDefinition<SaleState> = {
      ...saleStream,
      evolve: (state, event, streamId) => {
        const after = saleStream.evolve(state, event, streamId);
        return is(SaleRefunded, event) && after.status === "recorded"
          ? { ...after, refundTenders: after.refundTenders.toReversed() }
          : after;
      },
    };
    expect(hashOf(reversed).hash).not.toBe(hashOf(saleStream).hash);
  });

  it("changes when an open hold stays open after it was lifted", () => {
    const changed: StreamDefinition<HoldsState> = {
      ...holdsStream,
      evolve: (state, event, streamId) => {
        const after = holdsStream.evolve(state, event, streamId);
        return is(PayoutHoldLifted, event) ? { ...after, open: state.open } : after;
      },
    };
    expect(hashOf(changed).hash).not.toBe(hashOf(holdsStream).hash);
  });

  it("changes when an event that did not count does, with the effect of one that did", () => {
    const changed: StreamDefinition<UserState> = {
      ...userStream,
      evolve: (state, event, streamId) => {
        const given = is(ShipmentAssigned, event)
          ? { ...event, data: { ...event.data, isProcessed: false } }
          : event;
        return userStream.evolve(state, given, streamId);
      },
    };
    expect(hashOf(changed).hash).not.toBe(hashOf(userStream).hash);
  });

  describe("of units that are set aside", () => {
    type Kept = { readonly uid: string; readonly units: number };
    type Keeping = { readonly onHand: ItemState; readonly kept: readonly Kept[] };
    type Ends = (entry: Kept, taken: number) => readonly Kept[];
    const said = z.object({ itemId: z.string(), uid: z.string(), units: z.int().positive() });
    const UnitsKept = defineEvent("UnitsKept", 1, said);
    const KeepingEnded = defineEvent("KeepingEnded", 1, said);
    const data = { itemId: "00000000-0000-4000-8000-000000000001", uid: "avery", units: 1 };
    const both = [UnitsKept, KeepingEnded].map((definition) =>
      samplesOf(definition, [{ type: definition.type, data }]),
    );

    /** An item whose units are also counted by movements, as `npm run new` makes it with --to and --from. */
    const keeping = (ends: Ends) => {
      const without = (kept: readonly Kept[], uid: string, units: number) => {
        let left = units;
        return kept.flatMap((entry) => {
          const taken = entry.uid === uid ? Math.min(left, entry.units) : 0;
          left -= taken;
          return ends(entry, taken);
        });
      };
      const keptAfter: StreamDefinition<Keeping["kept"]>["evolve"] = (kept, event) => {
        if (is(UnitsKept, event)) {
          return [...kept, { uid: event.data.uid, units: event.data.units }];
        }
        const { uid, units } = is(KeepingEnded, event) ? event.data : { uid: "", units: 0 };
        return units === 0 ? kept : without(kept, uid, units);
      };
      const stream: StreamDefinition<Keeping> = {
        ...itemStream,
        initial: { onHand: itemStream.initial, kept: [] },
        evolve: ({ onHand, kept }, event, streamId) => ({
          onHand: itemStream.evolve(onHand, event, streamId),
          kept: keptAfter(kept, event, streamId),
        }),
      };
      return foldFingerprint(stream, both, namesOf).hash;
    };
    const right: Ends = (entry, taken) =>
      taken === entry.units ? [] : [{ ...entry, units: entry.units - taken }];

    it.each<[string, Ends]>([
      ["takes nothing", (entry, taken) => (taken === entry.units ? [] : [entry])],
      ["takes everything", (entry, taken) => (taken > 0 ? [] : [entry])],
      ["takes one unit", (entry, taken) => right(entry, Math.min(1, taken))],
    ])("changes when an ending that should take a part %s", (_what, ends) => {
      expect(keeping(ends)).not.toBe(keeping(right));
    });
  });

  it("names a field that no event changes", () => {
    const stream = {
      ...itemStream,
      initial: { ...itemStream.initial, reservedUnits: 0 },
    };
    expect(hashOf(stream).unchanged).toEqual(["reservedUnits"]);
  });
});

describe("the fingerprint of a projection", () => {
  it("names the file that declares it", () => {
    const fileOf = (wanted: string) => fingerprints.find(({ name }) => name === wanted)?.file;
    expect(fileOf("account_blocks")).toBe("services/features/accounts/projection-blocks.ts");
    expect(fileOf("payouts")).toBe("services/features/payouts/projection.ts");
    const missing = fingerprints.filter(
      ({ file }) => !existsSync(new URL(`../${file}`, import.meta.url)),
    );
    expect(missing).toEqual([]);
  });

  const fingerprint = projectionFingerprint(payoutsProjection);
  const [table] = payoutsProjection.tables;

  it("is the same however its SQL is laid out", () => {
    const step = payoutsProjection.step.map((text) => text.replaceAll(/\s+/gu, "\n\t "));
    expect(projectionFingerprint({ ...payoutsProjection, step })).toBe(fingerprint);
    expect(projectionFingerprint({ ...payoutsProjection, version: 7 })).toBe(fingerprint);
  });

  it.each([
    ["step", { step: payoutsProjection.step.map((text) => text.replace("'paid'", "'done'")) }],
    ["keysTouched", { keysTouched: `${payoutsProjection.keysTouched} limit 1` }],
    ["forgetKeys", { forgetKeys: [] }],
    ["a table's keys", { tables: table === undefined ? [] : [{ ...table, keys: [] }] }],
    ["a table's indexes", { tables: table === undefined ? [] : [{ ...table, indexes: [] }] }],
  ])("changes with %s", (_part, changed) => {
    expect(projectionFingerprint({ ...payoutsProjection, ...changed })).not.toBe(fingerprint);
  });
});

describe("the fingerprint of an upcast", () => {
  const fixtures = eventFixtures(new URL("./features/sales/fixtures/", import.meta.url));
  const file = "services/features/sales/events.ts";
  const ofSale = (definition: EventDefinition) =>
    upcastFingerprints(
      [definition],
      fixtures.filter(({ type }) => type === SaleRecorded.type),
      file,
    );
  const [first] = ofSale(SaleRecorded);

  it("is one for each older fixture, under the version that it becomes", () => {
    const version = SaleRecorded.schemaVersion;
    const { name, kind } = { name: "SaleRecorded v1", kind: "upcast" };
    expect(first).toMatchObject({ kind, name, version, file });
    expect(ofSale(SaleRecorded)).toHaveLength(version - 1);
    expect(fingerprints).toContainEqual(first);
  });

  it("changes when the upcast gives something else, and says what stores need then", () => {
    const upcasts = {
      ...SaleRecorded.upcasts,
      1: (data: unknown) => ({ ...Object(SaleRecorded.upcasts[1]?.(data)), barcode1: "other" }),
    };
    const changed = ofSale({ ...SaleRecorded, upcasts }).slice(0, 1);
    expect(changed).not.toEqual([first]);
    // A record of its own: that of the repository lacks a version that is being made.
    const none = { streams: {}, projections: {}, upcasts: {} };
    const kept = recorded(none, ofSale(SaleRecorded), new Set());
    const [difference] = differencesOf(kept, changed);
    expect(difference).toMatchObject({ name: "SaleRecorded v1", what: "changed", file });
    expect(difference?.message).toContain("npm run rebuild -- all");
    expect(difference?.message).toContain('npm run fingerprints -- --same "SaleRecorded v1"');
    expect(differencesOf(recorded(kept, changed, new Set()), changed)).toHaveLength(1);
    const same = new Set(["SaleRecorded v1"]);
    expect(differencesOf(recorded(kept, changed, same), changed)).toEqual([]);
  });
});

describe("the record", () => {
  const item = (version: number, hash: string): Fingerprint => ({
    kind: "stream",
    name: "item",
    version,
    hash,
    file: "services/features/inventory/streams.ts",
  });
  const kept = { streams: { item: { 2: "two", 3: "three" } }, projections: {}, upcasts: {} };
  const messages = (now: Fingerprint) =>
    differencesOf(kept, [now])
      .map(({ message }) => message)
      .join("\n");

  it("says which version to raise, and how to keep it if that is right", () => {
    expect(differencesOf(kept, [item(3, "three")])).toEqual([]);
    const said = messages(item(3, "other"));
    expect(said).toContain(
      "Raise stateVersion of item in services/features/inventory/streams.ts: 3 → 4",
    );
    expect(said).toContain("npm run fingerprints -- --same item");
  });

  it("accepts a changed hash only by name or with all", () => {
    const now = [item(3, "other")];
    expect(recorded(kept, now, new Set())).toEqual(kept);
    for (const same of ["item", "all"]) {
      expect(recorded(kept, now, new Set([same])).streams["item"]).toEqual({
        2: "two",
        3: "other",
      });
    }
  });

  it("adds a raised version to the older ones, and never accepts an older one", () => {
    expect(messages(item(4, "four"))).toContain("npm run fingerprints");
    expect(recorded(kept, [item(4, "four")], new Set()).streams["item"]).toEqual({
      ...kept.streams.item,
      4: "four",
    });
    expect(messages(item(2, "two"))).toContain("2 → 4");
    expect(recorded(kept, [item(2, "new")], new Set(["all"]))).toEqual(kept);
  });

  it("says what to do with a file that a merge left with both sides", () => {
    const file = join(mkdtempSync(join(tmpdir(), "kept-")), "fingerprints.json");
    writeFileSync(file, '{\n<<<<<<< HEAD\n"streams": {}\n=======\n>>>>>>> other\n}');
    expect(() => readKept(pathToFileURL(file))).toThrow("npm run fingerprints -- --same all");
    rmSync(dirname(file), { recursive: true });
  });
});
