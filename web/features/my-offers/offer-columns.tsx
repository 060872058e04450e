// The columns of the three lists of offers.
import { Check, Reply, X } from "lucide-react";
import type { SellerOffer } from "#features/trades/contract-reads.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { PicturedName } from "#web/shared/item/pictured-name.tsx";
import { preloadAnswers, type Answer } from "#web/shared/trade/answer-dialog.tsx";
import { Countdown } from "#web/shared/trade/countdown.tsx";
import { TakeBackButton } from "#web/shared/trade/take-back-button.tsx";
import { offerWords, priceNow } from "#web/shared/trade/trade-words.ts";
import { Button } from "#web/ui/button.tsx";
import { Chip } from "#web/ui/chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { Menu } from "#web/ui/menu.tsx";
import { Money } from "#web/ui/money.tsx";
import { Unknown } from "#web/ui/unknown.tsx";

type OnAnswer = (answer: Answer, offer: SellerOffer) => void;

const item: Column<SellerOffer> = {
  id: "item",
  header: "Item",
  card: "title",
  isTruncated: true,
  width: "min-w-48 w-[30%]",
  cell: ({ itemName, imageUrl }) => (
    <PicturedName url={imageUrl}>
      <span className="font-medium">{itemName}</span>
    </PicturedName>
  ),
};

const price: Column<SellerOffer> = {
  id: "price",
  header: "Units at price",
  card: "line",
  cell: (offer) => (
    <span className="whitespace-nowrap tabular-nums">
      {`${formatQuantity(offer.quantity, "unit")} at ${formatMoney(priceNow(offer))}`}
    </span>
  ),
};

const sums: readonly Column<SellerOffer>[] = [
  {
    id: "total",
    header: "Total",
    card: "none",
    align: "end",
    cell: ({ totalValue }) => <Money cents={totalValue} />,
  },
  {
    id: "commission",
    header: "Commission",
    card: "none",
    align: "end",
    cell: ({ commissionCents, commissionPercentage }) => (
      <span className="whitespace-nowrap">
        <Money cents={-commissionCents} />
        <span className="text-12 text-muted">{` (${commissionPercentage}%)`}</span>
      </span>
    ),
  },
  {
    id: "payout",
    header: "You receive",
    card: "amount",
    align: "end",
    cell: ({ payoutCents }) => (
      <span className="font-semibold">
        <Money cents={payoutCents} />
        <span className="text-12 font-normal text-muted hidden in-data-cards:inline"> for you</span>
      </span>
    ),
  },
];

const timeLeft: Column<SellerOffer> = {
  id: "left",
  header: "Time left",
  card: "end-line",
  width: "w-36",
  cell: ({ expiresAt }) => <Countdown until={expiresAt} />,
};

/** Keep `onAnswer` stable: all rows render again when the columns change. */
export function replyColumns(onAnswer: OnAnswer): readonly Column<SellerOffer>[] {
  return [
    item,
    price,
    ...sums,
    timeLeft,
    {
      id: "actions",
      header: "Actions",
      isHeaderHidden: true,
      card: "foot",
      align: "end",
      cell: (offer) => <Answers offer={offer} onAnswer={onAnswer} />,
    },
  ];
}

function Answers({
  offer,
  onAnswer,
}: {
  readonly offer: SellerOffer;
  readonly onAnswer: OnAnswer;
}) {
  const { itemName, countersLeft } = offer;
  return (
    <span className="-my-1 flex items-center justify-end gap-1">
      <Button
        variant="quiet"
        icon={Check}
        aria-label={`Accept offer: ${itemName}`}
        onPointerEnter={preloadAnswers}
        onFocus={preloadAnswers}
        onClick={() => onAnswer("accept", offer)}
      >
        Accept
      </Button>
      <Menu
        label={`More answers: ${itemName}`}
        items={[
          {
            label: "Counter offer",
            icon: Reply,
            isDisabled: countersLeft === 0,
            onSelect: () => onAnswer("counter", offer),
          },
          {
            label: "Decline offer",
            icon: X,
            isDanger: true,
            onSelect: () => onAnswer("decline", offer),
          },
        ]}
      />
    </span>
  );
}

export const waitingColumns: readonly Column<SellerOffer>[] = [
  item,
  price,
  ...sums,
  timeLeft,
  {
    id: "actions",
    header: "Actions",
    isHeaderHidden: true,
    card: "foot",
    align: "end",
    cell: ({ offerId, itemName }) => (
      <span className="-my-1 flex justify-end">
        <TakeBackButton offerId={offerId} itemName={itemName} />
      </span>
    ),
  },
];

export const closedColumns: readonly Column<SellerOffer>[] = [
  item,
  {
    id: "asked",
    header: "Offered",
    card: "line",
    cell: ({ createdAt }) => <DateTime at={createdAt} />,
  },
  {
    id: "price",
    header: "Units at price",
    card: "end-line",
    cell: (offer) => (
      <span className="whitespace-nowrap tabular-nums">
        {offer.acceptedQuantity > 0
          ? `${formatQuantity(offer.acceptedQuantity, "unit")} accepted`
          : `${formatQuantity(offer.quantity, "unit")} at ${formatMoney(priceNow(offer))}`}
      </span>
    ),
  },
  {
    id: "payout",
    header: "You receive",
    card: "amount",
    align: "end",
    cell: ({ acceptedQuantity, payoutCents }) =>
      acceptedQuantity > 0 ? <Money cents={payoutCents} /> : <Unknown reason="nothing accepted" />,
  },
  {
    id: "status",
    header: "State",
    card: "chip",
    cell: (offer) => {
      const { label, kind } = offerWords(offer, "seller");
      return <Chip kind={kind}>{label}</Chip>;
    },
  },
];
