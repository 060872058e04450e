// Tests what a row's menu has: also what its columns have no room for.
import { expect, it } from "vitest";
import type { InventoryItem } from "#features/inventory/contract.ts";
import { rowMenuOf } from "./inventory-columns.tsx";

const item: InventoryItem = {
  id: "3d1f0a52-0000-4000-8000-000000000002",
  source: "MasterInventory",
  consignorID: null,
  consignorDisplayName: null,
  itemName: "Kindle",
  listingTitle: "",
  barcode1: "K-1",
  barcode2: "",
  location: "",
  quantity: 1,
  unitsInTrades: 0,
  link: "https://shop.example/kindle",
  imageUrl: "",
  asin: "",
  tagPriceCents: null,
  version: 1,
  archived: false,
  addedAt: "2026-11-21T10:00:00.000Z",
  unsoldSince: "2026-11-21T10:00:00.000Z",
};

const menu = (link: string) => rowMenuOf({ ...item, link }, ["edit", "delete"], () => undefined);

it("an item's link is in its row's menu, because a narrow list has no column for it", () => {
  expect(menu(item.link).map(({ label, href }) => [label, href])).toEqual([
    ["Edit", undefined],
    ["Link", item.link],
    ["Delete", undefined],
  ]);
});

it("an item without a link has none in its row's menu", () => {
  expect(menu("").map(({ label }) => label)).toEqual(["Edit", "Delete"]);
});
