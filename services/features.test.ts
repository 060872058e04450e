// The register's promises: every stored version of every event has a fixture forever, and no name is used twice.
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { events, features, projections, streams } from "./features.ts";
import { upcast } from "#ledger/event.ts";
import { eventFixtures } from "#testing/shop/event-fixtures.ts";

/** The stored events of a feature: one file for each version that any of its events ever had. */
const storedEvents = (feature: string) =>
  eventFixtures(new URL(`./features/${feature}/fixtures/`, import.meta.url));

/** True if events.ts says that the field may be left out. */
function isOptional(type: string, field: string): boolean {
  const schema = events.get(type)?.schema;
  return (
    schema instanceof z.ZodMiniObject && Object(schema.shape)[field] instanceof z.ZodMiniOptional
  );
}

describe.each(features.map((feature) => [feature.name, feature] as const))(
  "stored events of %s",
  (name, feature) => {
    const stored = storedEvents(name).map((fixture) => {
      const definition = events.get(fixture.type);
      return {
        ...fixture,
        read: (data: unknown) => definition && upcast(definition, fixture.version, data),
      };
    });

    it("cover every version of every event that it knows, and no other", () => {
      const versions = feature.events.flatMap(({ type, schemaVersion }) =>
        Array.from({ length: schemaVersion }, (_, index) => `${type}.v${index + 1}.json`),
      );
      const files = stored.map(({ file }) => file);
      expect(
        versions.filter((file) => !files.includes(file)),
        `write them into features/${name}/fixtures, with the data as it is stored`,
      ).toEqual([]);
      expect(
        files.filter((file) => !versions.includes(file)),
        `no event of ${name} has ever had these versions`,
      ).toEqual([]);
    });

    it.each(stored)("$file is read in its current shape", ({ type, version, data, read }) => {
      const isToday = version === events.get(type)?.schemaVersion;
      expect(read(data)).toBeTypeOf("object");
      // The current version loses nothing that was stored.
      expect(isToday ? read(data) : data).toEqual(data);
    });

    const replacedLast = stored.filter(
      ({ type, version }) => version + 1 === events.get(type)?.schemaVersion,
    );

    it.each(replacedLast)("$file is no longer the current shape", ({ type, version, data }) => {
      const definition = events.get(type);
      expect(
        definition?.schema.safeParse(data).success,
        `say in events.ts what version ${version + 1} changes`,
      ).toBe(false);
    });

    it.each(stored)("$file is refused if a field is missing", ({ type, data, read }) => {
      const fields = Object.entries(Object(data));
      const readWithout = (taken: string) =>
        read(Object.fromEntries(fields.filter(([field]) => field !== taken)));
      const names = fields.map(([field]) => field);
      for (const taken of names.filter((field) => !isOptional(type, field))) {
        expect(() => readWithout(taken)).toThrow(taken);
      }
      for (const taken of names.filter((field) => isOptional(type, field))) {
        expect(readWithout(taken)).not.toHaveProperty(taken);
      }
    });
  },
);

it("lists every folder of services/features as a feature", () => {
  const folders = readdirSync(new URL("./features/", import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(features.map(({ name }) => name).sort()).toEqual(folders.sort());
});

it("names the type of every event in the past tense, as one word", () => {
  for (const type of events.keys()) {
    expect(type).toMatch(/^[A-Z][A-Za-z]+(?:ed|Held|Paid|Set)$/u);
  }
});

it("gives every read table its own name", () => {
  const names = projections.flatMap(({ tables }) => tables.map(({ name }) => name));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it("knows a stream definition for every category by its own name", () => {
  for (const [category, definition] of streams) {
    expect(definition.category).toBe(category);
  }
});
