// The filters above the viewer's trades and offers, and the filtered list as a file. The address holds the filters.
import { tradeStatus, type TradeStatus } from "#features/trades/contract.ts";
import { useParams } from "#web/lib/search-param.ts";
import { DayInput } from "#web/ui/day-input.tsx";
import { ExportButton } from "#web/ui/export-button.tsx";
import { SearchParamInput } from "#web/ui/search-param-input.tsx";
import { Select, type Choice } from "#web/ui/select.tsx";
import type { TradeFilters } from "./trade-filters.ts";
import { tradeStatusWords } from "./trade-words.ts";

const statusChoices: readonly Choice<TradeStatus | "all">[] = [
  { value: "all", label: "Any status" },
  ...tradeStatus.options.map((value) => ({ value, label: tradeStatusWords[value].label })),
];

/** On a phone, the label is above the field. */
const dayLook = {
  className: "max-sm:flex-col max-sm:items-stretch max-sm:gap-0.5",
  textClassName: "max-sm:text-12",
} as const;

type TradeSearchProps = {
  readonly label: string;
  readonly filters: TradeFilters;
  readonly hasStatus: boolean;
  readonly file: { readonly path: string; readonly name: string };
};

export function TradeSearch({ label, filters, hasStatus, file }: TradeSearchProps) {
  const [, setParams] = useParams();
  return (
    <div className="flex flex-wrap items-center gap-2 no-print">
      <SearchParamInput
        param="q"
        label={label}
        placeholder="Item, barcode or trade"
        className="w-64 max-sm:-order-2 max-sm:w-0 max-sm:grow"
      />
      {hasStatus ? (
        <span className="max-sm:w-full">
          <Select
            aria-label="Status"
            value={filters.status ?? "all"}
            choices={statusChoices}
            onValue={(status) => setParams({ status: status === "all" ? undefined : status })}
          />
        </span>
      ) : null}
      <span className="flex gap-2 max-sm:grid max-sm:w-full max-sm:grid-cols-2">
        <DayInput
          {...dayLook}
          label="From"
          value={filters.from}
          onDay={(from) => setParams({ from })}
        />
        <DayInput {...dayLook} label="To" value={filters.to} onDay={(to) => setParams({ to })} />
      </span>
      <span className="ms-auto max-sm:-order-1">
        <ExportButton path={file.path} name={file.name} />
      </span>
    </div>
  );
}
