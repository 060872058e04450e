// An amount in dollars as it is typed; `parseDollars` in lib/amount.ts turns it into cents.
import { TextInput, type TextInputProps } from "./text-input.tsx";

type MoneyInputProps = Omit<TextInputProps, "type" | "icon" | "inputMode">;

export function MoneyInput({ className = "", ...rest }: MoneyInputProps) {
  return (
    <span className="relative flex items-center">
      <span aria-hidden="true" className="pointer-events-none absolute start-2.5 text-muted">
        $
      </span>
      <TextInput
        autoComplete="off"
        placeholder="0.00"
        {...rest}
        inputMode="decimal"
        className={`ps-6 text-end tabular-nums ${className}`}
      />
    </span>
  );
}
