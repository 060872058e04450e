// A text field with several lines that grows with its text.
import type { ComponentPropsWithRef } from "react";

type TextAreaProps = Omit<ComponentPropsWithRef<"textarea">, "onChange" | "value"> & {
  readonly value: string;
  readonly onValue: (value: string) => void;
};

export function TextArea({ value, onValue, rows = 3, className = "", ...rest }: TextAreaProps) {
  return (
    <textarea
      {...rest}
      rows={rows}
      value={value}
      onChange={(event) => onValue(event.target.value)}
      className={`control field-sizing-content h-auto min-h-20 w-full py-1.5 ${className}`}
    />
  );
}
