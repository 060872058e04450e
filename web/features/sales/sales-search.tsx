// The filters above the list of sales. The address holds all of them.
import { ConsignorParam } from "#web/shared/consignor/consignor-param.tsx";
import { StoreDaysNote } from "#web/shared/period/store-days-note.tsx";
import type { ParamChanges } from "#web/lib/search-param.ts";
import { FilterBar } from "#web/ui/filter-bar.tsx";
import { PeriodInput } from "#web/ui/period-input.tsx";
import { SearchParamInput } from "#web/ui/search-param-input.tsx";
import { Select } from "#web/ui/select.tsx";
import {
  dayOf,
  isFiltered,
  kindChoices,
  paidChoices,
  statusChoices,
  type SalesFilters,
} from "#web/shared/sale/sales-filters.ts";

type SalesSearchProps = {
  readonly filters: SalesFilters;
  readonly onChange: (changes: ParamChanges) => void;
  readonly onClear: () => void;
};

export function SalesSearch({ filters, onChange, onClear }: SalesSearchProps) {
  const used = [
    filters.consignor !== undefined,
    filters.kind !== "all",
    filters.status !== "all",
    filters.paid !== "all",
    filters.from !== "" || filters.to !== "",
  ];
  return (
    <FilterBar
      main={
        <SearchParamInput
          param="q"
          label="Search by item name or barcode"
          placeholder="Item name or barcode"
        />
      }
      usedCount={used.filter(Boolean).length}
      canClear={isFiltered(filters)}
      onClear={onClear}
      note={<StoreDaysNote from={filters.from} to={filters.to} />}
    >
      <div className="max-sm:col-span-2 sm:w-40">
        <ConsignorParam uid={filters.consignor} onUid={(consignor) => onChange({ consignor })} />
      </div>
      <Select
        aria-label="Kind"
        value={filters.kind}
        onValue={(kind) => onChange({ kind: kind === "all" ? undefined : kind })}
        choices={kindChoices}
      />
      <Select
        aria-label="Status"
        value={filters.status}
        onValue={(status) => onChange({ status: status === "all" ? undefined : status })}
        choices={statusChoices}
      />
      <Select
        aria-label="Paid by"
        value={filters.paid}
        onValue={(paid) => onChange({ paid: paid === "all" ? undefined : paid })}
        choices={paidChoices}
      />
      <PeriodInput
        from={dayOf(filters.from, false)}
        to={dayOf(filters.to, true)}
        onChange={onChange}
      />
    </FilterBar>
  );
}
