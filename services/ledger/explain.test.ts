// Explanations match their events: a missing one is named, and an older event is read in its current shape.
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { defineEvent } from "#ledger/event.ts";
import type { Explanations } from "#ledger/explain.ts";
import { explained, readIn, spelledOut, typesOfKind, unitsText } from "#ledger/explain.ts";

type Histories = {
  readonly shelf: { readonly kind: "in" | "out"; readonly facts: number; readonly words: string };
};

const BoxStored = defineEvent("BoxStored", 2, z.object({ label: z.string(), units: z.int() }), {
  1: (data) => ({ ...Object(data), units: 1 }),
});
const BoxTaken = defineEvent("BoxTaken", 1, z.object({ label: z.string() }));
const boxEvents = [BoxStored, BoxTaken] as const;

const explanations: Explanations<typeof boxEvents, Histories> = {
  BoxStored: {
    shelf: {
      kind: "in",
      read: ({ label, units }, row) => `${unitsText(units)} of ${label}, row ${row}`,
    },
  },
  BoxTaken: { shelf: { kind: "out", read: ({ label }) => `${label} taken` } },
};
const register = new Map(
  explained<typeof boxEvents, Histories>(boxEvents, explanations).map((event) => [
    event.definition.type,
    event,
  ]),
);

test("an event without an explanation does not compile, and is named even if types are not checked", () => {
  const { BoxStored: stored } = explanations;
  // @ts-expect-error BoxTaken is missing
  const incomplete: typeof explanations = { BoxStored: stored };
  expect(() => explained<typeof boxEvents, Histories>(boxEvents, incomplete)).toThrow(
    "BoxTaken has no explanation: say in its feature's explain.ts how it reads to people",
  );
});

test("an event that leaves out a history does not compile", () => {
  // @ts-expect-error shelf is missing: a reading, or null for never
  const silent: Explanations<readonly [typeof BoxTaken], Histories> = { BoxTaken: {} };
  expect(silent.BoxTaken).toEqual({});
});

test("an explanation of an event that is not in the feature's list is named", () => {
  expect(() =>
    explained<readonly [typeof BoxStored], Histories>([BoxStored], explanations),
  ).toThrow("BoxTaken is explained, but is not in its feature's list of events");
});

describe("reading", () => {
  test("an older version is explained in its current shape, with the history's own facts", () => {
    const read = (schemaVersion: number, data: unknown) =>
      readIn(register, "shelf", { type: "BoxStored", schemaVersion, data }, 3);
    expect(read(1, { label: "Tea" })).toEqual({ kind: "in", words: "1 unit of Tea, row 3" });
    expect(read(2, { label: "Tea", units: 1_200 })).toEqual({
      kind: "in",
      words: "1,200 units of Tea, row 3",
    });
  });

  test("data that no version ever had is an error, not half an explanation", () => {
    const event = { type: "BoxTaken", schemaVersion: 1, data: { lable: "Tea" } };
    expect(() => readIn(register, "shelf", event, 0)).toThrow("label");
  });

  test.each([
    ["an event of a newer program", { type: "BoxBurned", schemaVersion: 1, data: {} }],
    ["a newer version of an event", { type: "BoxTaken", schemaVersion: 2, data: { tag: "Tea" } }],
  ])("%s is not explained, but the list names it", (_, event) => {
    expect(readIn(register, "shelf", event, 0)).toBeNull();
    expect(spelledOut("BoxBurned")).toBe("Box burned");
  });
});

test("a kind finds the events that have it", () => {
  expect(typesOfKind(register, "shelf", "out")).toEqual(["BoxTaken"]);
});
