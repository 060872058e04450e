// One line of text; what is typed goes to `onValue` as it stands.
import type { LucideIcon } from "lucide-react";
import type { ComponentPropsWithRef } from "react";
import { Icon } from "./icon.tsx";

export type TextInputProps = Omit<ComponentPropsWithRef<"input">, "onChange" | "value"> & {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly icon?: LucideIcon;
};

export function TextInput({
  value,
  onValue,
  icon,
  type = "text",
  className = "",
  ...rest
}: TextInputProps) {
  const input = (
    <input
      {...rest}
      type={type}
      value={value}
      onChange={(event) => onValue(event.target.value)}
      className={`control w-full ${icon === undefined ? "" : "ps-9"} ${className}`}
    />
  );
  return icon === undefined ? (
    input
  ) : (
    <span className="relative flex w-full items-center">
      <Icon of={icon} className="pointer-events-none absolute start-2.5 text-faint" />
      {input}
    </span>
  );
}
