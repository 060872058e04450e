// What the register promises about explanations: every event is registered and can be read, in every version ever stored.
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { explanations, features, streams } from "./features.ts";
import type { Histories } from "#features/histories.ts";
import type { EventDefinition } from "#ledger/event.ts";
import { readIn, typesOfKind } from "#ledger/explain.ts";
import { eventFixtures } from "#testing/shop/event-fixtures.ts";

/** What each history knows about the events of these tests. */
const facts: { readonly [Name in keyof Histories]: Histories[Name]["facts"] } = {
  consignor: { uid: "sample-person-00000001" },
  item: { unitsDelta: -1 },
  user: { isKept: true, before: "old", after: "new" },
  store: { before: null, after: null },
  trade: null,
  operations: null,
  hold: null,
  payout: null,
  alert: null,
  till: null,
  months: null,
  remittances: null,
};
const historyNames = Object.keys(facts) as (keyof Histories)[];

const isEvent = (value: unknown): value is EventDefinition =>
  typeof value === "object" && value !== null && "schemaVersion" in value && "upcasts" in value;

it.each(features)("every event that $name defines is in its list of events", async (feature) => {
  const file = new URL(`./features/${feature.name}/events.ts`, import.meta.url);
  const module: unknown = existsSync(file) ? await import(file.href) : {};
  const defined = Object.values(Object(module)).filter(isEvent);
  const listed = new Set(feature.events.map(({ type }) => type));
  const missing = defined.filter(({ type }) => !listed.has(type)).map(({ type }) => type);
  expect(missing, `add them to the list at the end of ${feature.name}/events.ts`).toEqual([]);
});

it("a history is named after the streams whose events it shows", () => {
  const unknown = historyNames.filter((name) => !streams.has(name));
  expect(unknown, "no feature registers such streams").toEqual([]);
});

it("every event can be read somewhere", () => {
  const unread = [...explanations]
    .filter(([, { explanation }]) =>
      historyNames.every((name) => (explanation[name] ?? null) === null),
    )
    .map(([type]) => type);
  expect(unread, "say in explain.ts how they read").toEqual([]);
});

const stored = features.flatMap(({ name }) =>
  eventFixtures(new URL(`./features/${name}/fixtures/`, import.meta.url)),
);

/** Every text of an entry, whatever its shape. */
function textsIn(value: unknown): string[] {
  return typeof value === "string" ? [value] : Object.values(Object(value)).flatMap(textsIn);
}

describe.each(stored)("$file", ({ type, version: schemaVersion, data }) => {
  it.each(historyNames)("reads as a %s's line, or not at all", (name) => {
    const reading = explanations.get(type)?.explanation[name] ?? null;
    const read = readIn(explanations, name, { type, schemaVersion, data }, facts[name]);
    expect(read === null).toBe(reading === null);
    for (const text of textsIn(read?.words)) {
      expect(text).not.toMatch(/undefined|null|NaN|\[object/u);
    }
  });
});

it.each(["sale", "refund", "correction", "payout", "trade", "adjustment"] as const)(
  "the ledger's filter for a %s finds events",
  (kind) => {
    expect(typesOfKind(explanations, "consignor", kind)).not.toEqual([]);
  },
);
