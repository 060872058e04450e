// Tests what of a till's line stays in the browser at sign-out.
import { expect, it } from "vitest";
import { keptAtSignOut, type KeptLine } from "./kept-at-sign-out.ts";

const now = new Date("2026-11-22T10:00:00Z");
const day = 86_400_000;
const lamp = {
  id: "item-1",
  consignorID: "avery-000000000000001",
  consignorDisplayName: "Avery",
  itemName: "Lamp",
  barcode1: "L-1",
  imageUrl: "https://images.test/lamp.png",
};
const request = { path: "/sales/record", body: '{"itemUID":"item-1","barcode1":"L-1"}' };

function lineOf(status: KeptLine["status"], ageDays: number): KeptLine {
  return {
    lineKey: "posSale:sale-1:1",
    saleId: "sale-1",
    status,
    takenAtMs: now.getTime() - ageDays * day,
    request,
    line: { line: 1, item: lamp },
    target: lamp,
  };
}

it("a line that the ledger does not have stays as it is, however old", () => {
  for (const line of [lineOf("waiting", 0), lineOf("waiting", 400), lineOf("refused", 400)]) {
    expect(keptAtSignOut(line, now)).toBe(line);
  }
});

it("a line that was booked in the last 7 days keeps what is sent again, and loses its names", () => {
  const kept = keptAtSignOut(lineOf("booked", 7), now);
  expect(kept).toMatchObject({ status: "booked", lineKey: "posSale:sale-1:1", request });
  expect(kept?.target).toMatchObject({ id: "item-1", consignorID: lamp.consignorID });
  expect(kept?.target.itemName).toBe("L-1");
  expect(JSON.stringify(kept)).not.toMatch(/Lamp|Avery|lamp\.png/u);
});

it("a line that was booked before, or whose money was given back, is deleted", () => {
  expect(keptAtSignOut(lineOf("booked", 7.01), now)).toBeNull();
  expect(keptAtSignOut(lineOf("refunded", 0), now)).toBeNull();
});
