// One of two or three visible options: radio buttons drawn as a segmented control.
import { useId } from "react";
import type { Choice } from "./select.tsx";
import { OctagonAlert } from "lucide-react";
import { Icon } from "./icon.tsx";

type ChoiceGroupProps<Value extends string> = {
  readonly label: string;
  /** Where the options say what they are about. */
  readonly isLabelHidden?: boolean;
  readonly value: Value | "";
  readonly onValue: (value: Value) => void;
  readonly choices: readonly Choice<Value>[];
  readonly error?: string | undefined;
};

export function ChoiceGroup<Value extends string>({
  label,
  isLabelHidden = false,
  value,
  onValue,
  choices,
  error,
}: ChoiceGroupProps<Value>) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-1" aria-describedby={`${name}-error`}>
      <legend className={isLabelHidden ? "sr-only" : "mb-1 text-14 font-medium"}>{label}</legend>
      <div className="grid auto-cols-fr grid-flow-col gap-2">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="flex h-(--control) items-center justify-center rounded-control border border-border-strong bg-surface px-3 text-14 transition-colors duration-120 hover:bg-hover has-checked:border-accent has-checked:bg-accent-tint has-checked:font-medium has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring"
          >
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={value === choice.value}
              onChange={() => onValue(choice.value)}
              data-invalid={error === undefined ? undefined : true}
              className="absolute size-0 opacity-0"
            />
            {choice.label}
          </label>
        ))}
      </div>
      <p id={`${name}-error`} className="flex items-start gap-1 text-12 text-danger empty:hidden">
        {error === undefined ? null : (
          <>
            <Icon of={OctagonAlert} size={14} className="mt-px" />
            {error}
          </>
        )}
      </p>
    </fieldset>
  );
}
