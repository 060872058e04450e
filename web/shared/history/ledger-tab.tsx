// All: the account's ledger, newest first, grouped by month, with the balance after each line. Nothing is hidden by default.
import type { LedgerLine, LedgerResponse } from "#features/accounts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatMonth, formatQuantity } from "#web/lib/formats.ts";
import { useParams } from "#web/lib/search-param.ts";
import { orderPath, tradePath } from "#web/paths.ts";
import { useIsPhone } from "#web/lib/use-media.ts";
import { Button } from "#web/ui/button.tsx";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ExportButton } from "#web/ui/export-button.tsx";
import { FilterBar } from "#web/ui/filter-bar.tsx";
import { FreshnessLine, HeldNotice } from "#web/ui/freshness-line.tsx";
import { Money } from "#web/ui/money.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { AsOfField } from "#web/shared/past/as-of-field.tsx";
import { lineColumns } from "#web/shared/past/line-columns.tsx";
import { momentIn, viewIn } from "#web/shared/past/moment.ts";
import { Select, type Choice } from "#web/ui/select.tsx";
import { HistoryIcon } from "#web/ui/thing-icons.ts";
import { LineChip } from "./line-chip.tsx";
import {
  ledgerExportPath,
  ledgerFiltersIn,
  useLedger,
  type LedgerFilters,
  type LedgerType,
} from "./history-api.ts";
import { StatementButton, useStatement } from "./statement-button.tsx";

const LineDrawer = onDemand(() => import("./line-drawer.tsx").then((file) => file.LineDrawer));

const PastHistory = onDemand(
  () => import("#web/shared/past/past-history.tsx").then((file) => file.PastHistory),
  { fallback: <Skeleton className="h-60" />, ifMissing: "throw" },
);

const columns = lineColumns<LedgerLine>((line) => <LineChip line={line} />);

const typeChoices: readonly Choice<LedgerType | "all">[] = [
  { value: "all", label: "All types" },
  { value: "sales", label: "Sales" },
  { value: "refunds", label: "Refunds" },
  { value: "corrections", label: "Corrections" },
  { value: "payouts", label: "Payouts" },
  { value: "trades", label: "Trades" },
  { value: "adjustments", label: "Adjustments" },
];

function lineId(line: LedgerLine): string {
  return String(line.line);
}

function monthOf(line: LedgerLine): string {
  return line.month;
}

function MonthHeading({ month, pages }: { month: string; pages: readonly LedgerResponse[] }) {
  const found = pages.flatMap((page) => page.months).find((other) => other.month === month);
  return (
    <span className="flex flex-wrap items-baseline justify-between gap-x-4">
      <span>{formatMonth(new Date(`${month}-01T00:00`))}</span>
      {found === undefined ? null : (
        <span className="text-12 font-normal text-muted">
          Opening <Money cents={toCents(found.opening)} className="text-text" />, closing{" "}
          <Money cents={toCents(found.closing)} className="text-text" />
        </span>
      )}
    </span>
  );
}

function LedgerFilterBar({ uid, filters }: { uid: string; filters: LedgerFilters }) {
  const [, setParams] = useParams();
  const isPhone = useIsPhone();
  const statement = useStatement({ uid });
  return (
    <>
      <FilterBar
        main={
          <span className="flex gap-2">
            <span className="block grow sm:w-36 sm:grow-0">
              <Select
                aria-label="Type"
                value={filters.type ?? "all"}
                choices={typeChoices}
                onValue={(type) => setParams({ type: type === "all" ? undefined : type })}
              />
            </span>
            {/* On a phone the end of the bar is folded away, and people come for their statement. */}
            {isPhone ? <StatementButton {...statement.button} /> : <AsOfField />}
          </span>
        }
        usedCount={0}
        canClear={filters.type !== undefined}
        onClear={() => setParams({ type: undefined })}
        end={
          <>
            {isPhone ? null : <StatementButton {...statement.button} />}
            <ExportButton path={ledgerExportPath(uid, filters)} name="ledger" />
          </>
        }
      >
        {isPhone ? (
          <div className="col-span-2">
            <AsOfField />
          </div>
        ) : null}
      </FilterBar>
      {statement.dialog}
    </>
  );
}

type LedgerTabProps = {
  readonly uid: string;
  /** False if an admin looks at another person's history. */
  readonly isOwn?: boolean;
};

/** The ledger as it is now, or as of the moment that the address names. */
export function LedgerTab(props: LedgerTabProps) {
  const [params, setParams] = useParams();
  const { uid, isOwn = true } = props;
  const at = momentIn(params);
  const openId = params.get("line");
  const statement = useStatement({ uid, at });
  return at === undefined ? (
    <LedgerNow {...props} />
  ) : (
    <div className="flex flex-col gap-3">
      <span className="flex flex-wrap items-center justify-between gap-2">
        <AsOfField />
        {viewIn(params) === "recorded" ? <StatementButton {...statement.button} /> : null}
      </span>
      <PastHistory uid={uid} at={at} />
      {statement.dialog}
      {openId === null ? null : (
        <LineDrawer
          uid={uid}
          id={openId}
          known={undefined}
          tradePathOf={isOwn ? tradePath : orderPath}
          isOwn={isOwn}
          listFreshness={undefined}
          onClose={() => setParams({ line: undefined })}
          onPrevious={undefined}
          onNext={undefined}
        />
      )}
    </div>
  );
}

function LedgerNow({ uid, isOwn = true }: LedgerTabProps) {
  const [params, setParams] = useParams();
  const filters = ledgerFiltersIn(params);
  const ledger = useLedger(uid, filters);
  const { rows } = ledger;
  const openId = params.get("line") ?? undefined;
  const openIndex = rows?.findIndex((line) => lineId(line) === openId) ?? -1;
  const isFiltered = filters.type !== undefined;
  const lineCount = ledger.pages?.[0]?.lineCount;

  /** Opening from the list adds a history entry for Back. Moving between lines and closing do not. */
  function open(line: LedgerLine | undefined, push = false): void {
    setParams({ line: line === undefined ? undefined : lineId(line) }, { push });
  }
  /** Undefined at an end of the list, and for a line that is not on the loaded pages. */
  function goBy(step: number): (() => void) | undefined {
    const line = openIndex === -1 ? undefined : rows?.[openIndex + step];
    return line === undefined ? undefined : () => open(line);
  }

  return (
    <div className="flex flex-col gap-3">
      <LedgerFilterBar uid={uid} filters={filters} />
      <HeldNotice freshness={ledger.freshness} />
      <DataTable
        label="Ledger"
        columns={columns}
        rows={rows}
        rowId={lineId}
        opening={{ onOpen: (line) => open(line, true), openId }}
        grouping={{
          groupOf: monthOf,
          renderHeading: (month) => <MonthHeading month={month} pages={ledger.pages ?? []} />,
        }}
        error={ledger.error}
        errorTitle="The ledger could not be loaded"
        onRetry={ledger.refresh}
        more={ledger}
        countText={
          isFiltered || lineCount === undefined
            ? undefined
            : formatQuantity(lineCount, "entry", "entries")
        }
        empty={
          <EmptyState
            icon={HistoryIcon}
            title={isFiltered ? "No entries match" : "No entries yet"}
            action={
              isFiltered ? (
                <Button onClick={() => setParams({ type: undefined })}>Clear</Button>
              ) : undefined
            }
          >
            {isFiltered
              ? undefined
              : isOwn
                ? "Your sales will appear here."
                : "Sales will appear here."}
          </EmptyState>
        }
      />
      <FreshnessLine freshness={ledger.freshness} isBelow />
      {openId === undefined ? null : (
        <LineDrawer
          uid={uid}
          id={openId}
          known={rows?.[openIndex]}
          tradePathOf={isOwn ? tradePath : orderPath}
          isOwn={isOwn}
          listFreshness={ledger.freshness}
          onClose={() => open(undefined)}
          onPrevious={goBy(-1)}
          onNext={goBy(1)}
        />
      )}
    </div>
  );
}
