// A single-line text field. The typed text is passed to `onValue` unchanged.
import type { LucideIcon } from "lucide-react";
import type { ComponentPropsWithRef } from "react";
import { Icon } from "./icon.tsx";

export type TextInputProps = Omit<ComponentPropsWithRef<"input">, "onChange" | "value"> & {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly icon?: LucideIcon;
  /** Shown inside, before the text: "$". */
  readonly before?: string | undefined;
  /** Shown inside, after the text: "%". */
  readonly after?: string | undefined;
};

const inside = "pointer-events-none absolute text-muted";

export function TextInput({
  value,
  onValue,
  icon,
  before,
  after,
  type = "text",
  className = "",
  ...rest
}: TextInputProps) {
  const room = [
    icon === undefined ? "" : "ps-9",
    before === undefined ? "" : "ps-6",
    after === undefined ? "" : "pe-7",
  ].join(" ");
  const input = (
    <input
      {...rest}
      type={type}
      value={value}
      onChange={(event) => onValue(event.target.value)}
      className={`control w-full ${room} ${className}`}
    />
  );
  return icon === undefined && before === undefined && after === undefined ? (
    input
  ) : (
    <span className="relative flex w-full items-center">
      {icon === undefined ? null : (
        <Icon of={icon} className={"pointer-events-none absolute start-2.5 text-faint"} />
      )}
      {before === undefined ? null : (
        <span aria-hidden="true" className={`${inside} start-2.5`}>
          {before}
        </span>
      )}
      {input}
      {after === undefined ? null : (
        <span aria-hidden="true" className={`${inside} end-2.5`}>
          {after}
        </span>
      )}
    </span>
  );
}
