// A whole number as it is typed, optionally with its unit behind it.
import { TextInput, type TextInputProps } from "./text-input.tsx";

type NumberInputProps = Omit<TextInputProps, "type" | "icon" | "inputMode"> & {
  /** Shown inside, behind the number, for example "%". */
  readonly unit?: string;
};

export function NumberInput({ unit, className = "", ...rest }: NumberInputProps) {
  return (
    <span className="relative flex items-center">
      <TextInput
        autoComplete="off"
        {...rest}
        inputMode="numeric"
        className={`text-end tabular-nums ${unit === undefined ? "" : "pe-7"} ${className}`}
      />
      {unit === undefined ? null : (
        <span aria-hidden="true" className="pointer-events-none absolute end-2.5 text-muted">
          {unit}
        </span>
      )}
    </span>
  );
}
