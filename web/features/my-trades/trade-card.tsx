// One of the buyer's trades: item, cost, progress, counters to answer, open offers, and actions.
import { Check, History, Reply, X } from "lucide-react";
import type { ReactNode } from "react";
import type { Trade, TradeOffer } from "#features/trades/contract-reads.ts";
import { shortTradeId } from "#features/trades/contract-short-id.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { ItemImage } from "#web/shared/item/item-image.tsx";
import { preloadAnswers, type Answer } from "#web/shared/trade/answer-dialog.tsx";
import { Countdown } from "#web/shared/trade/countdown.tsx";
import type { AnswerableOffer } from "#web/shared/trade/offer-terms.ts";
import { TakeBackButton } from "#web/shared/trade/take-back-button.tsx";
import { Tracking } from "#web/shared/trade/tracking.tsx";
import { TradeSteps } from "#web/shared/trade/trade-steps.tsx";
import {
  boughtWords,
  countersFor,
  isOpenOffer,
  offerWords,
  priceNow,
  tradeStatusWords,
  unitsAt,
} from "#web/shared/trade/trade-words.ts";
import { Button } from "#web/ui/button.tsx";
import { Chip } from "#web/ui/chip.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Menu } from "#web/ui/menu.tsx";
import { Money } from "#web/ui/money.tsx";
import { actsOf, type TradeAct } from "./trade-acts.ts";

type TradeCardProps = {
  readonly trade: Trade;
  readonly onOpen: () => void;
  readonly onAct: (act: TradeAct) => void;
  readonly onAnswer: (answer: Answer, offer: AnswerableOffer) => void;
};

export function TradeCard({ trade, onOpen, onAct, onAnswer }: TradeCardProps) {
  const waiting = countersFor(trade);
  const open = trade.offers.filter((offer) => isOpenOffer(offer) && !waiting.includes(offer));
  return (
    <li data-row className="flex flex-col gap-4 card p-4 max-sm:p-3">
      <Head trade={trade} onOpen={onOpen} />
      <TradeSteps trade={trade} />
      {waiting.map((offer) => (
        <CounterBanner key={offer.offerId} trade={trade} offer={offer} onAnswer={onAnswer} />
      ))}
      <State trade={trade} />
      {open.length === 0 ? null : <OpenOffers trade={trade} offers={open} />}
      <Acts trade={trade} onOpen={onOpen} onAct={onAct} />
    </li>
  );
}

/** What the sum above it is. A trade that ended without a purchase cost nothing: it was only asked for. */
function paidWords({ heldCents, refundedCents, status }: Trade): string {
  if (heldCents > 0) {
    return `${formatMoney(heldCents)} held`;
  }
  if (refundedCents > 0) {
    return `${formatMoney(refundedCents)} refunded`;
  }
  return status === "cancelled" || status === "expired" ? "not paid" : "total";
}

function Head({ trade, onOpen }: Pick<TradeCardProps, "trade" | "onOpen">) {
  const { label, kind } = tradeStatusWords[trade.status];
  return (
    <div className="flex items-start gap-3">
      <ItemImage url={trade.imageUrl} size="small" />
      <div className="flex min-w-0 grow flex-col gap-1">
        <button
          type="button"
          data-row-main
          onClick={onOpen}
          className="min-h-6 text-start font-medium wrap-anywhere hover:text-accent"
        >
          {trade.itemName}
        </button>
        <p className="text-muted tabular-nums">{boughtWords(trade)}</p>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-muted">
          <Chip kind={kind}>{label}</Chip>
          <span className="font-mono">{shortTradeId(trade.tradeId)}</span>
          <DateTime at={trade.createdAt} />
        </p>
      </div>
      <div className="flex shrink-0 flex-col items-end">
        <span className="font-semibold">
          <Money cents={trade.totalCost} />
        </span>
        <span className="text-12 text-muted">{paidWords(trade)}</span>
      </div>
    </div>
  );
}

function answerable(trade: Trade, offer: TradeOffer): AnswerableOffer {
  return {
    offerId: offer.offerId,
    tradeId: trade.tradeId,
    itemName: trade.itemName,
    quantity: offer.quantity,
    priceCents: priceNow(offer),
    countersLeft: offer.countersLeft,
    commissionPercentage: undefined,
    // It is charged with the first acceptance.
    shippingFeeCents: trade.acceptedQuantity > 0 ? 0 : trade.shippingFee,
  };
}

type CounterBannerProps = Pick<TradeCardProps, "trade" | "onAnswer"> & {
  readonly offer: TradeOffer;
};

function CounterBanner({ trade, offer, onAnswer }: CounterBannerProps) {
  const answer = (kind: Answer) => () => onAnswer(kind, answerable(trade, offer));
  return (
    <section
      aria-label="A counter waits for you"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card bg-accent-tint px-4 py-3"
    >
      <p className="flex min-w-0 grow flex-col">
        <span className="font-medium text-accent">A counter waits for you</span>
        <span className="flex flex-wrap gap-x-3">
          <span className="tabular-nums">{unitsAt(offer.quantity, priceNow(offer))}</span>
          <Countdown until={offer.expiresAt} />
        </span>
      </p>
      <span className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:grow">
        <Button
          icon={X}
          variant="quiet"
          aria-label={`Decline: ${trade.itemName}`}
          onClick={answer("decline")}
        >
          Decline
        </Button>
        <Button
          icon={Reply}
          disabled={offer.countersLeft === 0}
          aria-label={`Counter: ${trade.itemName}`}
          onClick={answer("counter")}
        >
          Counter
        </Button>
        <Button
          icon={Check}
          variant="primary"
          aria-label={`Accept: ${trade.itemName}`}
          onPointerEnter={preloadAnswers}
          onFocus={preloadAnswers}
          onClick={answer("accept")}
        >
          Accept
        </Button>
      </span>
    </section>
  );
}

/** What happens next. */
function State({ trade }: { readonly trade: Trade }) {
  const lines = sentencesOf(trade);
  return lines.length === 0 ? null : (
    <ul className="flex flex-col gap-1 text-muted">
      {lines.map(({ key, content }) => (
        <li key={key}>{content}</li>
      ))}
    </ul>
  );
}

function sentencesOf(
  trade: Trade,
): readonly { readonly key: string; readonly content: ReactNode }[] {
  const { status, cancelsAt, completesAt, cancelReason, report, trackingNumber } = trade;
  return [
    ...(status === "awaiting_shipping"
      ? [
          {
            key: "label",
            content: trade.providesOwnShipping
              ? "Upload your shipping label, so that the store can ship the goods."
              : "The store makes the shipping label.",
          },
        ]
      : []),
    ...(cancelsAt === null
      ? []
      : [
          {
            key: "cancels",
            content: (
              <>
                Without a label, the trade is cancelled on <DateTime at={cancelsAt} show="day" />.
              </>
            ),
          },
        ]),
    ...(trackingNumber === null
      ? []
      : [
          {
            key: "tracking",
            content: (
              <>
                Tracking: <Tracking trade={trade} />
              </>
            ),
          },
        ]),
    ...(report === null
      ? []
      : [
          {
            key: "report",
            content: `You reported that ${reportWords[report.kind]}. The store is looking into it.`,
          },
        ]),
    ...(completesAt === null
      ? []
      : [
          {
            key: "completes",
            content: (
              <>
                It completes automatically on <DateTime at={completesAt} show="day" />.
              </>
            ),
          },
        ]),
    ...(cancelReason === null
      ? []
      : [{ key: "reason", content: `Cancelled because: ${cancelReason}` }]),
  ];
}

const reportWords = {
  lost: "the parcel was lost",
  damaged: "the goods were damaged",
  wrong: "the wrong goods arrived",
  returned: "the parcel was returned",
} as const;

function OpenOffers({
  trade,
  offers,
}: {
  readonly trade: Trade;
  readonly offers: readonly TradeOffer[];
}) {
  return (
    <ul
      aria-label="Open offers"
      className="divide-y divide-border rounded-card border border-border"
    >
      {offers.map((offer) => {
        const { label, kind } = offerWords(offer, "buyer");
        return (
          <li
            key={offer.offerId}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5"
          >
            <Chip kind={kind}>{label}</Chip>
            <span className="tabular-nums">{unitsAt(offer.quantity, priceNow(offer))}</span>
            <span className="ms-auto flex items-center gap-2">
              <Countdown until={offer.expiresAt} />
              {offer.counteredBy === "buyer" && offer.turn === "seller" ? (
                <TakeBackButton offerId={offer.offerId} itemName={trade.itemName} />
              ) : null}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function Acts({ trade, onOpen, onAct }: Pick<TradeCardProps, "trade" | "onOpen" | "onAct">) {
  const { main, others } = actsOf(trade);
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <button
        type="button"
        onClick={onOpen}
        className="me-auto inline-flex min-h-6 items-center gap-1.5 text-12 font-medium text-accent hover:underline touch:min-h-11"
      >
        <Icon of={History} size={14} />
        History
        <span className="sr-only">{withIsolatedNames(` of ${trade.itemName}`)}</span>
      </button>
      {others.length === 0 ? null : (
        <Menu
          label={`More for ${trade.itemName}`}
          items={others.map(({ act, label, icon, isDanger }) => ({
            label,
            icon,
            isDanger,
            onSelect: () => onAct(act),
          }))}
        />
      )}
      {main === undefined ? null : (
        <Button
          icon={main.icon}
          aria-label={`${main.label}: ${trade.itemName}`}
          variant={main.act === "upload" || main.act === "confirm" ? "primary" : "secondary"}
          onClick={() => onAct(main.act)}
        >
          {main.label}
        </Button>
      )}
    </div>
  );
}
