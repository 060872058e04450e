// The filters above the list of sales. The address holds all of them.
import { useState } from "react";
import { ConsignorParam } from "#web/shared/consignor/consignor-param.tsx";
import type { ParamChanges } from "#web/lib/search-param.ts";
import { ClearButton } from "#web/ui/clear-button.tsx";
import { PeriodInput } from "#web/ui/period-input.tsx";
import { SearchParamInput } from "#web/ui/search-param-input.tsx";
import { Select } from "#web/ui/select.tsx";
import {
  dayOf,
  isFiltered,
  kindChoices,
  statusChoices,
  type SalesFilters,
} from "#web/shared/sale/sales-filters.ts";

type SalesSearchProps = {
  readonly filters: SalesFilters;
  readonly onChange: (changes: ParamChanges) => void;
  readonly onClear: () => void;
};

export function SalesSearch({ filters, onChange, onClear }: SalesSearchProps) {
  const [clears, setClears] = useState(0);
  const clear = () => {
    setClears(clears + 1);
    onClear();
  };
  return (
    <div className="grid grid-cols-2 gap-2 md:grid-cols-4 min-[80rem]:grid-cols-[minmax(10rem,1fr)_11rem_10rem_9.5rem_11.5rem_10.5rem_auto]">
      <SearchParamInput
        param="q"
        label="Search by item name or barcode"
        placeholder="Item name or barcode"
        className="max-[80rem]:col-span-2"
      />
      <ConsignorParam
        uid={filters.consignor}
        onUid={(consignor) => onChange({ consignor })}
        clears={clears}
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
      <PeriodInput
        from={dayOf(filters.from, false)}
        to={dayOf(filters.to, true)}
        onChange={onChange}
      />
      <ClearButton canClear={isFiltered(filters)} onClear={clear} />
    </div>
  );
}
