// Holds every stored version of inventory's events readable for ever.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { upcast } from "#ledger/event.ts";
import { inventoryEvents } from "#features/inventory/events.ts";

const fixtures = new URL("fixtures/", import.meta.url);
const stored = readdirSync(fixtures).map((file) => {
  const [, type, version] = /^(\w+)\.v(\d+)\.json$/.exec(file) ?? [];
  return { file, type, version: Number(version) };
});

describe("stored inventory events", () => {
  test.each(stored)("$file is read in today's shape", ({ file, type, version }) => {
    const definition = inventoryEvents.find((event) => event.type === type);
    const data: unknown = JSON.parse(readFileSync(new URL(file, fixtures), "utf8"));
    if (definition === undefined) {
      throw new Error(`${file} is of no event that the program knows`);
    }
    const read = upcast<unknown>(definition, version, data);
    // Today's version loses nothing that was stored.
    expect(version < definition.schemaVersion ? data : read).toEqual(data);
  });

  test.each(inventoryEvents)("every version of $type has a fixture", ({ type, schemaVersion }) => {
    const versions = stored.filter((fixture) => fixture.type === type).map((f) => f.version);
    expect(versions.sort((a, b) => a - b)).toEqual(
      Array.from({ length: schemaVersion }, (_, index) => index + 1),
    );
  });

  test("data that no version ever had is refused", () => {
    const [added] = inventoryEvents;
    expect(() => upcast(added, 1, { itemId: "no uuid" })).toThrow("itemId");
    expect(() => upcast(added, 2, {})).toThrow("newer than this program");
  });
});
