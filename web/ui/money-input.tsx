// A field for an amount in dollars. `parseDollars` in lib/amount.ts turns its text into cents.
import { NumberInput, type NumberInputProps } from "./number-input.tsx";

export function MoneyInput(props: NumberInputProps) {
  return <NumberInput placeholder="0.00" {...props} before="$" inputMode="decimal" />;
}
