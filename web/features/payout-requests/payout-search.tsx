// Which payouts are listed: those that wait, or settled ones of a status; with search, method, period and the list as a file.
import { pathOf } from "#web/lib/http.ts";
import { useParams } from "#web/lib/search-param.ts";
import { useIsNarrow } from "#web/lib/use-media.ts";
import { ExportButton } from "#web/ui/export-button.tsx";
import { FilterBar } from "#web/ui/filter-bar.tsx";
import { StoreDaysNote } from "#web/shared/period/store-days-note.tsx";
import { PeriodInput } from "#web/ui/period-input.tsx";
import { SearchParamInput } from "#web/ui/search-param-input.tsx";
import { Select } from "#web/ui/select.tsx";
import {
  isFiltered,
  isSettled,
  noFilters,
  pendingQueryOf,
  settledQueryOf,
  type PayoutFilters,
} from "./payout-filters.ts";

const statusChoices = [
  { value: "pending", label: "Pending" },
  { value: "paid", label: "Paid" },
  { value: "returned", label: "Returned" },
  { value: "deleted", label: "Deleted" },
] as const;

const methodChoices = [
  { value: "all", label: "All methods" },
  { value: "cashapp", label: "CashApp" },
  { value: "venmo", label: "Venmo" },
] as const;

export function PayoutSearch({ filters }: { readonly filters: PayoutFilters }) {
  const [, setParams] = useParams();
  const { status, method, from, to } = filters;
  const used = [method !== undefined, from !== "" || to !== ""];
  return (
    <div className="flex flex-wrap items-start gap-2 sm:flex-nowrap no-print">
      <div className="w-full sm:w-30 sm:shrink-0">
        <Select
          aria-label="Status"
          value={status ?? "pending"}
          // Settled ones have an order of their own, and pending ones no period.
          onValue={(value) =>
            setParams(
              value === "pending"
                ? { status: undefined, from: undefined, to: undefined }
                : { status: value, sort: undefined, order: undefined },
            )
          }
          choices={statusChoices}
        />
      </div>
      <div className="min-w-0 grow">
        <FilterBar
          main={
            <SearchParamInput
              param="q"
              label="Search payouts"
              placeholder="Name, handle, reference or ID"
            />
          }
          usedCount={used.filter(Boolean).length}
          canClear={isFiltered(filters)}
          onClear={() => setParams(noFilters)}
          note={status === undefined ? null : <StoreDaysNote from={from} to={to} />}
          end={<FileButton filters={filters} />}
        >
          <span className="sm:w-34">
            <Select
              aria-label="Method"
              value={method ?? "all"}
              onValue={(value) => setParams({ method: value === "all" ? undefined : value })}
              choices={methodChoices}
            />
          </span>
          {status === undefined ? null : <PeriodInput from={from} to={to} onChange={setParams} />}
        </FilterBar>
      </div>
    </div>
  );
}

function FileButton({ filters }: { readonly filters: PayoutFilters }) {
  // On a tablet the filters take the room of the button's words.
  const isCompact = useIsNarrow();
  return isSettled(filters) ? (
    <ExportButton
      path={pathOf("/payouts/settled/export", settledQueryOf(filters))}
      name={`payouts-${filters.status}`}
      isCompact={isCompact}
    />
  ) : (
    <ExportButton
      path={pathOf("/payouts/pending/export", pendingQueryOf(filters))}
      name="payout-requests"
      isCompact={isCompact}
    />
  );
}
