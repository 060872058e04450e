// What an event says by itself reads as names and values, also of a field that nobody named anywhere.
import { expect, test } from "vitest";
import { saidBy } from "#features/audit/said.ts";

const nothing = { ids: [], notes: [] };
const saleId = "00000000-0000-4000-8000-000000000001";
const registerId = "00000000-0000-4000-8000-0000000000f1";

test("a field that nobody named is shown, its name made into words and its value by its kind", () => {
  const said = { registerId, soldByUid: "robin-00000000000001", tipCents: 250, wasGift: false };
  expect(saidBy({ ...said, bags: 1_200, channel: "pos_phone" }, [], nothing)).toEqual([
    { field: "Register", value: registerId },
    { field: "Sold by", value: "robin-00000000000001" },
    { field: "Tip", value: "$2.50" },
    { field: "Was gift", value: "No" },
    { field: "Bags", value: "1,200" },
    { field: "Channel", value: "pos phone" },
  ]);
});

test("a time stays as it is stored, so that the screen shows it in the reader's zone", () => {
  expect(saidBy({ collectedAt: "2026-11-27T09:15:00.000Z" }, [], nothing)).toEqual([
    { field: "Collected at", value: "2026-11-27T09:15:00.000Z" },
  ]);
});

test("what the event's things show already is not said again, and nothing is said of what is null", () => {
  const state = { status: "recorded", terms: { itemName: "Lamp", units: 2 }, lots: [{ bags: 3 }] };
  const data = { saleId, itemName: "Lamp", units: 1, bags: 3, registerId: null };
  expect(saidBy(data, [state], { ids: [saleId], notes: [] })).toEqual([
    { field: "Units", value: "1" },
    { field: "Bags", value: "3" },
  ]);
});

test("what one of the event's notes says is not said again", () => {
  const data = { reason: "one was missing", usualPercentage: 50, units: 1 };
  const notes = ["one was missing", "The usual share was 50%, for 1 day"];
  expect(saidBy(data, [], { ids: [], notes })).toEqual([{ field: "Units", value: "1" }]);
});

test("ids of notes, handles and files, hashes, and what changed from and to are not said", () => {
  const rows = { noteId: saleId, handleId: saleId, labelId: saleId, changeId: saleId };
  const hashes = { handleHash: "a1", takes: "b2", frees: "c3" };
  expect(
    saidBy({ ...rows, ...hashes, before: "a", afterCents: 5, rounding: "x" }, [], nothing),
  ).toEqual([]);
});
