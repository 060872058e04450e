// /admin/security: who tried to get in, what changed about accounts, and what was refused.
import type { ListedNote } from "#features/security/contract.ts";
import { pathOf } from "#web/lib/http.ts";
import { useParams, type ParamChanges } from "#web/lib/search-param.ts";
import { ConsignorParam } from "#web/shared/consignor/consignor-param.tsx";
import { StoreDaysNote } from "#web/shared/period/store-days-note.tsx";
import { Button } from "#web/ui/button.tsx";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ExportButton } from "#web/ui/export-button.tsx";
import { FilterBar } from "#web/ui/filter-bar.tsx";
import { Page } from "#web/ui/page.tsx";
import { PeriodInput } from "#web/ui/period-input.tsx";
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

type SearchProps = {
  readonly filters: SecurityFilters;
  readonly onChange: (changes: ParamChanges) => void;
};

function Search({ filters, onChange }: SearchProps) {
  const used = [
    filters.outcome !== "all",
    filters.person !== undefined,
    filters.from !== "" || filters.to !== "",
  ];
  return (
    <FilterBar
      main={
        <Select
          aria-label="What happened"
          value={filters.kind}
          onValue={(kind) => onChange({ kind: kind === "all" ? undefined : kind })}
          choices={kindChoices}
        />
      }
      usedCount={used.filter(Boolean).length}
      canClear={isFiltered(filters)}
      onClear={() => onChange(noFilters)}
      note={<StoreDaysNote from={filters.from} to={filters.to} />}
      end={
        <ExportButton path={pathOf("/security/log/export", queryOf(filters))} name="security-log" />
      }
    >
      <Select
        aria-label="Outcome"
        value={filters.outcome}
        onValue={(outcome) => onChange({ outcome: outcome === "all" ? undefined : outcome })}
        choices={outcomeChoices}
      />
      <div className="max-sm:-order-1 max-sm:col-span-2 sm:max-w-48 sm:flex-[1_1_7rem]">
        <ConsignorParam uid={filters.person} onUid={(person) => onChange({ person })} />
      </div>
      <PeriodInput from={filters.from} to={filters.to} onChange={onChange} />
    </FilterBar>
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
        more={notes}
      />
    </Page>
  );
}
