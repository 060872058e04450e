// /my-offers: the offers for the viewer's own items: those that need a reply, those that wait on the buyer, and closed ones.
import { useCallback, useMemo, useState, type ReactNode } from "react";
import { offerTab } from "#features/trades/contract-reads.ts";
import type { SellerOffer } from "#features/trades/contract-reads.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { pathOf } from "#web/lib/http.ts";
import type { PagedRead } from "#web/lib/read.ts";
import { useParams } from "#web/lib/search-param.ts";
import { AnswerDialog, type Answer } from "#web/shared/trade/answer-dialog.tsx";
import { MarketPage } from "#web/shared/trade/market-page.tsx";
import { useMyOffers } from "#web/shared/trade/trade-api.ts";
import { isFiltered, noFilters, queryOf, tradeFiltersIn } from "#web/shared/trade/trade-filters.ts";
import { TradeSearch } from "#web/shared/trade/trade-search.tsx";
import { isOpenOffer } from "#web/shared/trade/trade-words.ts";
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
  readonly offers: PagedRead<SellerOffer>;
  readonly rows: readonly SellerOffer[] | undefined;
  readonly empty: ReactNode;
};

function List({ label, columns, offers, rows, empty }: ListProps) {
  const [params, setParams] = useParams();
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
        countText={
          rows === undefined || offers.hasMore ? undefined : formatQuantity(rows.length, "offer")
        }
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

const closedTab = "closed";

/** The offers of each tab. Closed ones are read only while their tab is open. */
function useOfferLists() {
  const [params] = useParams();
  const isClosed = params.get("tab") === closedTab;
  const filters = tradeFiltersIn(params);
  const offers = useMyOffers(isClosed ? "all" : "open", queryOf({ ...filters, status: undefined }));
  const { rows } = offers;
  return {
    offers,
    needsReply: rows?.filter((offer) => isOpenOffer(offer) && offer.turn === "seller"),
    waiting: rows?.filter((offer) => isOpenOffer(offer) && offer.turn === "buyer"),
    closed: isClosed ? rows?.filter((offer) => !isOpenOffer(offer)) : undefined,
  };
}

function OfferTabs({ columns }: { readonly columns: readonly Column<SellerOffer>[] }) {
  const { offers, needsReply, waiting, closed } = useOfferLists();
  return (
    <Tabs
      label="Your offers"
      tabs={[
        {
          id: "reply",
          label: "Needs reply",
          count: needsReply?.length,
          content: (
            <List
              label="Offers that need a reply"
              columns={columns}
              offers={offers}
              rows={needsReply}
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
          count: waiting?.length,
          content: (
            <List
              label="Offers that wait on a buyer"
              columns={waitingColumns}
              offers={offers}
              rows={waiting}
              empty={
                <EmptyState icon={OfferIcon} title="No counters waiting on a buyer">
                  Your counters appear here until the buyer answers.
                </EmptyState>
              }
            />
          ),
        },
        {
          id: closedTab,
          label: "Closed",
          content: (
            <List
              label="Closed offers"
              columns={closedColumns}
              offers={offers}
              rows={closed}
              empty={<EmptyState icon={OfferIcon} title="No closed offers yet" />}
            />
          ),
        },
      ]}
    />
  );
}

export function MyOffersScreen() {
  const { offers } = useOfferLists();
  const [params, setParams] = useParams();
  const filters = tradeFiltersIn(params);
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
            ...queryOf({ ...filters, status: undefined }),
            tab: offerTab.safeParse(params.get("tab")).data,
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
