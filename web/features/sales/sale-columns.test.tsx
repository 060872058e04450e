// A sale that was recorded without a price says so in each amount that depends on it.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { SaleView } from "#features/sales/contract.ts";
import { saleView } from "#testing/shop/sale-view.ts";
import { saleColumns } from "./sale-columns.tsx";

const sale = saleView();

function cellOf(id: string, shown: SaleView): string {
  const column = saleColumns.find((one) => one.id === id);
  return renderToStaticMarkup(<>{column?.cell(shown)}</>);
}

it("says of a sale without a price that the store's part is not known, instead of $0.00", () => {
  const unpriced = { ...sale, salePrice: null, storeAmount: 0 };
  for (const id of ["salePrice", "storeAmount"]) {
    expect(cellOf(id, unpriced)).toContain("recorded without a price");
    expect(cellOf(id, unpriced)).not.toContain("$0.00");
    expect(cellOf(id, sale)).toContain("$20.00");
  }
});
