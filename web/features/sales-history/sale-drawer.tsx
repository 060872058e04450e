// One sale opened: how the price became the consignor's share, and what came back.
import type { SaleView } from "#features/sales/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { Drawer } from "#web/ui/drawer.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { SumLines, type SumLine } from "#web/ui/sum-lines.tsx";
import { SaleChip } from "./line-chip.tsx";

type SaleDrawerProps = {
  readonly sale: SaleView;
  readonly onClose: () => void;
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
};

/** From the price to the consignor's share; a price that is not known has only the share. */
export function shareLines(sale: SaleView): SumLine[] {
  const percentage = sale.consignorPercentage;
  if (sale.salePrice === null || sale.kind === "custom") {
    return [];
  }
  const lines: SumLine[] = [
    { label: "Sale price", cents: toCents(sale.salePrice) },
    { label: "Shipping", cents: -toCents(sale.shippingCost) },
    {
      label: "Store's share",
      cents: -toCents(sale.storeAmount),
      ...(percentage === null ? {} : { hint: `${100 - percentage}%` }),
    },
  ];
  return lines.filter((line) => line.cents !== 0 || line.label === "Sale price");
}

export function SaleDrawer({ sale, onClose, onPrevious, onNext }: SaleDrawerProps) {
  const payout = toCents(sale.payoutAmount);
  const refunded = toCents(sale.refundedPayout);
  const lines = shareLines(sale);
  return (
    <Drawer
      title={sale.itemName}
      subtitle={<SaleChip status={sale.status} />}
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
    >
      <div className="flex flex-col gap-6">
        <section className="flex flex-col gap-2">
          <h3 className="font-medium">How your share came about</h3>
          <SumLines
            lines={[
              ...lines,
              ...(refunded === 0
                ? []
                : [
                    ...(lines.length === 0 ? [{ label: "Your share", cents: payout }] : []),
                    { label: "Taken back by refunds", cents: -refunded },
                  ]),
            ]}
            total={{
              label: refunded === 0 ? "Your share" : "Your share after refunds",
              cents: payout - refunded,
            }}
          />
          <p className="text-12 text-muted">{sale.saleRecord}</p>
        </section>
        <FactList
          facts={[
            { label: "Sold", value: <DateTime at={sale.dateSold} /> },
            { label: "Quantity", value: formatQuantity(sale.soldQuantity, "unit") },
            ...(sale.barcode1 === null ? [] : [{ label: "Barcode", value: sale.barcode1 }]),
            ...(sale.refundedQuantity === 0
              ? []
              : [{ label: "Refunded", value: formatQuantity(sale.refundedQuantity, "unit") }]),
            ...(sale.corrections === 0
              ? []
              : [{ label: "Corrected", value: formatQuantity(sale.corrections, "time") }]),
          ]}
        />
      </div>
    </Drawer>
  );
}
