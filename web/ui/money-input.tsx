// An amount in dollars as it is typed; `parseDollars` in lib/amount.ts turns it into cents.
import { NumberInput, type NumberInputProps } from "./number-input.tsx";

export function MoneyInput(props: NumberInputProps) {
  return <NumberInput placeholder="0.00" {...props} before="$" inputMode="decimal" />;
}
