// The register's promises: every stored version of every event has a fixture for ever, and nothing is named twice.
import { readFile, readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { events, features, projections, streams } from "./features.ts";
import { upcast } from "#ledger/event.ts";

const folder = (feature: string) => new URL(`./features/${feature}/fixtures/`, import.meta.url);

describe.each(features.map((feature) => [feature.name, feature] as const))(
  "%s",
  (name, feature) => {
    it.each(
      feature.events.flatMap((definition) =>
        Array.from(
          { length: definition.schemaVersion },
          (_, index) => [definition.type, index + 1, definition] as const,
        ),
      ),
    )("reads a stored %s of version %i", async (type, version, definition) => {
      const stored: unknown = JSON.parse(
        await readFile(new URL(`${type}.v${version}.json`, folder(name)), "utf8"),
      );
      expect(upcast(definition, version, stored)).toBeTypeOf("object");
    });

    it("keeps no fixture of an event that it no longer knows", async () => {
      for (const file of await readdir(folder(name))) {
        expect(events.has(file.replace(/\.v\d+\.json$/u, ""))).toBe(true);
      }
    });
  },
);

it("names the type of every event in the past tense, as one word", () => {
  for (const type of events.keys()) {
    expect(type).toMatch(/^[A-Z][A-Za-z]+(?:ed|Paid|Set)$/u);
  }
});

it("lets every projection read only events that somebody declares", () => {
  for (const projection of projections) {
    expect(projection.eventTypes.filter((type) => !events.has(type))).toEqual([]);
  }
  expect(new Set(projections.flatMap(({ tables }) => tables.map((table) => table.name))).size).toBe(
    projections.flatMap(({ tables }) => tables).length,
  );
});

it("knows a stream definition for every category by its own name", () => {
  for (const [category, definition] of streams) {
    expect(definition.category).toBe(category);
  }
});
