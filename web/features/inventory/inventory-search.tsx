// The inventory's search bar: text, location, consignor, source, and presets for items that need attention.
import { Search, SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import type * as z from "zod/mini";
import type { searchPreset } from "#features/inventory/contract.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { pathOf } from "#web/lib/http.ts";
import type { ParamChanges } from "#web/lib/search-param.ts";
import { Button } from "#web/ui/button.tsx";
import { ExportButton } from "#web/ui/export-button.tsx";
import { Form } from "#web/ui/form.tsx";
import { Select, type Choice } from "#web/ui/select.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { ConsignorFilter } from "#web/shared/consignor/consignor-filter.tsx";
import { pickError } from "#web/shared/consignor/consignor-pick.ts";
import type { InventoryFilters } from "#web/shared/item/item-search.ts";
import { filtersOf, useSearchFields, type OwnerChoice, type SearchFields } from "./search-draft.ts";

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
  const [isMore, setMore] = useState(false);
  const isUnpicked = draft.consignor === undefined && typed.trim() !== "";
  const hasFilters = Object.keys(filters).length > 0;
  const moreCount = [
    draft.location !== "",
    draft.consignor !== undefined,
    draft.filter !== "all",
  ].filter(Boolean).length;

  return (
    <search className="flex flex-col gap-3">
      <Form
        onSubmit={fields.searchNow}
        className="grid grid-cols-2 gap-2 md:grid-cols-[1fr_1fr_1fr_auto] min-[72rem]:grid-cols-[minmax(16rem,1fr)_10rem_14rem_10rem_auto]"
      >
        <div className="col-span-2 flex gap-2 md:col-span-4 min-[72rem]:col-span-1">
          <TextInput
            type="search"
            icon={Search}
            aria-label="Search by name, barcode, or title"
            placeholder="Search by name, barcode, or title..."
            value={draft.searchTerm}
            onValue={(searchTerm) => set({ searchTerm })}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
          />
          <Button
            icon={SlidersHorizontal}
            aria-expanded={isMore}
            onClick={() => setMore(!isMore)}
            className="md:hidden"
          >
            {moreCount === 0 ? "Filters" : `Filters (${moreCount})`}
          </Button>
        </div>
        <MoreFields fields={fields} isShown={isMore} />
        <div
          className={`flex justify-end gap-2 max-md:col-span-2 max-md:*:flex-1 ${isMore || isChanged || hasFilters ? "" : "max-md:hidden"}`}
        >
          <Button onClick={fields.clear}>Clear</Button>
          <Button type="submit" variant={isChanged ? "primary" : "secondary"}>
            Search
          </Button>
        </div>
      </Form>
      <div className="flex flex-wrap items-center gap-2">
        {presets.map(({ id, label }) => (
          <PresetButton
            key={id}
            label={label}
            isOn={filters.preset === id}
            onToggle={() => onSearch({ preset: filters.preset === id ? undefined : id })}
          />
        ))}
        <PresetButton
          label={`Unsold for ${formatQuantity(filters.unsoldDays ?? usualUnsoldDays, "day")}`}
          isOn={filters.unsoldDays !== undefined}
          onToggle={() =>
            onSearch({
              unsold: filters.unsoldDays === undefined ? String(usualUnsoldDays) : undefined,
            })
          }
        />
        <output className="text-12 text-muted empty:hidden">
          {isUnpicked ? pickError({ chosen: undefined, typed }, "") : null}
        </output>
        <span className="ms-auto">
          {/* Includes text so recent that the list has not been searched for it yet. */}
          <ExportButton
            path={pathOf("/inventory/search/export", filtersOf(draft, filters))}
            name="inventory"
          />
        </span>
      </div>
    </search>
  );
}

/** On a phone these are hidden until they are opened. */
function MoreFields({
  fields,
  isShown,
}: {
  readonly fields: SearchFields;
  readonly isShown: boolean;
}) {
  const { draft, set, setTyped, version } = fields;
  return (
    <div className={`contents ${isShown ? "" : "max-md:hidden"}`}>
      <TextInput
        aria-label="Location"
        placeholder="Location"
        value={draft.location}
        onValue={(location) => set({ location })}
        autoComplete="off"
      />
      <ConsignorFilter
        key={version}
        uid={draft.consignor}
        onUid={(consignor) => set({ consignor })}
        onTyped={setTyped}
      />
      <div className="max-md:col-span-2">
        <Select
          aria-label="Source"
          value={draft.filter}
          onValue={(filter) => set({ filter })}
          choices={ownerChoices}
        />
      </div>
    </div>
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
      className="inline-flex h-7 items-center rounded-pill border border-border-strong bg-surface px-3 text-12 font-medium text-muted transition-colors duration-120 hover:bg-hover hover:text-text aria-pressed:border-accent aria-pressed:bg-accent-tint aria-pressed:text-accent touch:h-11"
    >
      {label}
    </button>
  );
}
