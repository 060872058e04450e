// Everybody's settled payouts, in place of the pending ones: a transfer that came back is marked here.
import { useMemo } from "react";
import type { PayoutView, SettledStatus } from "#features/payouts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { useParams } from "#web/lib/search-param.ts";
import { useNow } from "#web/lib/use-now.ts";
import { ConsignorLink } from "#web/shared/consignor/consignor-link.tsx";
import { WhyValue } from "#web/shared/explain/why-value.tsx";
import { HandleText } from "#web/shared/payout/handle-cell.tsx";
import { methodWords } from "#web/shared/payout/method-words.ts";
import type { PaidPayout } from "#web/shared/payout/payout-api.ts";
import { RETURN_BUTTON, ReturnButton, useReturns } from "#web/shared/payout/return-button.tsx";
import { TransferReference } from "#web/shared/payout/transfer-reference.tsx";
import { Button } from "#web/ui/button.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { HeldNotice } from "#web/ui/freshness-line.tsx";
import { Money } from "#web/ui/money.tsx";
import { RowFocus } from "#web/ui/row-focus.tsx";
import { PayoutIcon } from "#web/ui/thing-icons.ts";
import { Unknown } from "#web/ui/unknown.tsx";
import {
  isFiltered,
  noFilters,
  settledAtNames,
  settledNames,
  type SettledFilters,
} from "./payout-filters.ts";
import { useSettledPayouts } from "./payout-requests-api.ts";

const facts = (status: SettledStatus): readonly Column<PayoutView>[] => [
  {
    id: "date",
    header: "Requested",
    card: "pair",
    cell: (payout) => <When at={payout.date} />,
  },
  {
    id: "consignor",
    header: "Consignor",
    card: "title",
    isTruncated: true,
    width: "min-w-28 w-[22%]",
    cell: (payout) => (
      <span className="font-medium">
        <ConsignorLink uid={payout.consignorID} name={payout.displayName} />
      </span>
    ),
  },
  {
    id: "handle",
    header: "Handle",
    card: "line",
    isTruncated: true,
    width: "min-w-32 w-[22%]",
    cell: (payout) => (
      <>
        {/* A narrow table leaves it out: $ is CashApp's prefix, @ is Venmo's. */}
        <span className="@max-[59rem]:not-in-data-cards:hidden">
          {`${methodWords[payout.method]} `}
        </span>
        <span className="font-mono text-12">
          <HandleText handle={payout.handle} />
        </span>
      </>
    ),
  },
  {
    id: "settled",
    header: settledAtNames[status],
    card: "pair",
    ...(status === "returned" ? { isTruncated: true, width: "min-w-64 w-[36%]" } : {}),
    cell: (payout) =>
      status === "returned" ? <CameBack payout={payout} /> : <Settled payout={payout} />,
  },
  {
    id: "amount",
    header: "Amount",
    card: "amount",
    align: "end",
    cell: (payout) => (
      <WhyValue why={{ kind: "payout", id: payout.id }}>
        <Money cents={toCents(payout.amount)} />
      </WhyValue>
    ),
  },
];

function columnsFor(
  status: SettledStatus,
  onReturn: (payout: PaidPayout) => void,
): readonly Column<PayoutView>[] {
  const columns = facts(status);
  if (status !== "paid") {
    return columns;
  }
  return [
    ...columns,
    {
      id: "return",
      header: "Actions",
      isHeaderHidden: true,
      card: "foot",
      align: "end",
      cell: (payout) =>
        payout.status === "paid" ? <ReturnButton payout={payout} onReturn={onReturn} /> : null,
    },
  ];
}

function Settled({ payout }: { readonly payout: PayoutView }) {
  const { settledAt, withdrawn, reference } = payout;
  return settledAt === null ? (
    <Unknown reason="not settled yet" />
  ) : (
    <span className="flex flex-col">
      <span>
        {withdrawn ? "Withdrawn " : null}
        <When at={settledAt} />
      </span>
      <TransferReference reference={reference} />
    </span>
  );
}

/** A narrow table has no room for days with their year and the time: the time is in the tooltip there. */
function When({ at }: { readonly at: string }) {
  return new Date(at).getFullYear() === useNow().getFullYear() ? (
    <DateTime at={at} />
  ) : (
    <>
      <span className="@max-[59rem]:not-in-data-cards:hidden">
        <DateTime at={at} />
      </span>
      <span className="hidden @max-[59rem]:not-in-data-cards:inline">
        <DateTime at={at} show="day" />
      </span>
    </>
  );
}

/** The reason has one line in a table; the entries behind the amount have all of it. */
function CameBack({ payout }: { readonly payout: PayoutView }) {
  const { settledAt, reference, returnedAt, returnReason } = payout;
  return (
    <span className="flex flex-col text-12">
      <span className="whitespace-normal">
        {returnedAt === null ? null : <DateTime at={returnedAt} />}
        {settledAt === null ? null : (
          <span className="text-muted">
            {", paid "}
            <DateTime at={settledAt} />
          </span>
        )}
      </span>
      <TransferReference reference={reference} />
      {returnReason === null ? (
        <Unknown reason="the reason was erased" />
      ) : (
        <span
          className="truncate text-muted in-data-cards:wrap-anywhere in-data-cards:whitespace-normal"
          data-tip={returnReason}
        >
          {returnReason}
        </span>
      )}
    </span>
  );
}

const idOf = (payout: PayoutView): string => payout.id;

export function SettledPayouts({ filters }: { readonly filters: SettledFilters }) {
  const [, setParams] = useParams();
  const { status } = filters;
  const settled = useSettledPayouts(filters);
  const totals = settled.pages?.[0]?.totals;
  const { onReturn, dialog } = useReturns();
  const columns = useMemo(() => columnsFor(status, onReturn), [status, onReturn]);
  return (
    <RowFocus main={RETURN_BUTTON}>
      <HeldNotice freshness={settled.freshness} />
      <DataTable
        label={settledNames[status]}
        columns={columns}
        rows={settled.rows}
        rowId={idOf}
        error={settled.error}
        errorTitle="The payouts could not be loaded"
        onRetry={settled.refresh}
        more={settled}
        {...(totals === undefined || totals === null
          ? {}
          : {
              countText: formatQuantity(totals.count, "payout"),
            })}
        empty={
          isFiltered(filters) ? (
            <EmptyState
              icon={PayoutIcon}
              title={`No ${status} payout matches`}
              action={<Button onClick={() => setParams(noFilters)}>Clear</Button>}
            />
          ) : (
            <EmptyState
              icon={PayoutIcon}
              title={`No ${status} payouts`}
              action={
                <Button onClick={() => setParams({ status: undefined })}>
                  Show pending payouts
                </Button>
              }
            />
          )
        }
      />
      {dialog}
    </RowFocus>
  );
}
