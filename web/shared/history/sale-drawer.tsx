// One sale in detail: how the price became the consignor's share, and its refunds.
import type { OwnSaleView } from "#features/sales/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import type { Freshness } from "#web/lib/read.ts";
import { useProfile } from "#web/shared/account/session.tsx";
import { AuditLink } from "#web/shared/audit/audit-link.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { Drawer } from "#web/ui/drawer.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { SumLines } from "#web/ui/sum-lines.tsx";
import { Money } from "#web/ui/money.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { shareLeft } from "#web/shared/sale/refund-sums.ts";
import { useHistorySale } from "#web/shared/sale/sale-api.ts";
import { SaleStory } from "#web/shared/sale/sale-story.tsx";
import { WhyLink } from "#web/shared/explain/line-links.tsx";
import { SaleChip } from "./line-chip.tsx";
import { shareSum } from "./share-sum.ts";

type SaleDrawerProps = {
  readonly id: string;
  /** The sale as the list shows it, until the sale's own read has loaded. */
  readonly known: OwnSaleView | undefined;
  /** False if an admin looks at another person's sale. */
  readonly isOwn: boolean;
  /** The list's freshness, for a held sale that has no read of its own. */
  readonly listFreshness: Freshness | undefined;
  readonly onClose: () => void;
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
};

export function SaleDrawer(props: SaleDrawerProps) {
  const { id, known, listFreshness, onClose, onPrevious, onNext } = props;
  const read = useHistorySale(id);
  const sale = read.data?.sale ?? known;
  // An admin's own history opens any sale that its address names.
  const isOwn = useProfile().uid === sale?.consignorID && props.isOwn;
  return (
    <Drawer
      title={sale?.itemName ?? "Sale"}
      subtitle={
        sale === undefined ? undefined : (
          <span className="flex flex-wrap items-center gap-2">
            <SaleChip status={sale.status} />
            <DateTime at={sale.dateSold} />
          </span>
        )
      }
      freshness={read.freshness ?? listFreshness}
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
    >
      {sale !== undefined ? (
        <SaleDetails sale={sale} isOwn={isOwn} />
      ) : read.error === undefined ? (
        <Skeleton className="h-48" />
      ) : (
        <ErrorState
          title="The sale could not be loaded"
          thing="sale"
          error={read.error}
          onRetry={read.refresh}
        />
      )}
    </Drawer>
  );
}

type SaleDetailsProps = { readonly sale: OwnSaleView; readonly isOwn: boolean };

function SaleDetails({ sale, isOwn }: SaleDetailsProps) {
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col">
        <p className="text-24 font-semibold">
          <Money cents={shareLeft(sale)} />
        </p>
        <p className="text-muted">{leadOf(sale, isOwn)}</p>
      </div>
      <section className="flex flex-col gap-2">
        <h3 className="font-medium">Calculation</h3>
        <SumLines {...shareSum(sale, isOwn)} />
        <p className="text-12 text-muted">{sale.saleRecord}</p>
      </section>
      <FactList
        facts={[
          {
            label: "Money",
            value: <WhyLink why={{ kind: "sale", id: sale.saleID }}>What it paid for</WhyLink>,
          },
          { label: "Quantity", value: formatQuantity(sale.soldQuantity, "unit") },
          ...(sale.barcode1 === null ? [] : [{ label: "Barcode", value: sale.barcode1 }]),
          ...(sale.refundedQuantity === 0
            ? []
            : [{ label: "Refunded", value: formatQuantity(sale.refundedQuantity, "unit") }]),
          {
            label: "History",
            value: <AuditLink to={{ sale: sale.saleID }} isOwn={isOwn} />,
          },
        ]}
      />
      <SaleStory
        key={sale.saleID}
        saleId={sale.saleID}
        consignorId={sale.consignorID}
        isOwn={isOwn}
      />
    </div>
  );
}

/** Whose money the large amount is, and what refunds took from it. */
function leadOf(sale: OwnSaleView, isOwn: boolean): string {
  const price = formatMoney(toCents(sale.salePrice ?? 0));
  const whose = isOwn ? "Your share" : "Consignor share";
  if (sale.status === "refunded") {
    return `Fully refunded: the customer has all of ${price} back.`;
  }
  return sale.status === "partly_refunded"
    ? `${whose}, after refunds of ${formatMoney(toCents(sale.refundedAmount))} of ${price}`
    : `${whose} of ${price}`;
}
