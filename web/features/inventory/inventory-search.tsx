// The inventory's search bar: text, location, consignor, source, and presets for items that need attention.
import { Search } from "lucide-react";
import type * as z from "zod/mini";
import { maxNameLength } from "#features/inventory/contract-fields.ts";
import type { searchPreset } from "#features/inventory/contract-queries.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { pathOf } from "#web/lib/http.ts";
import type { ParamChanges } from "#web/lib/search-param.ts";
import { Button } from "#web/ui/button.tsx";
import { ExportButton } from "#web/ui/export-button.tsx";
import { FilterBar } from "#web/ui/filter-bar.tsx";
import { Select, type Choice } from "#web/ui/select.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { ConsignorFilter } from "#web/shared/consignor/consignor-filter.tsx";
import { pickError } from "#web/shared/consignor/consignor-pick.ts";
import type { InventoryFilters } from "#web/shared/item/item-search.ts";
import { filtersOf, useSearchFields, type OwnerChoice, type SearchFields } from "./search-draft.ts";
import { Link } from "react-router-dom";
import { paths } from "#web/paths.ts";

const ownerChoices: readonly Choice<OwnerChoice>[] = [
  { value: "all", label: "All Items" },
  { value: "master", label: "Master Only" },
  { value: "consignor", label: "Consignor Only" },
];

type Preset = z.infer<typeof searchPreset>;

const presets: readonly { readonly id: Preset; readonly label: string }[] = [
  { id: "zero-stock", label: "Zero stock" },
  { id: "no-image", label: "No image" },
  { id: "no-location", label: "No location" },
];

/** The button's own number. An address may have another one. */
const usualUnsoldDays = 60;

type InventorySearchProps = {
  /** The filters in the address. */
  readonly filters: InventoryFilters;
  readonly onSearch: (params: ParamChanges) => void;
};

export function InventorySearch({ filters, onSearch }: InventorySearchProps) {
  const fields = useSearchFields(filters, onSearch);
  const { draft, set, typed, isChanged } = fields;
  const isUnpicked = draft.consignor === undefined && typed.trim() !== "";
  const used = [
    draft.location !== "",
    draft.consignor !== undefined,
    draft.filter !== "all",
    filters.preset !== undefined,
    filters.unsoldDays !== undefined,
  ];

  return (
    <div className="flex flex-col gap-1">
      <FilterBar
        onSubmit={fields.searchNow}
        usedCount={used.filter(Boolean).length}
        canClear
        onClear={fields.clear}
        main={
          <TextInput
            type="search"
            icon={Search}
            aria-label="Search by name, barcode, or title"
            placeholder="Search by name, barcode, or title..."
            maxLength={maxNameLength}
            value={draft.searchTerm}
            onValue={(searchTerm) => set({ searchTerm })}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
          />
        }
        apply={
          <Button type="submit" variant={isChanged ? "primary" : "secondary"}>
            Search
          </Button>
        }
        end={
          // Includes text so recent that the list has not been searched for it yet.
          <ExportButton
            isCompact
            path={pathOf("/inventory/search/export", filtersOf(draft, filters))}
            name="inventory"
          />
        }
      >
        <Fields fields={fields} />
        <span className="flex h-(--control) items-center gap-1 max-sm:col-span-2">
          {presets.map(({ id, label }) => (
            <PresetButton
              key={id}
              label={label}
              isOn={filters.preset === id}
              onToggle={() => onSearch({ preset: filters.preset === id ? undefined : id })}
            />
          ))}
          <PresetButton
            label={`Unsold ${formatQuantity(filters.unsoldDays ?? usualUnsoldDays, "day")}`}
            isOn={filters.unsoldDays !== undefined}
            onToggle={() =>
              onSearch({
                unsoldDays: filters.unsoldDays === undefined ? String(usualUnsoldDays) : undefined,
              })
            }
          />
        </span>
      </FilterBar>
      <output className="text-12 text-muted empty:hidden">
        {isUnpicked ? pickError({ chosen: undefined, typed }, "") : null}
      </output>
      {filters.preset === "no-image" ? (
        <p className="text-12 text-muted">
          <Link to={paths.imageBackfill} className="text-accent hover:underline">
            Find pictures
          </Link>
          {" of all items with a link to a product of the retailer"}
        </p>
      ) : null}
    </div>
  );
}

function Fields({ fields }: { readonly fields: SearchFields }) {
  const { draft, set, setTyped, version } = fields;
  return (
    <>
      <span className="sm:w-24">
        <TextInput
          aria-label="Location"
          placeholder="Location"
          maxLength={maxNameLength}
          value={draft.location}
          onValue={(location) => set({ location })}
          autoComplete="off"
        />
      </span>
      <span className="sm:w-36">
        <ConsignorFilter
          key={version}
          uid={draft.consignor}
          onUid={(consignor) => set({ consignor })}
          onTyped={setTyped}
        />
      </span>
      <span className="max-sm:col-span-2 sm:w-36">
        <Select
          aria-label="Source"
          value={draft.filter}
          onValue={(filter) => set({ filter })}
          choices={ownerChoices}
        />
      </span>
    </>
  );
}

type PresetButtonProps = {
  readonly label: string;
  readonly isOn: boolean;
  readonly onToggle: () => void;
};

function PresetButton({ label, isOn, onToggle }: PresetButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onToggle}
      className="inline-flex h-7 items-center whitespace-nowrap max-sm:grow max-sm:justify-center rounded-pill border border-border-strong bg-surface px-2.5 text-12 font-medium text-muted transition-colors duration-120 hover:bg-hover hover:text-text aria-pressed:border-accent aria-pressed:bg-accent-tint aria-pressed:text-accent touch:h-11"
    >
      {label}
    </button>
  );
}
