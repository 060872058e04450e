// One of a few options: the platform's own select, which every phone and screen reader knows how to use.
import { ChevronDown } from "lucide-react";
import type { ComponentPropsWithRef } from "react";
import { Icon } from "./icon.tsx";

export type Choice<Value extends string> = { readonly value: Value; readonly label: string };

type SelectProps<Value extends string> = Omit<
  ComponentPropsWithRef<"select">,
  "onChange" | "value" | "children"
> & {
  readonly value: Value | "";
  readonly onValue: (value: Value) => void;
  readonly choices: readonly Choice<Value>[];
  /** Shown while nothing is chosen. */
  readonly placeholder?: string;
};

export function Select<Value extends string>({
  value,
  onValue,
  choices,
  placeholder,
  className = "",
  ...rest
}: SelectProps<Value>) {
  return (
    <span className="relative flex items-center">
      <select
        {...rest}
        value={value}
        onChange={(event) => {
          const chosen = choices.find((choice) => choice.value === event.target.value);
          if (chosen !== undefined) {
            onValue(chosen.value);
          }
        }}
        className={`control w-full appearance-none pe-8 ${className}`}
      >
        {placeholder === undefined ? null : (
          <option value="" disabled>
            {placeholder}
          </option>
        )}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <Icon of={ChevronDown} className="pointer-events-none absolute end-2.5 text-muted" />
    </span>
  );
}
