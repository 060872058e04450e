// /my-trades: what the viewer asked for as a buyer, how far each trade is, and what can be done next.
import { useState } from "react";
import type { Trade } from "#features/trades/contract.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { useParams } from "#web/lib/search-param.ts";
import { paths } from "#web/paths.ts";
import { AnswerDialog, type Answer } from "#web/shared/trade/answer-dialog.tsx";
import { MarketPage } from "#web/shared/trade/market-page.tsx";
import type { AnswerableOffer } from "#web/shared/trade/offer-dialogs.tsx";
import { useMyTrades } from "#web/shared/trade/trade-api.ts";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { HeldNotice } from "#web/ui/freshness-line.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TradeIcon } from "#web/ui/thing-icons.ts";
import { TradeActDialog, type TradeAct } from "./trade-act-dialog.tsx";
import { TradeCard } from "./trade-card.tsx";

const TradeDrawer = onDemand(
  async () => (await import("#web/shared/trade/trade-drawer.tsx")).TradeDrawer,
);

type Open =
  | { readonly kind: "answer"; readonly answer: Answer; readonly offer: AnswerableOffer }
  | { readonly kind: "act"; readonly act: TradeAct; readonly trade: Trade };

export function MyTradesScreen() {
  const [params, setParams] = useParams();
  const trades = useMyTrades();
  const [open, setOpen] = useState<Open>();
  const { rows } = trades;
  const waiting = trades.pages?.[0]?.countersWaiting ?? 0;
  const openId = params.get("trade") ?? undefined;
  const openIndex = rows?.findIndex(({ tradeId }) => tradeId === openId) ?? -1;

  function openTrade(tradeId: string | undefined, push: boolean): void {
    setParams({ trade: tradeId }, { push });
  }
  function neighbor(step: number): (() => void) | undefined {
    const row = openIndex === -1 ? undefined : rows?.[openIndex + step];
    return row === undefined ? undefined : () => openTrade(row.tradeId, false);
  }

  return (
    <MarketPage
      title="Trades"
      freshness={trades.freshness}
      actions={
        <ButtonLink to={paths.marketplace} variant="primary">
          Request a trade
        </ButtonLink>
      }
    >
      <p role="status" className={waiting === 0 ? "sr-only" : "font-medium text-accent"}>
        {waiting === 0 ? "" : `${formatQuantity(waiting, "counter waits", "counters wait")} for you`}
      </p>
      <HeldNotice freshness={trades.freshness} />
      {rows === undefined ? (
        <div className={trades.error === undefined ? "flex flex-col gap-4" : "card"}>
          {trades.error === undefined ? (
            ["a", "b", "c"].map((key) => <Skeleton key={key} className="h-52 rounded-card" />)
          ) : (
            <ErrorState
              title="Your trades could not be loaded"
              error={trades.error}
              onRetry={trades.refresh}
            />
          )}
        </div>
      ) : rows.length === 0 ? (
        <div className="card">
          <EmptyState
            icon={TradeIcon}
            title="No trades yet"
            action={<ButtonLink to={paths.marketplace}>Open the marketplace</ButtonLink>}
          >
            Ask for an item on the marketplace. Its trade then appears here.
          </EmptyState>
        </div>
      ) : (
        <ul aria-label="Your trades" className="flex flex-col gap-4 max-sm:gap-2">
          {rows.map((trade) => (
            <TradeCard
              key={trade.tradeId}
              trade={trade}
              onOpen={() => openTrade(trade.tradeId, true)}
              onAct={(act) => setOpen({ kind: "act", act, trade })}
              onAnswer={(answer, offer) => setOpen({ kind: "answer", answer, offer })}
            />
          ))}
        </ul>
      )}
      {trades.hasMore ? (
        <Button
          onClick={trades.loadMore}
          isBusy={trades.isLoadingMore}
          busyLabel="Loading..."
          className="self-center"
        >
          Load more
        </Button>
      ) : null}
      {openId === undefined ? null : (
        <TradeDrawer
          tradeId={openId}
          known={rows?.[openIndex]}
          onClose={() => openTrade(undefined, false)}
          onPrevious={neighbor(-1)}
          onNext={neighbor(1)}
        />
      )}
      {open === undefined ? null : open.kind === "answer" ? (
        <AnswerDialog
          answer={open.answer}
          offer={open.offer}
          party="buyer"
          onClose={() => setOpen(undefined)}
        />
      ) : (
        <TradeActDialog act={open.act} trade={open.trade} onClose={() => setOpen(undefined)} />
      )}
    </MarketPage>
  );
}
