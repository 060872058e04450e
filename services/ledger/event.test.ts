// Old events stay readable forever: upcasting brings every stored version to the current shape, or says why it cannot.
import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import { defineEvent, emit, is, upcast } from "#ledger/event.ts";

const renamed = defineEvent(
  "JarRenamed",
  3,
  z.object({ name: z.string(), colour: z.string(), size: z.number() }),
  {
    1: (data) => ({ ...Object(data), colour: "grey" }),
    2: (data) => ({ ...Object(data), size: 1 }),
  },
);

describe("upcasting", () => {
  it.each([
    [1, { name: "front" }, { name: "front", colour: "grey", size: 1 }],
    [2, { name: "front", colour: "red" }, { name: "front", colour: "red", size: 1 }],
    [3, { name: "front", colour: "red", size: 9 }, { name: "front", colour: "red", size: 9 }],
  ])("brings version %i to the current shape", (version, stored, current) => {
    expect(upcast(renamed, version, stored)).toEqual(current);
  });

  it("refuses data that no version ever had, and a version from the future", () => {
    expect(() => upcast(renamed, 3, { name: 7 })).toThrow("name");
    expect(() => upcast(renamed, 4, { name: "front" })).toThrow("newer");
  });

  it("cannot be declared with a version that has no upcast", () => {
    expect(() => defineEvent("Gap", 3, z.object({}), { 1: (data) => data })).toThrow("version 2");
  });
});

it("narrows an event to its type", () => {
  const event = emit(
    renamed,
    { name: "front", colour: "red", size: 1 },
    { streams: ["jar-1"], happenedAt: "2026-11-21T10:00:00.000Z" },
  );
  expect(is(renamed, event) && event.data.colour).toBe("red");
  expect(event).toMatchObject({ schemaVersion: 3, postings: [], movements: [] });
});
