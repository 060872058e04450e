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
  /** A fixture with greater numbers, so that another event can take a part of what it brings. */
  readonly greater: readonly EventSample[];
  /**
   * A fixture that has the same value in all fields that may have it, so that events of different types are about the
   * same thing; and one with two different members in one of its lists, in either order.
   */
  readonly others: readonly EventSample[];
  /** A fixture with one field changed. */
  readonly variants: readonly EventSample[];
};

/** What a careless evolve would change: spaces, capitals, two ways to write a letter, lines, a great length. */
const FREE_TEXT = ` Any  text At all:\nCafe\u0301 \ufb01ne ${"and so on ".repeat(8)}`;

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
/** For what is to be greater than the numbers that variants have. */
const greaterNumbers = [7, 2500, 100];
/** Of each of these a field takes the first one that it accepts. */
const unusualNumbers = [
  [250_000, 2500, 100],
  [-2500, -5],
  [0.5, 12.5],
] as const;

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
      return samplesOf(definition, fixtures);
    });
  });
}

/** The samples of one event. */
export function samplesOf(
  definition: EventDefinition,
  fixtures: readonly EventSample[],
): EventSamples {
  return {
    type: definition.type,
    fixtures,
    greater: greaterOf(definition, fixtures),
    others: [...alikeOf(definition, fixtures), ...listsOf(definition, fixtures)],
    variants: variantsOf(definition, fixtures),
  };
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
        if (!schema.safeParse(sample.data).success) {
          return false;
        }
        const key = canonicalJson(sample.data);
        return !seen.has(key) && seen.add(key);
      };
      /** The first new ones: what follows is not looked at. */
      const firstNew = (values: readonly unknown[], count: number): EventSample[] => {
        const found: EventSample[] = [];
        for (const value of values) {
          const sample = changed(value);
          if (found.length < count && isNew(sample)) {
            found.push(sample);
          }
        }
        return found;
      };
      const isFree = schema.safeParse(replaced(data, path, FREE_TEXT)).success;
      return [
        ...firstNew([null, true, false, []], 4),
        ...firstNew(numbers, 2),
        ...unusualNumbers.flatMap((some) => firstNew(some, 1)),
        ...firstNew(texts, 2),
        // A free text covers any option.
        ...(isFree ? [] : firstNew(options, options.length)),
      ];
    }),
  );
}

/** Every list with members as a list of two: its first one and another that differs in whatever may differ. */
function listsOf(
  { type, schema }: EventDefinition,
  fixtures: readonly EventSample[],
): EventSample[] {
  const accepts = (data: unknown) => schema.safeParse(data).success;
  return fixtures.flatMap(({ data }) =>
    pathsIn(data).flatMap((path) => {
      const list = valueAt(data, path);
      if (!Array.isArray(list) || list.length === 0) {
        return [];
      }
      const first: unknown = list[0];
      const other = pathsIn(first).reduce<unknown>((member, inside) => {
        const before = valueAt(member, inside);
        const value = (typeof before === "string" ? texts : numbers).find(
          (one) =>
            one !== before && accepts(replaced(data, path, [first, replaced(member, inside, one)])),
        );
        return typeof before === "object" || value === undefined
          ? member
          : replaced(member, inside, value);
      }, first);
      return [
        [first, other],
        [other, first],
      ]
        .map((members) => replaced(data, path, members))
        .filter((sample) => canonicalJson(first) !== canonicalJson(other) && accepts(sample))
        .map((sample) => ({ type, data: sample }));
    }),
  );
}

function alikeOf(definition: EventDefinition, fixtures: readonly EventSample[]): EventSample[] {
  return fixtures.map((fixture) =>
    refilled(definition, fixture, (value) =>
      typeof value === "number"
        ? numbers
        : value === null || typeof value === "string"
          ? texts
          : [],
    ),
  );
}

function greaterOf(definition: EventDefinition, fixtures: readonly EventSample[]): EventSample[] {
  return fixtures.map((fixture) =>
    refilled(definition, fixture, (value) =>
      typeof value === "number" ? greaterNumbers.filter((one) => one > value) : [],
    ),
  );
}

/** A fixture with the first value in each field that its schema accepts there. */
function refilled(
  { type, schema }: EventDefinition,
  { data }: EventSample,
  valuesFor: (value: unknown) => readonly (string | number)[],
): EventSample {
  return {
    type,
    data: pathsIn(data).reduce((before, path) => {
      const accepted = valuesFor(valueAt(before, path))
        .map((one) => replaced(before, path, one))
        .find((changed) => schema.safeParse(changed).success);
      return accepted ?? before;
    }, data),
  };
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

export function replaced(data: unknown, path: Path, value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) {
    return value;
  }
  const inside = replaced(Reflect.get(Object(data), name), rest, value);
  return Array.isArray(data)
    ? data.map((member: unknown, index) => (index === name ? inside : member))
    : { ...Object(data), [name]: inside };
}
