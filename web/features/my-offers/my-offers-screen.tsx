// /my-offers: the offers for the viewer's own items: those that need a reply, those that wait on the buyer, and closed ones.
import { useCallback, useMemo, useState, type ReactNode } from "react";
import { offerTab } from "#features/trades/contract-reads.ts";
import type { OfferTab, SellerOffer } from "#features/trades/contract-reads.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { pathOf, type Query } from "#web/lib/http.ts";
import { useParams } from "#web/lib/search-param.ts";
import { AnswerDialog, type Answer } from "#web/shared/trade/answer-dialog.tsx";
import { MarketPage } from "#web/shared/trade/market-page.tsx";
import { useMyOffers, useMyOffersCount } from "#web/shared/trade/trade-api.ts";
import { isFiltered, noFilters, queryOf, tradeFiltersIn } from "#web/shared/trade/trade-filters.ts";
import { TradeSearch } from "#web/shared/trade/trade-search.tsx";
import { Button } from "#web/ui/button.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { HeldNotice } from "#web/ui/freshness-line.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { RowFocus } from "#web/ui/row-focus.tsx";
import { Tabs } from "#web/ui/tabs.tsx";
import { OfferIcon } from "#web/ui/thing-icons.ts";
import { answerable } from "./answerable.ts";
import { closedColumns, replyColumns, waitingColumns } from "./offer-columns.tsx";

const TradeDrawer = onDemand(() =>
  import("#web/shared/trade/trade-drawer.tsx").then((file) => file.TradeDrawer),
);

type Open = { readonly answer: Answer; readonly offer: SellerOffer };

const idOf = (offer: SellerOffer): string => offer.offerId;

type ListProps = {
  readonly label: string;
  readonly columns: readonly Column<SellerOffer>[];
  readonly tab: OfferTab;
  /** How many offers match; undefined where nobody counted them. */
  readonly count: number | undefined;
  readonly empty: ReactNode;
};

/** What the address asks for, as the API takes it. A tab stands for the status. */
function offerQueryIn(params: URLSearchParams): Query {
  return queryOf({ ...tradeFiltersIn(params), status: undefined });
}

/** One tab. Its own read, so that what it shows while it loads is never another tab's offers. */
function List({ label, columns, tab, count, empty }: ListProps) {
  const [params, setParams] = useParams();
  const offers = useMyOffers(tab, offerQueryIn(params));
  const { rows } = offers;
  const shown = count ?? (offers.hasMore ? undefined : rows?.length);
  const openId = params.get("trade") ?? undefined;
  const isNarrowed = isFiltered(tradeFiltersIn(params));
  return (
    <RowFocus main='[aria-label^="Accept"]'>
      <HeldNotice freshness={offers.freshness} />
      <DataTable
        label={label}
        columns={columns}
        rows={rows}
        rowId={idOf}
        opening={{
          onOpen: ({ tradeId }) => setParams({ trade: tradeId }, { push: true }),
          openId: rows?.find(({ tradeId }) => tradeId === openId)?.offerId,
        }}
        error={offers.error}
        errorTitle="The offers could not be loaded"
        onRetry={offers.refresh}
        more={offers}
        countText={shown === undefined ? undefined : formatQuantity(shown, "offer")}
        empty={
          isNarrowed ? (
            <EmptyState
              icon={OfferIcon}
              title="No offer matches"
              action={<Button onClick={() => setParams(noFilters)}>Clear</Button>}
            />
          ) : (
            empty
          )
        }
      />
    </RowFocus>
  );
}

function OfferTabs({ columns }: { readonly columns: readonly Column<SellerOffer>[] }) {
  const [params] = useParams();
  const { data: counts } = useMyOffersCount(offerQueryIn(params));
  return (
    <Tabs
      label="Your offers"
      tabs={[
        {
          id: "reply",
          label: "Needs reply",
          count: counts?.reply,
          content: (
            <List
              key="reply"
              label="Offers that need a reply"
              columns={columns}
              tab="reply"
              count={counts?.reply}
              empty={
                <EmptyState icon={OfferIcon} title="No offers need your reply">
                  When a buyer asks for one of your items, the offer appears here.
                </EmptyState>
              }
            />
          ),
        },
        {
          id: "waiting",
          label: "Waiting on buyer",
          count: counts?.waiting,
          content: (
            <List
              key="waiting"
              label="Offers that wait on a buyer"
              columns={waitingColumns}
              tab="waiting"
              count={counts?.waiting}
              empty={
                <EmptyState icon={OfferIcon} title="No counters waiting on a buyer">
                  Your counters appear here until the buyer answers.
                </EmptyState>
              }
            />
          ),
        },
        {
          id: "closed",
          label: "Closed",
          content: (
            <List
              key="closed"
              label="Closed offers"
              columns={closedColumns}
              tab="closed"
              count={undefined}
              empty={<EmptyState icon={OfferIcon} title="No closed offers yet" />}
            />
          ),
        },
      ]}
    />
  );
}

export function MyOffersScreen() {
  const [params, setParams] = useParams();
  const filters = tradeFiltersIn(params);
  const tab = offerTab.safeParse(params.get("tab")).data ?? "reply";
  const offers = useMyOffers(tab, offerQueryIn(params));
  const openId = params.get("trade") ?? undefined;
  const [open, setOpen] = useState<Open>();
  const onAnswer = useCallback(
    (answer: Answer, offer: SellerOffer) => {
      setOpen({ answer, offer });
    },
    [setOpen],
  );
  const columns = useMemo(() => replyColumns(onAnswer), [onAnswer]);
  return (
    <MarketPage title="Offers" freshness={offers.freshness}>
      <TradeSearch
        label="Search your offers"
        filters={filters}
        hasStatus={false}
        file={{
          path: pathOf("/trades/offers/my-offers/export", {
            ...offerQueryIn(params),
            tab,
          }),
          name: "offers",
        }}
      />
      <OfferTabs columns={columns} />
      {openId === undefined ? null : (
        <TradeDrawer
          tradeId={openId}
          known={undefined}
          onClose={() => setParams({ trade: undefined })}
        />
      )}
      {open === undefined ? null : (
        <AnswerDialog
          key={open.offer.offerId}
          answer={open.answer}
          offer={answerable(open.offer)}
          party="seller"
          onClose={() => setOpen(undefined)}
        />
      )}
    </MarketPage>
  );
}
