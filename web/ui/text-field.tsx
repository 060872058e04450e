// A labeled line of text that goes into a field of a contract, and says at once when it is too long for it.
import type { ComponentProps } from "react";
import type * as z from "zod/mini";
import { Field } from "./field.tsx";
import { TextInput } from "./text-input.tsx";

type TextFieldProps = Omit<ComponentProps<typeof Field>, "typed" | "children"> & {
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** The field of the contract. */
  readonly into: z.ZodMiniType;
  readonly placeholder?: string;
  /** For words that are never a code, such as a reason: a scan leaves them as they were. */
  readonly takesNoScans?: boolean;
};

export function TextField({
  value,
  onValue,
  into,
  placeholder,
  takesNoScans,
  ...field
}: TextFieldProps) {
  return (
    <Field {...field} typed={{ text: value, into }}>
      {(control) => (
        <TextInput
          {...control}
          value={value}
          onValue={onValue}
          placeholder={placeholder}
          autoComplete="off"
          data-takes-no-scans={takesNoScans}
        />
      )}
    </Field>
  );
}
