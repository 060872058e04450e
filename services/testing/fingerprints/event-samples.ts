// Sample events of the whole register for fingerprints: every fixture, and each of its fields with other allowed values.
import { existsSync } from "node:fs";
import { z } from "zod";
import type { EventDefinition } from "#ledger/event.ts";
import { upcast } from "#ledger/event.ts";
import { canonicalJson } from "#ledger/log/chain.ts";
import { features } from "../../features.ts";
import { eventFixtures } from "#testing/shop/event-fixtures.ts";

/** The path of a value in an event's data. */
export type Path = readonly (string | number)[];

/** The data of one event in its current version. */
export type EventSample = { readonly type: string; readonly data: unknown };

export type EventSamples = {
  readonly type: string;
  /** One for each stored version. */
  readonly fixtures: readonly EventSample[];
  /** A fixture with one field changed. */
  readonly variants: readonly EventSample[];
};

const FREE_TEXT = "any text at all";

/** Texts of all formats in events. The first ones that a field's schema accepts are its other values. */
const texts = [
  FREE_TEXT,
  "",
  "00000000-0000-4000-8000-0000000000f1",
  "00000000-0000-4000-8000-0000000000f2",
  "sample-person-00000001",
  "sample-person-00000002",
  "2024-01-02T03:04:05.678Z",
  "2025-06-07T08:09:10.111Z",
  "s".repeat(43),
  "t".repeat(43),
  "a".repeat(64),
  "b".repeat(64),
  "1234567890",
  "2025-03",
  "2025-04",
];
const numbers = [0, 1, 2, 7, 100, 2500, -5, -2500, 0.5];

/** Throws if an event has no fixture. */
export function eventSamples(): EventSamples[] {
  return features.flatMap((feature) => {
    const folder = new URL(`../../features/${feature.name}/fixtures/`, import.meta.url);
    const stored = existsSync(folder) ? eventFixtures(folder) : [];
    return feature.events.map((definition) => {
      const fixtures = stored
        .filter(({ type }) => type === definition.type)
        .map(({ type, version, data }) => ({ type, data: upcast(definition, version, data) }));
      if (fixtures.length === 0) {
        throw new Error(
          `${definition.type} has no fixture in services/features/${feature.name}/fixtures`,
        );
      }
      return { type: definition.type, fixtures, variants: variantsOf(definition, fixtures) };
    });
  });
}

function variantsOf(
  definition: EventDefinition,
  fixtures: readonly EventSample[],
): readonly EventSample[] {
  const { type, schema } = definition;
  const options = optionsIn(z.toJSONSchema(schema, { unrepresentable: "any" }));
  const seen = new Set(fixtures.map(({ data }) => canonicalJson(data)));
  return fixtures.flatMap(({ data }) =>
    pathsIn(data).flatMap((path) => {
      const changed = (value: unknown) => ({ type, data: replaced(data, path, value) });
      const isNew = (sample: EventSample) => {
        const key = canonicalJson(sample.data);
        return !seen.has(key) && schema.safeParse(sample.data).success && seen.add(key);
      };
      const accepts = (value: unknown) => schema.safeParse(replaced(data, path, value)).success;
      const isFree = accepts(FREE_TEXT);
      return [
        ...[null, true, false, []].map(changed).filter(isNew),
        ...numbers.map(changed).filter(isNew).slice(0, 2),
        ...texts.map(changed).filter(isNew).slice(0, 2),
        // A free text covers any option.
        ...(isFree ? [] : options.map(changed).filter(isNew)),
      ];
    }),
  );
}

/** All enum options and literals in a JSON schema. */
function optionsIn(schema: unknown): unknown[] {
  if (typeof schema !== "object" || schema === null) {
    return [];
  }
  const own: unknown[] = Array.isArray(Reflect.get(schema, "enum"))
    ? (Reflect.get(schema, "enum") as unknown[])
    : "const" in schema
      ? [schema.const]
      : [];
  return [...own, ...Object.values(schema).flatMap(optionsIn)];
}

/** The paths of all values in the data, from the outside in. */
export function pathsIn(data: unknown, before: Path = []): Path[] {
  if (typeof data !== "object" || data === null) {
    return [before];
  }
  const inside = Object.entries(data).flatMap(([name, value]) =>
    pathsIn(value, [...before, Array.isArray(data) ? Number(name) : name]),
  );
  return before.length === 0 ? inside : [before, ...inside];
}

export function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, name) => Reflect.get(Object(value), name), data);
}

function replaced(data: unknown, path: Path, value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) {
    return value;
  }
  const inside = replaced(Reflect.get(Object(data), name), rest, value);
  return Array.isArray(data)
    ? data.map((member: unknown, index) => (index === name ? inside : member))
    : { ...Object(data), [name]: inside };
}
