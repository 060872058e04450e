// What is left of a sale's money, in one large amount, and below it who has it: as sold, refunded, and now.
import type { SaleView } from "#features/sales/contract.ts";
import { toCents, type Cents } from "#ledger/money.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { Money } from "#web/ui/money.tsx";
import { SmallTable } from "#web/ui/small-table.tsx";
import { shareLeft, taxLeft } from "#web/shared/sale/refund-sums.ts";
import { currentSplit } from "#web/shared/sale/sale-terms.ts";
import { Waterfall } from "#web/shared/sale/waterfall.tsx";
import { consignorOf } from "./sale-words.ts";

export function SaleMoney({ sale }: { readonly sale: SaleView }) {
  const { salePrice, status } = sale;
  if (salePrice === null) {
    return <p className="text-muted">Recorded without a price: only stock moved.</p>;
  }
  const paid = toCents(salePrice) + toCents(sale.salesTax);
  const back = toCents(sale.refundedAmount) + toCents(sale.refundedTax);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col">
        <p className="text-24 font-semibold">
          <Money cents={paid - back} />
        </p>
        <p className="text-muted">{leadOf(sale, paid, back)}</p>
      </div>
      {status === "sold" ? (
        <Waterfall split={currentSplit(sale)} consignorName={consignorOf(sale)} />
      ) : (
        <Parts sale={sale} />
      )}
    </div>
  );
}

function leadOf({ status, salesTax, ...sale }: SaleView, paid: Cents, back: Cents): string {
  if (status === "refunded") {
    return `Fully refunded: the customer has all of ${formatMoney(paid)} back.`;
  }
  if (status === "partly_refunded") {
    const units =
      sale.refundedQuantity === 0
        ? ""
        : ` for ${sale.refundedQuantity} of ${formatQuantity(sale.soldQuantity, "unit")}`;
    return `Remaining of ${formatMoney(paid)}, after refunds of ${formatMoney(back)}${units}.`;
  }
  return salesTax === 0
    ? "Paid by the customer"
    : `Paid by the customer, ${formatMoney(toCents(salesTax))} of it sales tax`;
}

type Part = { readonly label: string; readonly sold: Cents; readonly now: Cents };

/** The price and the tax come from the customer; shipping, the consignor and the store have the price. */
function partsOf(sale: SaleView): readonly (Part & { readonly isOf: "customer" | "price" })[] {
  const consignor = consignorOf(sale);
  const [price, refunded] = [toCents(sale.salePrice ?? 0), toCents(sale.refundedAmount)];
  const [payout, shipping] = [toCents(sale.payoutAmount), toCents(sale.shippingCost)];
  const all = [
    { isOf: "customer", label: "Sale price", sold: price, now: price - refunded },
    { isOf: "customer", label: "Sales tax", sold: toCents(sale.salesTax), now: taxLeft(sale) },
    { isOf: "price", label: "Shipping", sold: shipping, now: shipping },
    { isOf: "price", label: consignor ?? "Consignor", sold: payout, now: shareLeft(sale) },
    {
      isOf: "price",
      label: "Store",
      sold: price - shipping - payout,
      now: toCents(sale.storeAmount),
    },
  ] as const;
  return all.filter(({ sold, now, label }) => sold !== 0 || now !== 0 || label === "Sale price");
}

function Parts({ sale }: { readonly sale: SaleView }) {
  return (
    <SmallTable
      label="Money as sold, refunded and now"
      columns={[
        { label: "Who", isHidden: true },
        { label: "Sold", align: "end" },
        { label: "Refunded", align: "end" },
        { label: "Now", align: "end" },
      ]}
    >
      {partsOf(sale).map(({ isOf, label, sold, now }) => (
        <tr key={label} className="border-t border-border">
          <th
            scope="row"
            className={`h-8 max-w-40 truncate text-start ${isOf === "price" ? "ps-4 font-normal text-muted" : "font-medium"}`}
          >
            {label}
          </th>
          <td className="text-end">
            <Money cents={sold} />
          </td>
          <td className="text-end">
            <Money cents={now - sold} isChange />
          </td>
          <td className="text-end font-semibold">
            <Money cents={now} />
          </td>
        </tr>
      ))}
    </SmallTable>
  );
}
