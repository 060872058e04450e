// What the till finds by words.
import { expect, it } from "vitest";
import type { CatalogueItem } from "#features/inventory/contract-catalogue.ts";
import { CatalogueIndex } from "./catalogue-index.ts";

const item: CatalogueItem = {
  id: "pokemon",
  consignorID: null,
  itemName: "Pok\u00E9mon \u00C9lite Box",
  barcode1: "ACC-1",
  barcode2: "",
  location: "A-01",
  quantity: 1,
  consignorDisplayName: null,
  imageUrl: "",
  tagPriceCents: null,
  archived: false,
};

it("the till finds what is named with accents without them, and the other way round", () => {
  const index = new CatalogueIndex();
  index.put(item);
  for (const typed of ["pokemon", "elite", "POK\u00C9MON", "Poke\u0301mon box"]) {
    expect([typed, index.search(typed)]).toEqual([typed, [item]]);
  }
  expect(index.search("pokeman")).toEqual([]);
});
