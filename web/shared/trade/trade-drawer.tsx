// One trade next to its list: cost, offers, parcel and history. A seller sees only the own offer and what became of it.
import type { ReactNode } from "react";
import type { OpenedTrade, Trade, TradeOffer } from "#features/trades/contract-reads.ts";
import { shortTradeId } from "#features/trades/contract-short-id.ts";
import { useParams } from "#web/lib/search-param.ts";
import { AsOfField } from "#web/shared/past/as-of-field.tsx";
import { momentIn } from "#web/shared/past/moment.ts";
import { AskedRibbon } from "#web/shared/past/past-ribbon.tsx";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import type { Read } from "#web/lib/read.ts";
import { Chip, type ChipKind } from "#web/ui/chip.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { Drawer } from "#web/ui/drawer.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { SumLines, type SumLine } from "#web/ui/sum-lines.tsx";
import { AuditLink } from "#web/shared/audit/audit-link.tsx";
import { useProfile } from "#web/shared/account/session.tsx";
import { SellersPart } from "./sellers-part.tsx";
import { useTrade } from "./trade-api.ts";
import { Tracking } from "./tracking.tsx";
import { TradeIcon } from "#web/ui/thing-icons.ts";
import { TradeHistory } from "./trade-history.tsx";
import { offerWords, priceNow, tradeStatusWords, unitsAt } from "./trade-words.ts";

type TradeDrawerProps = {
  readonly tradeId: string;
  /** The list's row, until the trade itself is loaded. */
  readonly known: Trade | undefined;
  readonly onClose: () => void;
  readonly onPrevious?: (() => void) | undefined;
  readonly onNext?: (() => void) | undefined;
  /** What can be done with the trade. */
  readonly footer?: (trade: Trade) => ReactNode;
};

export function TradeDrawer(props: TradeDrawerProps) {
  const { tradeId, known, onClose, onPrevious, onNext, footer } = props;
  const [params] = useParams();
  const at = momentIn(params);
  const read = useTrade(tradeId, at);
  const { data } = read;
  const isOwn = useProfile().role !== "admin";
  const trade =
    data?.seenAs === "seller" ? undefined : (data ?? (at === undefined ? known : undefined));
  return (
    <Drawer
      title={data?.itemName ?? known?.itemName ?? "Trade"}
      subtitle={
        data?.seenAs === "seller" ? (
          <Subtitle
            words={tradeStatusWords[data.tradeStatus]}
            tradeId={tradeId}
            createdAt={data.createdAt}
          />
        ) : trade === undefined ? undefined : (
          <Subtitle
            words={tradeStatusWords[trade.status]}
            tradeId={tradeId}
            createdAt={trade.createdAt}
          />
        )
      }
      freshness={read.freshness}
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      footer={trade === undefined || at !== undefined ? undefined : footer?.(trade)}
    >
      <div className="mb-6">{at === undefined ? <AsOfField /> : <AskedRibbon at={at} />}</div>
      {data?.seenAs === "seller" ? (
        <SellersPart trade={data} at={at} />
      ) : trade === undefined ? (
        <NoTrade read={read} isOwn={isOwn} />
      ) : (
        <div className="flex flex-col gap-6">
          <TradeMoney trade={trade} />
          <FactList facts={factsOf(trade)} />
          <Offers offers={trade.offers} />
          <AuditLink to={{ trade: tradeId }} isOwn={isOwn} />
          <TradeHistory key={tradeId} tradeId={tradeId} at={at} />
        </div>
      )}
    </Drawer>
  );
}

type SubtitleProps = {
  readonly words: { readonly label: string; readonly kind: ChipKind };
  readonly tradeId: string;
  readonly createdAt: string;
};

function Subtitle({ words, tradeId, createdAt }: SubtitleProps) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Chip kind={words.kind}>{words.label}</Chip>
      <span className="font-mono">{shortTradeId(tradeId)}</span>
      <DateTime at={createdAt} />
    </span>
  );
}

type NoTradeProps = {
  readonly read: Read<OpenedTrade>;
  /** False for an admin, who may open every trade. */
  readonly isOwn: boolean;
};

function NoTrade({ read: { error, refresh }, isOwn }: NoTradeProps) {
  if (error === undefined) {
    return <Skeleton className="h-48" />;
  }
  // 400: the address names something that is not an id.
  return error.status === 404 || error.status === 400 ? (
    <EmptyState icon={TradeIcon} title="This trade does not exist">
      {isOwn
        ? "Its buyer and the sellers who were asked can open a trade."
        : "The link may be incomplete."}
    </EmptyState>
  ) : (
    <ErrorState title="The trade could not be loaded" error={error} onRetry={refresh} />
  );
}

function TradeMoney({ trade }: { readonly trade: Trade }) {
  const { totalCost, shippingFee, heldCents, refundedCents, status } = trade;
  const isUnpaid = status === "cancelled" || status === "expired";
  const fee: readonly SumLine[] =
    shippingFee === 0 ? [] : [{ label: "Shipping fee", cents: shippingFee }];
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">Cost</h3>
      <SumLines
        lines={[{ label: "Items", cents: totalCost - shippingFee }, ...fee]}
        total={{ label: "Total", cents: totalCost }}
      />
      <p className="text-12 text-muted">
        {heldCents > 0
          ? `${formatMoney(heldCents)} is held for this trade.`
          : isUnpaid
            ? "It ended without a purchase: nothing was paid."
            : "Nothing is held for this trade."}
        {refundedCents > 0 ? ` ${formatMoney(refundedCents)} was refunded.` : ""}
      </p>
    </section>
  );
}

function Offers({ offers }: { readonly offers: readonly TradeOffer[] }) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">{formatQuantity(offers.length, "offer")}</h3>
      <ul className="divide-y divide-border rounded-card border border-border">
        {offers.map((offer, index) => {
          const { label, kind } = offerWords(offer, "buyer");
          return (
            <li
              key={offer.offerId}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2"
            >
              <span className="font-medium">
                {offer.seller?.displayName ?? `Seller ${index + 1}`}
              </span>
              <Chip kind={kind}>{label}</Chip>
              <span className="ms-auto tabular-nums">
                {offer.acceptedQuantity > 0 && offer.acceptedPrice !== null
                  ? `${offer.acceptedQuantity} × ${formatMoney(offer.acceptedPrice)}`
                  : `${offer.quantity} × ${formatMoney(priceNow(offer))}`}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function factsOf(trade: Trade) {
  return [
    {
      label: "Asked for",
      value: unitsAt(trade.quantity, trade.pricePerItem),
    },
    { label: "Accepted", value: formatQuantity(trade.acceptedQuantity, "unit") },
    { label: "Barcode", value: <span className="font-mono text-12">{trade.itemBarcode}</span> },
    { label: "Label", value: trade.providesOwnShipping ? "By the buyer" : "By the store" },
    { label: "Tracking", value: <Tracking trade={trade} /> },
    ...(trade.report === null
      ? []
      : [
          {
            label: "Reported",
            value: (
              <>
                {trade.report.kind}, <DateTime at={trade.report.reportedAt} />
                {trade.report.description === null ? null : (
                  <span className="block">{trade.report.description}</span>
                )}
              </>
            ),
          },
        ]),
    ...(trade.cancelReason === null
      ? []
      : [{ label: "Cancelled because", value: trade.cancelReason }]),
    {
      label: "Trade ID",
      value: <span className="font-mono text-12">{trade.tradeId}</span>,
    },
  ];
}
