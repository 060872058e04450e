// /my-trades: the viewer's trades as a buyer, the progress of each, and its next actions.
import { useState } from "react";
import type { Trade } from "#features/trades/contract-reads.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { pathOf } from "#web/lib/http.ts";
import type { PagedRead } from "#web/lib/read.ts";
import { useParams } from "#web/lib/search-param.ts";
import { paths } from "#web/paths.ts";
import { AnswerDialog, type Answer } from "#web/shared/trade/answer-dialog.tsx";
import { MarketPage } from "#web/shared/trade/market-page.tsx";
import type { AnswerableOffer } from "#web/shared/trade/offer-terms.ts";
import { useMyTrades } from "#web/shared/trade/trade-api.ts";
import { isFiltered, noFilters, queryOf, tradeFiltersIn } from "#web/shared/trade/trade-filters.ts";
import { TradeSearch } from "#web/shared/trade/trade-search.tsx";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { LoadMore } from "#web/ui/load-more.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { HeldNotice } from "#web/ui/freshness-line.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { RowFocus } from "#web/ui/row-focus.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TradeIcon } from "#web/ui/thing-icons.ts";
import { TradeActDialog, type TradeAct } from "./trade-act-dialog.tsx";
import { TradeCard } from "./trade-card.tsx";

const TradeDrawer = onDemand(() =>
  import("#web/shared/trade/trade-drawer.tsx").then((file) => file.TradeDrawer),
);

type Open =
  | { readonly kind: "answer"; readonly answer: Answer; readonly offer: AnswerableOffer }
  | { readonly kind: "act"; readonly act: TradeAct; readonly trade: Trade };

export function MyTradesScreen() {
  const [params, setParams] = useParams();
  const filters = tradeFiltersIn(params);
  const trades = useMyTrades(queryOf(filters));
  const [open, setOpen] = useState<Open>();
  const { rows } = trades;
  const waiting = trades.pages?.[0]?.countersWaiting ?? 0;
  const openId = params.get("trade") ?? undefined;
  const openIndex = rows?.findIndex(({ tradeId }) => tradeId === openId) ?? -1;

  function openTrade(tradeId: string | undefined): void {
    setParams({ trade: tradeId });
  }
  function neighbor(step: number): (() => void) | undefined {
    const row = openIndex === -1 ? undefined : rows?.[openIndex + step];
    return row === undefined ? undefined : () => openTrade(row.tradeId);
  }

  return (
    <MarketPage
      title="Trades"
      freshness={trades.freshness}
      actions={<ButtonLink to={paths.marketplace}>Request a trade</ButtonLink>}
    >
      <output className={waiting === 0 ? "sr-only" : "font-medium text-accent"}>
        {waiting === 0
          ? ""
          : `${formatQuantity(waiting, "counter waits", "counters wait")} for you`}
      </output>
      <TradeSearch
        label="Search your trades"
        filters={filters}
        hasStatus
        file={{ path: pathOf("/trades/my-trades/export", queryOf(filters)), name: "trades" }}
      />
      <HeldNotice freshness={trades.freshness} />
      <TradeList trades={trades} onOpenForm={setOpen} />
      <LoadMore list={trades} className="self-center" />
      {openId === undefined ? null : (
        <TradeDrawer
          tradeId={openId}
          known={rows?.[openIndex]}
          onClose={() => openTrade(undefined)}
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
        <TradeActDialog
          act={open.act}
          // As it is now: a label may have come since the dialog was opened.
          trade={rows?.find(({ tradeId }) => tradeId === open.trade.tradeId) ?? open.trade}
          onClose={() => setOpen(undefined)}
        />
      )}
    </MarketPage>
  );
}

type TradeListProps = {
  readonly trades: PagedRead<Trade>;
  readonly onOpenForm: (open: Open) => void;
};

function TradeList({ trades: { rows, error, refresh }, onOpenForm }: TradeListProps) {
  const [params, setParams] = useParams();
  if (rows === undefined) {
    return error === undefined ? (
      <div aria-busy="true" className="flex flex-col gap-4">
        <output className="sr-only">Loading trades</output>
        {["a", "b", "c"].map((key) => (
          <Skeleton key={key} className="h-52 rounded-card" />
        ))}
      </div>
    ) : (
      <div className="card">
        <ErrorState title="Your trades could not be loaded" error={error} onRetry={refresh} />
      </div>
    );
  }
  return rows.length === 0 ? (
    <div className="card">
      {isFiltered(tradeFiltersIn(params)) ? (
        <EmptyState
          icon={TradeIcon}
          title="No trade matches"
          action={<Button onClick={() => setParams(noFilters)}>Clear</Button>}
        />
      ) : (
        <NoTrades />
      )}
    </div>
  ) : (
    <RowFocus main="[data-row-main]">
      <ul aria-label="Your trades" className="flex flex-col gap-4 max-sm:gap-2">
        {rows.map((trade) => (
          <TradeCard
            key={trade.tradeId}
            trade={trade}
            onOpen={() => setParams({ trade: trade.tradeId }, { push: true })}
            onAct={(act) => onOpenForm({ kind: "act", act, trade })}
            onAnswer={(answer, offer) => onOpenForm({ kind: "answer", answer, offer })}
          />
        ))}
      </ul>
    </RowFocus>
  );
}

function NoTrades() {
  return (
    <EmptyState
      icon={TradeIcon}
      title="No trades yet"
      action={<ButtonLink to={paths.marketplace}>Open the marketplace</ButtonLink>}
    >
      Ask for an item on the marketplace. Its trade then appears here.
    </EmptyState>
  );
}
