// One group of Today: a card with a link for each number, or the words that nothing is left.
import { CircleCheck, ChevronRight } from "lucide-react";
import { useId } from "react";
import { Link } from "react-router-dom";
import { Icon } from "#web/ui/icon.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { countText, type TodayGroup, type TodayRow } from "./today-rows.ts";

export const line = "flex min-h-13 items-center gap-3 px-4 py-2 max-sm:px-3";

type LinkLineProps = Pick<TodayRow, "label" | "icon" | "detail" | "to"> & {
  /** How many wait; nothing where it is not a number. */
  readonly count?: string;
};

export function LinkLine({ label, icon, detail, to, count }: LinkLineProps) {
  return (
    <Link
      to={to}
      className={`group ${line} -outline-offset-2 transition-colors duration-120 hover:bg-hover`}
    >
      <Icon of={icon} size={20} className="text-muted" />
      <span className="flex min-w-0 grow flex-col">
        <span className="font-medium">{label}</span>
        {detail === "" ? null : <span className="text-12 text-muted">{detail}</span>}
      </span>
      {count === undefined ? null : (
        <span className="text-20 font-semibold tabular-nums">{count}</span>
      )}
      <Icon
        of={ChevronRight}
        className="text-faint transition-colors duration-120 group-hover:text-accent"
      />
    </Link>
  );
}

type TodayListProps = {
  readonly group: TodayGroup;
};

export function TodayList({ group: { label, empty, rows } }: TodayListProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="card flex flex-col overflow-hidden">
      <Heading id={id} label={label} />
      {rows.length === 0 ? (
        <p className={`${line} text-muted`}>
          <Icon of={CircleCheck} size={20} className="text-credit" />
          {empty}
        </p>
      ) : (
        <ul className="divide-y divide-border">
          {rows.map((row) => (
            <li key={row.label}>
              <LinkLine {...row} count={countText(row)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function Heading({ id, label }: { readonly id?: string; readonly label: string }) {
  return (
    <h2
      id={id}
      className="border-b border-border bg-fill px-4 py-2 text-12 font-medium text-muted max-sm:px-3"
    >
      {label}
    </h2>
  );
}

/** The same with this many rows, while nothing is known yet. */
export function LoadingList({ label, rows }: { readonly label: string; readonly rows: number }) {
  return (
    <div aria-hidden="true" className="card flex flex-col overflow-hidden">
      <Heading label={label} />
      <div className="divide-y divide-border">
        {Array.from({ length: rows }, (_, row) => (
          <div key={row} className={line}>
            <Skeleton className="size-5" />
            <Skeleton className="h-4 w-40" />
            <Skeleton className="ms-auto h-5 w-8" />
          </div>
        ))}
      </div>
    </div>
  );
}
