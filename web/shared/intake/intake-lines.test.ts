// Tests what a mass input shows of each code before it is saved, and what it sends of new ones.
import { expect, it } from "vitest";
import type { KnownBarcode } from "#features/inventory/contract-commands.ts";
import { itemsToSend, linesOf } from "./intake-lines.ts";
import { tallyOf } from "./scan-tally.ts";

const like: KnownBarcode = {
  barcode1: "LIKE",
  own: null,
  itemName: "Desk lamp",
  listingTitle: "Desk lamp, brass",
  link: "",
  imageUrl: "https://img.example/lamp",
};
const facts = new Map<string, KnownBarcode | null>([
  ["OWN", { ...like, barcode1: "OWN", own: { id: "1", quantity: 3 }, itemName: "Radio" }],
  ["LIKE", like],
  ["NEW", null],
]);
const tally = tallyOf("OWN\nLIKE\nNEW\nOWN\nLATE");

it("calls known items as they are, and new ones as typed, as others with the code, or by the common name", () => {
  const named = (names: Record<string, string>) =>
    linesOf(tally, facts, names, " Things ").map((line) => [line.kind, line.itemName, line.units]);
  expect(named({})).toEqual([
    ["known", "Radio", 2],
    ["new", "Desk lamp", 1],
    ["new", "Things", 1],
    ["asking", "Things", 1],
  ]);
  expect(named({ LIKE: "Brass lamp", NEW: "" }).slice(1, 3)).toEqual([
    ["new", "Brass lamp", 1],
    ["new", "", 1],
  ]);
});

it("sends each new code's name, with the title and picture that are known of it", () => {
  const lines = linesOf(tally, facts, { NEW: "Vase" }, "");
  expect(itemsToSend(lines, facts)).toEqual([
    {
      barcode1: "LIKE",
      itemName: "Desk lamp",
      listingTitle: "Desk lamp, brass",
      link: "",
      imageUrl: "https://img.example/lamp",
    },
    { barcode1: "NEW", itemName: "Vase" },
  ]);
});
