// A field for a number, right aligned. Whole numbers unless `inputMode` says otherwise.
import { TextInput, type TextInputProps } from "./text-input.tsx";

export type NumberInputProps = Omit<TextInputProps, "type" | "icon">;

export function NumberInput({ className = "", inputMode = "numeric", ...rest }: NumberInputProps) {
  return (
    <TextInput
      autoComplete="off"
      {...rest}
      inputMode={inputMode}
      className={`text-end tabular-nums ${className}`}
    />
  );
}
