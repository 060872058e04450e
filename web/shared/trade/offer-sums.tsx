// What the seller receives for an offer after the store's commission, or what the buyer pays with the shipping fee.
import { shareOf } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { SumLines, type SumLine } from "#web/ui/sum-lines.tsx";
import type { AnswerableOffer } from "./offer-terms.ts";

type OfferSumsProps = {
  readonly offer: Pick<AnswerableOffer, "commissionPercentage" | "shippingFeeCents">;
  /** Undefined while the typed text is not a number. */
  readonly quantity: number | undefined;
  readonly priceCents: number | undefined;
};

export function OfferSums({ offer, quantity, priceCents }: OfferSumsProps) {
  if (quantity === undefined || priceCents === undefined) {
    return null;
  }
  const { commissionPercentage, shippingFeeCents } = offer;
  const total = quantity * priceCents;
  const price: SumLine = {
    label: "Price",
    hint: `${quantity} × ${formatMoney(priceCents)}`,
    cents: total,
  };
  if (commissionPercentage !== undefined) {
    const commission = shareOf(total, commissionPercentage, 100);
    return (
      <SumLines
        lines={[
          price,
          { label: "Store's commission", hint: `${commissionPercentage}%`, cents: -commission },
        ]}
        total={{ label: "You receive", cents: total - commission }}
      />
    );
  }
  const fee = shippingFeeCents ?? 0;
  return (
    <SumLines
      lines={fee === 0 ? [price] : [price, { label: "Shipping fee", cents: fee }]}
      total={{ label: "You pay", cents: total + fee }}
    />
  );
}
