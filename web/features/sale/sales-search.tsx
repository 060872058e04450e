// The filters above the list of sales, all of them held by the address.
import type { ParamChanges } from "#web/lib/search-param.ts";
import { Button } from "#web/ui/button.tsx";
import { SearchParamInput } from "#web/ui/search-param-input.tsx";
import { Select } from "#web/ui/select.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { isFiltered, kindChoices, statusChoices, type SalesFilters } from "./sales-filters.ts";

type SalesSearchProps = {
  readonly filters: SalesFilters;
  readonly onChange: (changes: ParamChanges) => void;
  readonly onClear: () => void;
};

export function SalesSearch({ filters, onChange, onClear }: SalesSearchProps) {
  return (
    <div className="grid grid-cols-2 gap-2 md:grid-cols-4 lg:grid-cols-[minmax(12rem,1fr)_11rem_10rem_12rem_11rem_auto]">
      <SearchParamInput
        param="q"
        label="Search by item name or barcode"
        placeholder="Item name or barcode"
        className="max-lg:col-span-2"
      />
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
      <Day label="From" value={filters.from} onDay={(from) => onChange({ from })} />
      <Day label="To" value={filters.to} onDay={(to) => onChange({ to })} />
      <Button
        onClick={onClear}
        disabled={!isFiltered(filters)}
        className={`max-lg:col-span-2 ${isFiltered(filters) ? "" : "max-lg:hidden"}`}
      >
        Clear
      </Button>
    </div>
  );
}

type DayProps = {
  readonly label: string;
  readonly value: string;
  readonly onDay: (day: string) => void;
};

function Day({ label, value, onDay }: DayProps) {
  return (
    <label className="flex min-w-0 items-center gap-2 text-muted max-md:col-span-2">
      <span className="shrink-0 max-lg:w-9">{label}</span>
      <TextInput type="date" value={value} onValue={onDay} />
    </label>
  );
}
