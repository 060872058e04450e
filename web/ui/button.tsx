// The kit's button. One per view is primary. While busy, it shows the specified label and keeps its width and the focus.
import type { LucideIcon } from "lucide-react";
import type { ComponentPropsWithRef } from "react";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { Icon } from "./icon.tsx";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger";

const looks: Record<ButtonVariant, string> = {
  primary:
    "bg-accent text-on-accent not-disabled:hover:bg-accent-hover disabled:bg-fill disabled:text-muted aria-busy:bg-accent aria-busy:text-on-accent",
  secondary:
    "border border-border-strong bg-surface text-text not-disabled:hover:bg-hover disabled:border-border disabled:text-faint aria-busy:text-faint",
  quiet: "text-text not-disabled:hover:bg-hover disabled:text-faint aria-busy:text-faint",
  danger:
    "bg-danger text-on-accent not-disabled:hover:bg-danger-hover disabled:bg-fill disabled:text-muted aria-busy:bg-danger aria-busy:text-on-accent",
};

/** The classes of a button, also used by links that look like one. */
export function buttonClass(variant: ButtonVariant): string {
  return `inline-flex h-(--control) items-center justify-center gap-2 rounded-control px-3 text-14 font-medium whitespace-nowrap transition-colors duration-120 select-none ${looks[variant]}`;
}

export type ButtonProps = Omit<ComponentPropsWithRef<"button">, "children"> & {
  readonly variant?: ButtonVariant;
  readonly icon?: LucideIcon | undefined;
  readonly children: string;
  readonly isBusy?: boolean;
  /** Shown while busy. Without it the label stays. */
  readonly busyLabel?: string;
};

export function Button({
  variant = "secondary",
  icon,
  children,
  isBusy = false,
  busyLabel = children,
  type = "button",
  disabled = false,
  className = "",
  onClick,
  "aria-label": label,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      aria-label={label === undefined ? undefined : withIsolatedNames(label)}
      // oxlint-disable-next-line react/button-has-type -- passed on, "button" by default
      type={type}
      // A disabled button would lose the focus, also if the action is refused.
      disabled={disabled && !isBusy}
      aria-disabled={isBusy || rest["aria-disabled"]}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={`${buttonClass(variant)} ${className}`}
    >
      {icon === undefined ? null : <Icon of={icon} />}
      <span className="grid">
        <span className={`col-start-1 row-start-1 ${isBusy ? "invisible" : ""}`}>{children}</span>
        {busyLabel === children && !isBusy ? null : (
          <span className={`col-start-1 row-start-1 ${isBusy ? "" : "invisible"}`}>
            {busyLabel}
          </span>
        )}
      </span>
    </button>
  );
}
