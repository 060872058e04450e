// An opened event of the audit log says in the app's words what the log says in the program's.
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { changesBetween } from "#features/audit/changes.ts";
import { saidBy } from "#features/audit/said.ts";
import { wordsOf } from "#features/audit/value-words.ts";
import { events } from "../../features.ts";

const said = (data: Readonly<Record<string, unknown>>) =>
  saidBy(data, [], { ids: [], notes: [] }).map(({ field, value }) => `${field}: ${value}`);

test("channel, receipt, source, picture and day read as on the other screens", () => {
  const receiptId = "694a77b8-3cd8-4000-8000-000000000001";
  expect(said({ channel: "pos", receiptId })).toEqual([
    "Channel: Point of sale",
    "Receipt: R-694A77B8",
  ]);
  expect(said({ channel: "online" })).toEqual(["Channel: Online"]);
  expect(said({ source: "mass-input" })).toEqual(["Source: Mass Input"]);
  expect(said({ source: "manual" })).toEqual(["Source: Entered by hand"]);
  expect(said({ imageUrl: "/api/images/0b9c" })).toEqual(["Image: Kept by the store"]);
  expect(said({ imageUrl: "https://shop.test/a.jpg" })).toEqual(["Image: https://shop.test/a.jpg"]);
  expect(said({ day: "2026-11-27" })).toEqual(["Day: 27 Nov 2026"]);
  expect(said({ by: "seller" })).toEqual(["By: The seller"]);
  expect(said({ about: "label", day: 3 })).toEqual([
    "Reminder about: A label that the buyer owes",
    "Day: 3",
  ]);
});

test("a picture that is replaced by another one is a change although both read the same", () => {
  const before = { imageUrl: "/api/images/0b9c" };
  expect(changesBetween(before, { imageUrl: "/api/images/1d2e" })).toEqual([
    { field: "Image", before: "Kept by the store", after: "Another one: Kept by the store" },
  ]);
  expect(changesBetween(before, before)).toEqual([]);
});

/** What a field's schema says of a value that is there. */
function inner(schema: unknown): unknown {
  return schema instanceof z.ZodMiniOptional ||
    schema instanceof z.ZodMiniNullable ||
    schema instanceof z.ZodMiniDefault
    ? inner(schema.def.innerType)
    : schema;
}

/** Shown as a change of the thing: what it was and became, and the state of a trade. */
const elsewhere: ReadonlySet<string> = new Set(["before", "after", "status"]);

test("every value that the schema of an event lists for a field of its own has words", () => {
  const listed = [...events.values()].flatMap(({ type, schema }) =>
    schema instanceof z.ZodMiniObject
      ? Object.entries(schema.def.shape).flatMap(([field, of]) => {
          const values = inner(of);
          return values instanceof z.ZodMiniEnum && !elsewhere.has(field)
            ? Object.values(values.def.entries).map((value) => ({ type, field, value }))
            : [];
        })
      : [],
  );
  expect(listed.map(({ field }) => field)).toEqual(
    expect.arrayContaining(["channel", "tender", "source", "by", "about", "kind", "cause"]),
  );
  expect(
    listed
      .filter(({ field, value }) => wordsOf(field, String(value)) === undefined)
      .map(({ type, field, value }) => `${type}: ${field} ${String(value)}`),
  ).toEqual([]);
});
