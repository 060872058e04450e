// The columns of the list of sales.
import type { SaleSort, SaleView } from "#features/sales/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount } from "#web/lib/formats.ts";
import { Chip } from "#web/ui/chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { Money } from "#web/ui/money.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { shareLeft, taxLeft } from "#web/shared/sale/refund-sums.ts";
import { PicturedName } from "#web/shared/item/pictured-name.tsx";
import { SalePrice } from "#web/shared/sale/sale-price.tsx";
import { consignorOf, exceptionOf } from "./sale-words.ts";

const noPrice = "recorded without a price";

export const saleColumns: readonly Column<SaleView, SaleSort>[] = [
  {
    id: "itemName",
    header: "Item",
    sortAs: "item",
    card: "title",
    isTruncated: true,
    width: "min-w-48 w-[30%]",
    cell: (sale) => <PicturedName url={sale.imageUrl ?? ""}>{sale.itemName}</PicturedName>,
  },
  {
    id: "dateSold",
    header: "Sold at",
    sortAs: "date",
    card: "line",
    cell: (sale) => <DateTime at={sale.dateSold} />,
  },
  {
    id: "consignor",
    header: "Consignor",
    sortAs: "consignor",
    card: "line",
    isTruncated: true,
    width: "min-w-24 w-[16%]",
    cell: (sale) => {
      const name = consignorOf(sale);
      return name ?? <span className="text-muted">Store</span>;
    },
  },
  {
    id: "soldQuantity",
    header: "Units",
    sortAs: "quantity",
    card: "none",
    shownFrom: "73rem",
    align: "end",
    cell: (sale) => formatCount(sale.soldQuantity),
  },
  {
    id: "salePrice",
    header: "Sale price",
    sortAs: "price",
    card: "amount",
    align: "end",
    cell: (sale) => <SalePrice sale={sale} unknown={noPrice} />,
  },
  {
    id: "salesTax",
    header: "Tax",
    sortAs: "tax",
    card: "none",
    shownFrom: "66rem",
    align: "end",
    cell: (sale) =>
      sale.salesTax === 0 && sale.channel !== "pos" ? (
        <Unknown reason="no sales tax" />
      ) : (
        <Money cents={taxLeft(sale)} />
      ),
  },
  {
    id: "shippingCost",
    header: "Shipping",
    sortAs: "shipping",
    card: "none",
    shownFrom: "77rem",
    align: "end",
    cell: (sale) => <Money cents={toCents(sale.shippingCost)} />,
  },
  {
    id: "payoutAmount",
    header: "Consignor gets",
    sortAs: "payout",
    card: "none",
    align: "end",
    cell: (sale) =>
      sale.consignorID === null ? (
        <Unknown reason="no consignor" />
      ) : (
        <Money cents={shareLeft(sale)} />
      ),
  },
  {
    id: "storeAmount",
    header: "Store keeps",
    sortAs: "store",
    card: "none",
    shownFrom: "66rem",
    align: "end",
    cell: (sale) =>
      sale.salePrice === null ? (
        <Unknown reason={noPrice} />
      ) : (
        <Money cents={toCents(sale.storeAmount)} />
      ),
  },
  {
    id: "status",
    header: "Status",
    card: "chip",
    cell: (sale) => {
      const exception = exceptionOf(sale);
      return exception === undefined ? null : <Chip {...exception} />;
    },
  },
];
