// The filters above the viewer's trades and offers, and the filtered list as a file. The address holds the filters.
import { tradeStatus, type TradeStatus } from "#features/trades/contract.ts";
import { useParams } from "#web/lib/search-param.ts";
import { StoreDaysNote } from "#web/shared/period/store-days-note.tsx";
import { ExportButton } from "#web/ui/export-button.tsx";
import { FilterBar } from "#web/ui/filter-bar.tsx";
import { PeriodInput } from "#web/ui/period-input.tsx";
import { SearchParamInput } from "#web/ui/search-param-input.tsx";
import { Select, type Choice } from "#web/ui/select.tsx";
import { isFiltered, noFilters, type TradeFilters } from "./trade-filters.ts";
import { tradeStatusWords } from "./trade-words.ts";

const statusChoices: readonly Choice<TradeStatus | "all">[] = [
  { value: "all", label: "Any status" },
  ...tradeStatus.options.map((value) => ({ value, label: tradeStatusWords[value].label })),
];

type TradeSearchProps = {
  readonly label: string;
  readonly filters: TradeFilters;
  readonly hasStatus: boolean;
  readonly file: { readonly path: string; readonly name: string };
};

export function TradeSearch({ label, filters, hasStatus, file }: TradeSearchProps) {
  const [, setParams] = useParams();
  const used = [filters.status !== undefined, filters.from !== "" || filters.to !== ""];
  return (
    <FilterBar
      main={<SearchParamInput param="q" label={label} placeholder="Item, barcode or trade" />}
      usedCount={used.filter(Boolean).length}
      canClear={isFiltered(filters)}
      onClear={() => setParams(noFilters)}
      note={<StoreDaysNote from={filters.from} to={filters.to} />}
      end={<ExportButton path={file.path} name={file.name} />}
    >
      {hasStatus ? (
        <Select
          aria-label="Status"
          value={filters.status ?? "all"}
          choices={statusChoices}
          onValue={(status) => setParams({ status: status === "all" ? undefined : status })}
        />
      ) : null}
      <PeriodInput from={filters.from} to={filters.to} onChange={setParams} />
    </FilterBar>
  );
}
