// An on/off setting that takes effect at once: a checkbox drawn as a switch, with its label on the left.
import type { ReactNode } from "react";

type SwitchProps = {
  readonly label: string;
  readonly help?: ReactNode;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
};

export function Switch({ label, help, isOn, isDisabled = false, onChange }: SwitchProps) {
  return (
    <label className="flex min-h-6 items-start justify-between gap-4 touch:min-h-11">
      <span className="flex min-w-0 flex-col gap-0.5">
        <span className="font-medium">{label}</span>
        {help === undefined ? null : <span className="text-12 text-muted">{help}</span>}
      </span>
      <span className="relative mt-0.5 inline-flex shrink-0">
        <input
          type="checkbox"
          role="switch"
          aria-checked={isOn}
          checked={isOn}
          disabled={isDisabled}
          aria-label={label}
          onChange={(event) => onChange(event.target.checked)}
          className="peer h-5 w-9 appearance-none rounded-pill border border-border-strong bg-fill transition-colors duration-120 checked:border-accent checked:bg-accent disabled:border-border"
        />
        <span className="pointer-events-none absolute start-0.75 top-0.75 size-3.5 rounded-pill bg-border-strong transition-transform duration-120 peer-checked:translate-x-4 peer-checked:bg-on-accent" />
      </span>
    </label>
  );
}
