// /admin/security: who tried to get in, what changed about accounts, and what was refused.
import { useState } from "react";
import type { ListedNote } from "#features/security/contract.ts";
import { useParams, type ParamChanges } from "#web/lib/search-param.ts";
import { ConsignorParam } from "#web/shared/consignor/consignor-param.tsx";
import { Button } from "#web/ui/button.tsx";
import { DataTable } from "#web/ui/data-table.tsx";
import { DayInput } from "#web/ui/day-input.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { Select } from "#web/ui/select.tsx";
import { SecurityIcon } from "#web/ui/thing-icons.ts";
import { useSecurityLog } from "./security-api.ts";
import { columns } from "./security-columns.tsx";
import {
  isFiltered,
  kindChoices,
  noFilters,
  outcomeChoices,
  queryOf,
  securityFiltersIn,
  type SecurityFilters,
} from "./security-filters.ts";

const idOf = (note: ListedNote): string => note.id;
const dayLook = { className: "max-md:col-span-2", textClassName: "max-md:w-9" } as const;

type SearchProps = {
  readonly filters: SecurityFilters;
  readonly onChange: (changes: ParamChanges) => void;
};

function Search({ filters, onChange }: SearchProps) {
  const [clears, setClears] = useState(0);
  const canClear = isFiltered(filters);
  return (
    <div className="grid grid-cols-2 gap-2 md:grid-cols-3 min-[76rem]:grid-cols-[minmax(10rem,1fr)_9rem_12rem_11.5rem_10.5rem_auto]">
      <Select
        aria-label="What happened"
        className="max-md:col-span-2"
        value={filters.kind}
        onValue={(kind) => onChange({ kind: kind === "all" ? undefined : kind })}
        choices={kindChoices}
      />
      <Select
        aria-label="Outcome"
        value={filters.outcome}
        onValue={(outcome) => onChange({ outcome: outcome === "all" ? undefined : outcome })}
        choices={outcomeChoices}
      />
      <ConsignorParam
        uid={filters.person}
        onUid={(person) => onChange({ person })}
        clears={clears}
      />
      <DayInput
        {...dayLook}
        label="From"
        value={filters.from}
        onDay={(from) => onChange({ from })}
      />
      <DayInput {...dayLook} label="To" value={filters.to} onDay={(to) => onChange({ to })} />
      <Button
        onClick={() => {
          setClears(clears + 1);
          onChange(noFilters);
        }}
        disabled={!canClear}
        className={`max-md:col-span-2 ${canClear ? "" : "max-md:hidden"}`}
      >
        Clear
      </Button>
    </div>
  );
}

export function SecurityScreen() {
  const [params, setParams] = useParams();
  const filters = securityFiltersIn(params);
  const notes = useSecurityLog(queryOf(filters));
  return (
    <Page
      title="Security"
      subtitle="The last 180 days. Attempts from one network within ten minutes share a line."
      isWide
    >
      <Search filters={filters} onChange={setParams} />
      <DataTable
        label="Security log"
        columns={columns}
        rows={notes.rows}
        rowId={idOf}
        error={notes.error}
        errorTitle="The security log could not be loaded"
        onRetry={notes.refresh}
        empty={
          isFiltered(filters) ? (
            <EmptyState
              icon={SecurityIcon}
              title="Nothing matches"
              action={<Button onClick={() => setParams(noFilters)}>Clear</Button>}
            />
          ) : (
            <EmptyState icon={SecurityIcon} title="Nothing yet">
              Sign-ins, refused calls and changes of accounts are listed here.
            </EmptyState>
          )
        }
        more={{ hasMore: notes.hasMore, isLoading: notes.isLoadingMore, onMore: notes.loadMore }}
      />
    </Page>
  );
}
