// What a trade request would cost, and what the buyer would have left.
import { formatCount, formatMoney } from "#web/lib/formats.ts";
import { BeforeAfter } from "#web/ui/before-after.tsx";
import { SumLines } from "#web/ui/sum-lines.tsx";
import type { Cost, RequestDraft } from "./request-draft.ts";

type CostPreviewProps = {
  readonly cost: Cost | undefined;
  /** Known before there is a price. */
  readonly feeCents: number;
  readonly draft: RequestDraft;
  /** Undefined while it is loading. */
  readonly availableCents: number | undefined;
};

export function CostPreview({ cost, feeCents, draft, availableCents }: CostPreviewProps) {
  return (
    <section aria-label="Cost" className="flex flex-col gap-3" aria-live="polite">
      <SumLines
        lines={[
          {
            label: "Price",
            cents: cost?.itemsCents ?? 0,
            ...(cost === undefined
              ? {}
              : { hint: `${formatCount(cost.quantity)} × ${formatMoney(cost.priceCents)}` }),
          },
          {
            label: "Shipping fee",
            cents: feeCents,
            ...(draft.hasOwnLabel ? { hint: "your own label" } : {}),
          },
        ]}
        total={{ label: "Total", cents: cost?.totalCents ?? feeCents }}
      />
      {availableCents === undefined ? null : (
        <BeforeAfter
          isBalance
          rows={[
            {
              label: "Available",
              before: availableCents,
              // What costs more is not sent, so there is no balance after it.
              after:
                cost === undefined || cost.totalCents > availableCents
                  ? undefined
                  : availableCents - cost.totalCents,
            },
          ]}
        />
      )}
      <p className="text-12 text-muted">
        {`Nothing is held before a consignor accepts. Then the price of the accepted units${feeCents === 0 ? " is" : " and the shipping fee are"} held until the store has shipped them.`}
      </p>
    </section>
  );
}
