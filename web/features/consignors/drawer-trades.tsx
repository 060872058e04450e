// What a person trades: requests as buyer and offers as seller, the newest first.
import { Link } from "react-router-dom";
import { shortTradeId } from "#features/trades/contract-short-id.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { orderPath } from "#web/paths.ts";
import { useOffersOf, useTradesOf } from "#web/shared/trade/trade-api.ts";
import { offerWords, priceNow, tradeStatusWords } from "#web/shared/trade/trade-words.ts";
import { Chip, type ChipKind } from "#web/ui/chip.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { OfferIcon, TradeIcon } from "#web/ui/thing-icons.ts";
import { DrawerLines } from "./drawer-lines.tsx";

export function DrawerTrades({ uid }: { readonly uid: string }) {
  const requests = useTradesOf(uid);
  const offers = useOffersOf(uid);
  return (
    <div className="flex flex-col gap-6">
      <section className="flex flex-col gap-2">
        <h3 className="font-semibold">As buyer</h3>
        <DrawerLines
          label="Trades as buyer"
          read={requests}
          rowId={(trade) => trade.tradeId}
          empty={{ icon: TradeIcon, title: "No trades as buyer" }}
        >
          {(trade) => (
            <Line
              trade={trade}
              words={tradeStatusWords[trade.status]}
              sum={`${formatQuantity(trade.quantity, "unit")}, ${formatMoney(trade.totalCost)}${trade.heldCents > 0 ? `, ${formatMoney(trade.heldCents)} held` : ""}`}
            />
          )}
        </DrawerLines>
      </section>
      <section className="flex flex-col gap-2">
        <h3 className="font-semibold">As seller</h3>
        <DrawerLines
          label="Offers as seller"
          read={offers}
          rowId={(offer) => offer.offerId}
          empty={{ icon: OfferIcon, title: "No offers as seller" }}
        >
          {(offer) => (
            <Line
              trade={offer}
              // An admin answers nothing: the words are those of somebody who looks on.
              words={offerWords(offer, offer.turn === "seller" ? "buyer" : "seller")}
              sum={
                offer.acceptedQuantity > 0
                  ? `${formatQuantity(offer.acceptedQuantity, "unit")} accepted, gets ${formatMoney(offer.payoutCents)}`
                  : `${formatQuantity(offer.quantity, "unit")} at ${formatMoney(priceNow(offer))}`
              }
            />
          )}
        </DrawerLines>
      </section>
    </div>
  );
}

type LineProps = {
  readonly trade: {
    readonly tradeId: string;
    readonly itemName: string;
    readonly createdAt: string;
  };
  readonly words: { readonly label: string; readonly kind: ChipKind };
  readonly sum: string;
};

function Line({ trade, words, sum }: LineProps) {
  return (
    <span className="flex flex-col gap-0.5">
      <span className="flex items-baseline justify-between gap-4">
        <Link
          to={orderPath(trade.tradeId)}
          className="min-w-0 truncate text-accent hover:underline"
        >
          {trade.itemName}
        </Link>
        <Chip kind={words.kind}>{words.label}</Chip>
      </span>
      <span className="flex flex-wrap items-baseline justify-between gap-x-4 text-12 text-muted">
        <span className="flex gap-2">
          <span className="font-mono">{shortTradeId(trade.tradeId)}</span>
          <DateTime at={trade.createdAt} />
        </span>
        <span className="tabular-nums">{sum}</span>
      </span>
    </span>
  );
}
