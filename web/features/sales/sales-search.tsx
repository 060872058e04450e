// The filters above the list of sales. The address holds all of them.
import { useState } from "react";
import { ConsignorFilter } from "#web/shared/consignor/consignor-filter.tsx";
import { pickError } from "#web/shared/consignor/consignor-pick.ts";
import type { ParamChanges } from "#web/lib/search-param.ts";
import { Button } from "#web/ui/button.tsx";
import { DayInput } from "#web/ui/day-input.tsx";
import { SearchParamInput } from "#web/ui/search-param-input.tsx";
import { Select } from "#web/ui/select.tsx";
import {
  isFiltered,
  kindChoices,
  statusChoices,
  type SalesFilters,
} from "#web/shared/sale/sales-filters.ts";

const dayLook = { className: "max-md:col-span-2", textClassName: "max-md:w-9" } as const;

type SalesSearchProps = {
  readonly filters: SalesFilters;
  readonly onChange: (changes: ParamChanges) => void;
  readonly onClear: () => void;
};

export function SalesSearch({ filters, onChange, onClear }: SalesSearchProps) {
  const [clears, setClears] = useState(0);
  return (
    <div className="grid grid-cols-2 gap-2 md:grid-cols-4 min-[80rem]:grid-cols-[minmax(10rem,1fr)_11rem_10rem_9.5rem_11.5rem_10.5rem_auto]">
      <SearchParamInput
        param="q"
        label="Search by item name or barcode"
        placeholder="Item name or barcode"
        className="max-[80rem]:col-span-2"
      />
      <SoldFor
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
          onClear();
        }}
        disabled={!isFiltered(filters)}
        className={`max-md:col-span-2 ${isFiltered(filters) ? "" : "max-md:hidden"}`}
      >
        Clear
      </Button>
    </div>
  );
}

type SoldForProps = {
  /** The filters in the address. */
  readonly uid: string | undefined;
  readonly onUid: (uid: string | undefined) => void;
  /** Incremented when everything is cleared, including text that was only typed. */
  readonly clears: number;
};

/** The consignor's field. It is reset when the address changes from outside, for example by going back. */
function SoldFor({ uid, onUid, clears }: SoldForProps) {
  const [seen, setSeen] = useState(uid);
  const [sent, setSent] = useState(uid);
  const [version, setVersion] = useState(0);
  const [typed, setTyped] = useState("");
  const [seenClears, setSeenClears] = useState(clears);
  function beginAnew(): void {
    setSent(uid);
    setTyped("");
    setVersion(version + 1);
  }
  if (seen !== uid) {
    setSeen(uid);
    if (uid !== sent) {
      beginAnew();
    }
  } else if (seenClears !== clears) {
    setSeenClears(clears);
    beginAnew();
  }
  return (
    <div className="max-md:col-span-2">
      <ConsignorFilter
        key={version}
        uid={uid}
        onUid={(next) => {
          setSent(next);
          onUid(next);
        }}
        onTyped={setTyped}
      />
      <output className="block text-12 text-muted empty:hidden">
        {uid === undefined && typed.trim() !== ""
          ? pickError({ chosen: undefined, typed }, "")
          : null}
      </output>
    </div>
  );
}
