// Payouts: requested, paid, returned, or deleted and refunded. Admins say here that one came back; consignors change a request.
import { useMemo } from "react";
import { payoutSort, type PayoutSort, type PayoutView } from "#features/payouts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { sortIn } from "#web/lib/list-sort.ts";
import { useParams } from "#web/lib/search-param.ts";
import { AuditLink } from "#web/shared/audit/audit-link.tsx";
import { Button } from "#web/ui/button.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ExportButton } from "#web/ui/export-button.tsx";
import { FreshnessLine, HeldNotice } from "#web/ui/freshness-line.tsx";
import { Money } from "#web/ui/money.tsx";
import { RowFocus } from "#web/ui/row-focus.tsx";
import { Select, type Choice } from "#web/ui/select.tsx";
import { PayoutIcon } from "#web/ui/thing-icons.ts";
import { HandleText } from "#web/shared/payout/handle-cell.tsx";
import { methodWords } from "#web/shared/payout/method-words.ts";
import {
  OwnPayoutActs,
  useOwnPayoutActs,
  WITHDRAW_BUTTON,
  type OwnAct,
} from "#web/shared/payout/own-payout-acts.tsx";
import type { PaidPayout } from "#web/shared/payout/payout-api.ts";
import { RETURN_BUTTON, ReturnButton, useReturns } from "#web/shared/payout/return-button.tsx";
import { RequestedBy } from "#web/shared/payout/requested-by.tsx";
import { SettledCell } from "#web/shared/payout/settled-cell.tsx";
import { WhyValue } from "#web/shared/explain/why-value.tsx";
import { OldAppPart } from "./old-app-part.tsx";
import { PayoutChip } from "./line-chip.tsx";
import { payoutExportPath, payoutStatusIn, usePayouts, type PayoutStatus } from "./history-api.ts";

/** What one can do in a row: an admin with others' payouts, or everybody with their own requests. */
type RowAct =
  | { readonly kind: "return"; readonly onReturn: (payout: PaidPayout) => void }
  | { readonly kind: "own"; readonly onAct: OwnAct };

function actColumn(act: RowAct): Column<PayoutView, PayoutSort> {
  return {
    id: "act",
    header: "Actions",
    isHeaderHidden: true,
    cell: (payout) =>
      act.kind === "own" ? (
        payout.status === "pending" ? (
          <OwnPayoutActs
            payout={payout}
            claimedUntil={payout.claim?.until ?? null}
            onAct={act.onAct}
          />
        ) : null
      ) : payout.status === "paid" ? (
        <ReturnButton payout={payout} onReturn={act.onReturn} />
      ) : null,
    align: "end",
    card: "foot",
  };
}

/** Nobody marks their own payouts. */
const columnsFor = (act: RowAct): readonly Column<PayoutView, PayoutSort>[] => [
  {
    id: "date",
    header: "Requested",
    cell: (payout) => <DateTime at={payout.date} />,
    sortAs: "date",
    card: "pair",
  },
  {
    id: "method",
    header: "Method",
    cell: (payout) => (
      <>
        {methodWords[payout.method]}
        <RequestedBy payout={payout} />
      </>
    ),
    sortAs: "method",
    card: "title",
  },
  {
    id: "handle",
    header: "Handle",
    cell: (payout) => <HandleText handle={payout.handle} />,
    card: "line",
  },
  {
    id: "status",
    header: "Status",
    cell: (payout) => <PayoutChip status={payout.status} withdrawn={payout.withdrawn} />,
    sortAs: "status",
    card: "chip",
  },
  {
    id: "settled",
    header: "Settled",
    width: "min-w-40",
    cell: (payout) => <SettledCell payout={payout} />,
    sortAs: "settled",
    card: "pair",
  },
  {
    id: "amount",
    header: "Amount",
    cell: (payout) => (
      <WhyValue why={{ kind: "payout", id: payout.id }}>
        <Money cents={toCents(payout.amount)} />
      </WhyValue>
    ),
    sortAs: "amount",
    align: "end",
    card: "amount",
  },
  actColumn(act),
  {
    id: "audit",
    header: "History",
    isHeaderHidden: true,
    cell: (payout) => (
      <span className="whitespace-nowrap">
        <AuditLink to={{ payout: payout.id }} isOwn={act.kind === "own"} />
      </span>
    ),
    align: "end",
    // At the start: at the end there is only room for the chip.
    card: "line",
  },
];

const statusChoices: readonly Choice<PayoutStatus | "all">[] = [
  { value: "all", label: "All payouts" },
  { value: "pending", label: "Requested" },
  { value: "paid", label: "Paid" },
  { value: "returned", label: "Returned" },
  { value: "deleted", label: "Deleted" },
];

function payoutId(payout: PayoutView): string {
  return payout.id;
}

type PayoutsTabProps = {
  readonly uid: string;
  /** False if an admin looks at another person's payouts. */
  readonly isOwn?: boolean;
};

export function PayoutsTab({ uid, isOwn = true }: PayoutsTabProps) {
  const [params, setParams] = useParams();
  const status = payoutStatusIn(params);
  const sort = sortIn(params, payoutSort);
  const payouts = usePayouts(uid, status, sort);
  const { onReturn, dialog } = useReturns();
  const own = useOwnPayoutActs();
  const columns = useMemo(
    () => columnsFor(isOwn ? { kind: "own", onAct: own.onAct } : { kind: "return", onReturn }),
    [isOwn, own.onAct, onReturn],
  );
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2 no-print">
        <span className="max-sm:grow">
          <Select
            aria-label="Status"
            value={status ?? "all"}
            choices={statusChoices}
            onValue={(next) => setParams({ status: next === "all" ? undefined : next })}
          />
        </span>
        <span className="ms-auto">
          <ExportButton path={payoutExportPath(uid, status)} name="payouts" />
        </span>
      </div>
      <HeldNotice freshness={payouts.freshness} />
      <RowFocus main={isOwn ? WITHDRAW_BUTTON : RETURN_BUTTON}>
        <DataTable
          label="Payouts"
          columns={columns}
          rows={payouts.rows}
          rowId={payoutId}
          sort={sort}
          error={payouts.error}
          errorTitle="The payouts could not be loaded"
          onRetry={payouts.refresh}
          more={payouts}
          empty={
            <EmptyState
              icon={PayoutIcon}
              title={status === undefined ? "No payouts yet" : "No payouts match"}
              action={
                status === undefined ? undefined : (
                  <Button onClick={() => setParams({ status: undefined })}>Clear</Button>
                )
              }
            >
              {status !== undefined
                ? undefined
                : isOwn
                  ? "Request a payout on the dashboard when you have a balance."
                  : "The consignor's requests appear here with their status."}
            </EmptyState>
          }
        />
      </RowFocus>
      <FreshnessLine freshness={payouts.freshness} isBelow />
      {status === undefined || status === "paid" ? <OldAppPart uid={uid} kind="payouts" /> : null}
      {isOwn ? own.dialog : dialog}
    </div>
  );
}
