// A trade as one of its sellers sees it: the own offer, what it pays, and its history.
import type { SellersTrade } from "#features/trades/contract-reads.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { Chip } from "#web/ui/chip.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { SumLines } from "#web/ui/sum-lines.tsx";
import { TradeHistory } from "./trade-history.tsx";
import { offerWords, priceNow, unitsAt } from "./trade-words.ts";

/** What the amounts are worth now. */
function paidText({ acceptedQuantity, fulfilledAt, refundedCents, tradeStatus }: SellersTrade) {
  if (fulfilledAt !== null) {
    return refundedCents === 0
      ? "You were paid when the store fulfilled the trade."
      : `You were paid when the store fulfilled the trade. ${formatMoney(refundedCents)} went back to the buyer.`;
  }
  if (acceptedQuantity === 0 || tradeStatus === "cancelled") {
    return "Nothing was paid for this offer.";
  }
  return "You are paid when the store fulfills the trade. Until then it holds your units.";
}

type SellersPartProps = {
  readonly trade: SellersTrade;
  /** A moment of the past; undefined for now. */
  readonly at: string | undefined;
};

export function SellersPart({ trade, at }: SellersPartProps) {
  const { totalValue, commissionCents, commissionPercentage, payoutCents } = trade;
  const { label, kind } = offerWords(trade, "seller");
  return (
    <div className="flex flex-col gap-6">
      <section className="flex flex-col gap-2">
        <h3 className="font-semibold">Your offer</h3>
        <SumLines
          lines={[
            { label: "Price", cents: totalValue },
            { label: `Store's commission (${commissionPercentage}%)`, cents: -commissionCents },
          ]}
          total={{ label: "You receive", cents: payoutCents }}
        />
        <p className="text-12 text-muted">{paidText(trade)}</p>
      </section>
      <FactList
        facts={[
          { label: "State", value: <Chip kind={kind}>{label}</Chip> },
          {
            label: trade.acceptedQuantity > 0 ? "Accepted" : "On the table",
            value:
              trade.acceptedQuantity > 0
                ? formatQuantity(trade.acceptedQuantity, "unit")
                : unitsAt(trade.quantity, priceNow(trade)),
          },
          {
            label: "Barcode",
            value: <span className="font-mono text-12">{trade.itemBarcode}</span>,
          },
          ...(trade.fulfilledAt === null
            ? []
            : [{ label: "Fulfilled", value: <DateTime at={trade.fulfilledAt} /> }]),
          {
            label: "Trade ID",
            value: <span className="font-mono text-12">{trade.tradeId}</span>,
          },
        ]}
      />
      <TradeHistory key={trade.tradeId} tradeId={trade.tradeId} at={at} />
    </div>
  );
}
