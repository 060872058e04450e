// The filters above the audit log. The address holds all of them.
import { X } from "lucide-react";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import type { ParamChanges } from "#web/lib/search-param.ts";
import { ConsignorParam } from "#web/shared/consignor/consignor-param.tsx";
import { dayOf } from "#web/shared/sale/sales-filters.ts";
import { ExportButton } from "#web/ui/export-button.tsx";
import { FilterBar } from "#web/ui/filter-bar.tsx";
import { StoreDaysNote } from "#web/shared/period/store-days-note.tsx";
import { PeriodInput } from "#web/ui/period-input.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { SearchParamInput } from "#web/ui/search-param-input.tsx";
import { Select } from "#web/ui/select.tsx";
import {
  auditExportPath,
  groupChoices,
  isFiltered,
  orderChoices,
  ownGroupChoices,
  type AuditFilters,
} from "./audit-filters.ts";

type AuditSearchProps = {
  readonly filters: AuditFilters;
  readonly isAdmin: boolean;
  /** What the server took the text for; undefined until it answered. */
  readonly understood: readonly string[] | undefined;
  readonly onChange: (changes: ParamChanges) => void;
  readonly onClear: () => void;
};

export function AuditSearch(props: AuditSearchProps) {
  const { filters, isAdmin, understood, onChange, onClear } = props;
  const used = [
    isAdmin && filters.person !== undefined,
    filters.group !== "all",
    filters.order !== "newest",
    filters.from !== "" || filters.to !== "",
  ];
  return (
    <div className="flex flex-col gap-2">
      <FilterBar
        main={
          <SearchParamInput
            param="q"
            label="Search by name, code, ID or amount"
            placeholder={isAdmin ? "Name, code, ID, $12.34" : "Item, code, ID, $12.34"}
          />
        }
        usedCount={used.filter(Boolean).length}
        canClear={isFiltered(filters)}
        onClear={onClear}
        note={<StoreDaysNote from={filters.from} to={filters.to} />}
        end={<ExportButton path={auditExportPath(filters)} name="audit-log" />}
      >
        {isAdmin ? (
          <div className="max-sm:col-span-2 sm:max-w-44 sm:flex-[1_1_7rem]">
            <ConsignorParam uid={filters.person} onUid={(person) => onChange({ person })} />
          </div>
        ) : null}
        <Select
          aria-label="About"
          value={filters.group}
          onValue={(group) => onChange({ group: group === "all" ? undefined : group })}
          choices={isAdmin ? groupChoices : ownGroupChoices}
        />
        <Select
          aria-label="Order"
          value={filters.order}
          onValue={(order) => onChange({ order: order === "newest" ? undefined : order })}
          choices={orderChoices}
        />
        <PeriodInput
          from={dayOf(filters.from, false)}
          to={dayOf(filters.to, true)}
          onChange={onChange}
        />
      </FilterBar>
      <Linked filters={filters} onChange={onChange} />
      <output className="text-12 text-muted empty:hidden">
        {filters.q === "" || understood === undefined || understood.length === 0
          ? null
          : `Searched for: ${understood.join(" · ")}`}
      </output>
    </div>
  );
}

/** Filters that came with a link. Each can be removed. */
function Linked({ filters, onChange }: Pick<AuditSearchProps, "filters" | "onChange">) {
  return filters.linked.length === 0 ? null : (
    <ul aria-label="More filters" className="flex flex-wrap gap-2">
      {filters.linked.map(({ param, label }) => (
        <li key={param}>
          <button
            type="button"
            aria-label={withIsolatedNames(`Remove filter: ${label}`)}
            onClick={() => onChange({ [param]: undefined })}
            className="inline-flex min-h-6 max-w-full items-center gap-1 rounded-pill bg-accent-tint px-2 text-12 font-medium text-accent max-sm:min-h-11"
          >
            <span className="truncate">{label}</span>
            <Icon of={X} size={14} />
          </button>
        </li>
      ))}
    </ul>
  );
}
