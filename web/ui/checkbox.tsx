// A checkbox with its label; `isMixed` for "some of them".
import { Check, Minus } from "lucide-react";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { Icon } from "./icon.tsx";

type CheckboxProps = {
  readonly label: string;
  /** Hides the label except from screen readers, as in a table's first column. */
  readonly isLabelHidden?: boolean;
  readonly isChecked: boolean;
  readonly isMixed?: boolean;
  readonly isDisabled?: boolean;
  readonly onChecked: (isChecked: boolean) => void;
};

export function Checkbox({
  label,
  isLabelHidden = false,
  isChecked,
  isMixed = false,
  isDisabled = false,
  onChecked,
}: CheckboxProps) {
  return (
    <label className="relative inline-flex min-h-6 min-w-6 items-center gap-2 text-14 touch:before:absolute touch:before:-inset-2.5">
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        aria-label={isLabelHidden ? withIsolatedNames(label) : undefined}
        ref={(input) => {
          if (input !== null) {
            input.indeterminate = isMixed;
          }
        }}
        onChange={(event) => onChecked(event.target.checked)}
        className="peer relative size-4 shrink-0 appearance-none rounded-bit border border-border-strong bg-surface checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:border-border disabled:bg-fill"
      />
      <span className="pointer-events-none absolute start-0 flex size-4 items-center justify-center text-on-accent">
        {isMixed ? <Icon of={Minus} size={14} /> : isChecked ? <Icon of={Check} size={14} /> : null}
      </span>
      {isLabelHidden ? null : label}
    </label>
  );
}
