// Tests what an inventory without rows says.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { InventoryFilters } from "#web/shared/item/item-search.ts";
import { NoItems } from "./inventory-list.tsx";

function saidOf(filters: InventoryFilters): string {
  const acts = { onClear: () => undefined, onAdd: () => undefined, onImport: () => undefined };
  return renderToStaticMarkup(<NoItems filters={filters} {...acts} />);
}

it("a store that has no items yet is not told that a search found none", () => {
  expect(saidOf({})).toContain("No items yet");
  expect(saidOf({})).not.toContain("No items found");
});

it("a search that found no items says so", () => {
  expect(saidOf({ searchTerm: "lamp" })).toContain("No items found");
});
