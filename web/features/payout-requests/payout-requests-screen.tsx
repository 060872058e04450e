// /payout-requests: who waits for a payout and how to pay it. Payouts are marked as paid, one or many, and paid ones as returned.
import { CircleCheck, Clock } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { pendingSort, type PendingPayout } from "#features/payouts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatAge, formatCount, formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { sortIn } from "#web/lib/list-sort.ts";
import { useParams } from "#web/lib/search-param.ts";
import { useNow } from "#web/lib/use-now.ts";
import { useWhyPath } from "#web/shared/explain/why.ts";
import { PayDialog } from "#web/shared/payout/pay-dialog.tsx";
import { RestoreBanner } from "#web/shared/restore/restore-banner.tsx";
import { ExplainHost } from "#web/shared/explain/explain-host.tsx";
import { BulkBar } from "#web/ui/bulk-bar.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { Money } from "#web/ui/money.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Page } from "#web/ui/page.tsx";
import { RowFocus } from "#web/ui/row-focus.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { PayoutIcon } from "#web/ui/thing-icons.ts";
import { StripTile, TileStrip } from "#web/ui/tile-strip.tsx";
import { showErrorToast, showToast } from "#web/ui/toast.ts";
import { payoutColumns } from "./payout-columns.tsx";
import {
  isFiltered,
  isSettled,
  noFilters,
  payoutFiltersIn,
  settledNames,
  type SettledFilters,
} from "./payout-filters.ts";
import { PayoutSearch } from "./payout-search.tsx";
import {
  usePendingPayouts,
  usePendingTotals,
  useSettledPayouts,
  type Outcome,
} from "./payout-requests-api.ts";
import { DeleteDialog, PayManyDialog } from "./settle-dialogs.tsx";

const SettledPayouts = onDemand(
  () => import("./settled-payouts.tsx").then((file) => file.SettledPayouts),
  { fallback: <Skeleton className="h-60" />, ifMissing: "throw" },
);

type Open =
  | { readonly kind: "pay" | "delete"; readonly payout: PendingPayout }
  | { readonly kind: "pay-many"; readonly payouts: readonly PendingPayout[] };

const idOf = (payout: PendingPayout): string => payout.id;
const nothing: ReadonlySet<string> = new Set();

function sayOutcomes(outcomes: readonly Outcome[]): void {
  const paid = outcomes.filter(({ kind }) => kind === "paid").length;
  if (paid > 0) {
    showToast(paid === 1 ? "Payout marked as paid" : `${formatCount(paid)} payouts marked as paid`);
  }
  const failed = outcomes.filter((outcome) => outcome.kind === "failed");
  for (const { payout, error } of failed.slice(0, 2)) {
    showErrorToast(`Error marking ${payout.displayName}'s payout as paid: ${error.message}`);
  }
  if (failed.length > 2) {
    const more = formatQuantity(failed.length - 2, "more payout");
    showErrorToast(`${more} could not be marked as paid and stay selected`);
  }
}

export function PayoutRequestsScreen() {
  const [params, setParams] = useParams();
  const filters = payoutFiltersIn(params);
  const sort = sortIn(params, pendingSort);
  const pending = usePendingPayouts(filters, sort);
  const settled = useSettledPayouts(filters);
  const [selected, setSelected] = useState(nothing);
  const [open, setOpen] = useState<Open>();
  const onSettle = useCallback((kind: "pay" | "delete", payout: PendingPayout) => {
    setOpen({ kind, payout });
  }, []);
  const columns = useMemo(() => payoutColumns(onSettle), [onSettle]);
  // Requests that were settled in the meantime, here or elsewhere, are no longer selected, and only what is listed is.
  const chosen = isSettled(filters)
    ? []
    : (pending.rows ?? []).filter(({ id }) => selected.has(id));

  return (
    <Page
      title="Payout Requests"
      subtitle={<FreshnessLine freshness={(isSettled(filters) ? settled : pending).freshness} />}
      isWide
    >
      <RestoreBanner />
      <ExplainHost />
      {isSettled(filters) ? <SettledTiles filters={filters} /> : <PayoutTiles />}
      <PayoutSearch filters={filters} />
      {isSettled(filters) ? (
        <SettledPayouts filters={filters} />
      ) : (
        <RowFocus main='[aria-label^="Mark as paid"]'>
          <DataTable
            label="Pending payouts"
            columns={columns}
            rows={pending.rows}
            rowId={idOf}
            sort={sort}
            usualOrder="Oldest first"
            selection={{
              selected: new Set(chosen.map(idOf)),
              onSelected: setSelected,
              Box: Checkbox,
              nameOf: (payout) => `${payout.displayName}, ${formatMoney(toCents(payout.amount))}`,
            }}
            error={pending.error}
            errorTitle="The payout requests could not be loaded"
            onRetry={pending.refresh}
            empty={
              <NobodyWaits isFiltered={isFiltered(filters)} onClear={() => setParams(noFilters)} />
            }
            more={pending}
            countText={
              pending.rows === undefined || pending.hasMore
                ? undefined
                : formatQuantity(pending.rows.length, "request")
            }
          />
        </RowFocus>
      )}
      <ChosenBar
        chosen={chosen}
        onClear={() => setSelected(nothing)}
        onPay={() => setOpen({ kind: "pay-many", payouts: chosen })}
      />
      <OpenDialog
        open={open}
        listed={pending.rows ?? []}
        onClose={() => setOpen(undefined)}
        onUnpaid={(unpaid) => setSelected(new Set(unpaid.map(({ payout }) => payout.id)))}
      />
    </Page>
  );
}

type ChosenBarProps = {
  readonly chosen: readonly PendingPayout[];
  readonly onClear: () => void;
  readonly onPay: () => void;
};

/** Nothing while no request is selected. */
function ChosenBar({ chosen, onClear, onPay }: ChosenBarProps) {
  const cents = chosen.reduce((sum, { amount }) => sum + toCents(amount), 0);
  return chosen.length === 0 ? null : (
    <BulkBar count={chosen.length} total={<Money cents={cents} />} onClear={onClear}>
      <Button variant="primary" icon={CircleCheck} onClick={onPay}>
        Mark as paid
      </Button>
    </BulkBar>
  );
}

function NobodyWaits({
  isFiltered,
  onClear,
}: {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}) {
  return isFiltered ? (
    <EmptyState
      icon={PayoutIcon}
      title="No pending payout matches"
      action={<Button onClick={onClear}>Clear</Button>}
    />
  ) : (
    <EmptyState icon={PayoutIcon} title="No pending payouts">
      A consignor's request appears here as soon as it is made.
    </EmptyState>
  );
}

type OpenDialogProps = {
  readonly open: Open | undefined;
  readonly listed: readonly PendingPayout[];
  readonly onClose: () => void;
  /** The requests that were not marked stay selected. */
  readonly onUnpaid: (unpaid: readonly Outcome[]) => void;
};

function OpenDialog({ open, listed, onClose, onUnpaid }: OpenDialogProps) {
  if (open === undefined) {
    return null;
  }
  if (open.kind === "pay-many") {
    return (
      <PayManyDialog
        payouts={open.payouts}
        listed={listed}
        onClose={onClose}
        onDone={(outcomes) => {
          sayOutcomes(outcomes);
          onUnpaid(outcomes.filter(({ kind }) => kind !== "paid"));
          onClose();
        }}
      />
    );
  }
  return open.kind === "pay" ? (
    <PayDialog payout={open.payout} listed={listed} onClose={onClose} />
  ) : (
    <DeleteDialog payout={open.payout} listed={listed} onClose={onClose} />
  );
}

/** All that match the filters, on every page. The list below asks for the same. */
function SettledTiles({ filters }: { readonly filters: SettledFilters }) {
  const { pages, error } = useSettledPayouts(filters);
  const totals = pages?.[0]?.totals ?? undefined;
  const which = isFiltered(filters) ? "Matching the filters" : "All time";
  // The list says itself that it could not be loaded.
  return totals === undefined && error !== undefined ? null : (
    <TileStrip label="Totals" isWrapped>
      <StripTile
        label={settledNames[filters.status]}
        icon={PayoutIcon}
        value={totals === undefined ? undefined : formatCount(totals.count)}
        hint={which}
      />
      <StripTile
        label="In total"
        value={totals === undefined ? undefined : <Money cents={toCents(totals.amount)} />}
        hint={filters.status === "paid" ? `${which}, without those returned` : which}
      />
    </TileStrip>
  );
}

function PayoutTiles() {
  const now = useNow();
  const read = usePendingTotals();
  const totals = read.data?.totals;
  const pathTo = useWhyPath();
  if (totals === undefined && read.error !== undefined) {
    return <ErrorLine>{`The totals could not be loaded. ${read.error.message}`}</ErrorLine>;
  }
  return (
    <TileStrip label="Totals">
      <StripTile
        label="Pending"
        icon={PayoutIcon}
        to={pathTo({ kind: "total", id: "pendingPayouts" })}
        value={totals === undefined ? undefined : formatCount(totals.count)}
        hint={totals === undefined ? undefined : `${formatMoney(toCents(totals.amount))} in total`}
      />
      <StripTile
        label="CashApp"
        to={pathTo({ kind: "total", id: "pendingCashApp" })}
        value={totals === undefined ? undefined : <Money cents={toCents(totals.cashapp)} />}
        hint="To be sent"
      />
      <StripTile
        label="Venmo"
        to={pathTo({ kind: "total", id: "pendingVenmo" })}
        value={totals === undefined ? undefined : <Money cents={toCents(totals.venmo)} />}
        hint="To be sent"
      />
      <StripTile
        label="Oldest"
        icon={Clock}
        value={
          totals === undefined
            ? undefined
            : totals.oldest === null
              ? "—"
              : formatAge(new Date(totals.oldest), now)
        }
        hint={totals?.oldest === null ? "No requests" : "Waiting the longest"}
      />
    </TileStrip>
  );
}
