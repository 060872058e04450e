// Holds every stored version of the user events readable for ever.
import { describe, expect, test } from "vitest";
import { upcast } from "#ledger/event.ts";
import { eventFixtures } from "#testing/event-fixtures.ts";
import { userEvents } from "#features/users/events.ts";

const fixtures = eventFixtures(new URL("fixtures/", import.meta.url));

describe("stored user events", () => {
  test.each(fixtures)("$file is read in today's shape", ({ file, type, version, data }) => {
    const definition = userEvents.find((event) => event.type === type);
    if (definition === undefined) {
      throw new Error(`${file} is of no event that the program knows`);
    }
    const read = upcast<unknown>(definition, version, data);
    // Today's version loses nothing that was stored.
    expect(version < definition.schemaVersion ? data : read).toEqual(data);
  });

  test.each(userEvents)("every version of $type has a fixture", ({ type, schemaVersion }) => {
    const versions = fixtures.filter((fixture) => fixture.type === type).map((f) => f.version);
    expect(versions.sort((a, b) => a - b)).toEqual(
      Array.from({ length: schemaVersion }, (_, index) => index + 1),
    );
  });

  test.each(fixtures)("$file with a field taken away is refused", ({ type, version, data }) => {
    const definition = userEvents.find((event) => event.type === type);
    const fields = Object.entries(Object(data));
    for (const [name] of fields) {
      const without = Object.fromEntries(fields.filter(([other]) => other !== name));
      expect(() => definition && upcast<unknown>(definition, version, without)).toThrow(name);
    }
  });
});
