// What a number is made of: what was there before, one line for each kind of entry, and the number itself.
import { formatQuantity } from "#web/lib/formats.ts";
import { amountText, type Unit } from "./explain-words.ts";

type Sum = { readonly label: string; readonly amount: number };

type Group<Id extends string> = Sum & { readonly id: Id; readonly lines: number };

type SumGroupsProps<Id extends string> = {
  readonly unit: Unit;
  /** Left out if it is 0. */
  readonly before: Sum;
  readonly groups: readonly Group<Id>[];
  readonly total: Sum;
  readonly chosen: Id | undefined;
  readonly onChoose: (id: Id | undefined) => void;
};

const row = "flex min-h-9 items-center justify-between gap-3 px-4 py-1.5 touch:min-h-11";

/** Choosing a kind shows only its entries; choosing it again shows all. */
export function SumGroups<Id extends string>(props: SumGroupsProps<Id>) {
  const { unit, before, groups, total, chosen, onChoose } = props;
  return (
    <ul
      aria-label="By kind"
      className="divide-y divide-border rounded-card border border-border tabular-nums"
    >
      {before.amount === 0 ? null : (
        <li className={row}>
          <span>{before.label}</span>
          <span>{amountText(before.amount, unit)}</span>
        </li>
      )}
      {groups.map(({ id, label, lines, amount }) => (
        <li key={id}>
          <button
            type="button"
            aria-pressed={chosen === id}
            onClick={() => onChoose(chosen === id ? undefined : id)}
            className={`${row} w-full text-start -outline-offset-2 hover:bg-hover aria-pressed:bg-accent-tint`}
          >
            <span>
              {label}{" "}
              <span className="text-12 text-muted">
                {formatQuantity(lines, "entry", "entries")}
              </span>
            </span>
            <span>{amountText(amount, unit, true)}</span>
          </button>
        </li>
      ))}
      <li className={`${row} font-semibold`}>
        <span>{total.label}</span>
        <span>{amountText(total.amount, unit)}</span>
      </li>
    </ul>
  );
}
