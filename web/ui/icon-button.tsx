// A button with only an icon. Its label is read by screen readers and shown as a tooltip.
import type { LucideIcon } from "lucide-react";
import type { ComponentPropsWithRef } from "react";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { Icon } from "./icon.tsx";

type IconButtonProps = Omit<ComponentPropsWithRef<"button">, "children" | "aria-label"> & {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly size?: 16 | 20;
};

export function IconButton({ icon, label, size = 16, className = "", ...rest }: IconButtonProps) {
  const name = withIsolatedNames(label);
  return (
    <button
      type="button"
      {...rest}
      aria-label={name}
      data-tip={name}
      className={`inline-flex size-(--control) shrink-0 items-center justify-center rounded-control text-muted transition-colors duration-120 hover:bg-hover hover:text-text disabled:text-faint ${className}`}
    >
      <Icon of={icon} size={size} />
    </button>
  );
}
