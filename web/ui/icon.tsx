// A lucide icon in one of the design's sizes: with a label if it stands alone, hidden from screen readers next to text.
import type { LucideIcon } from "lucide-react";

type IconProps = {
  readonly of: LucideIcon;
  /** 14 in chips, 16 in controls, 20 in navigation, 24 in empty states. */
  readonly size?: 14 | 16 | 20 | 24;
  /** The label of an icon without text next to it. */
  readonly label?: string | undefined;
  readonly className?: string;
};

export function Icon({ of: Shape, size = 16, label, className = "" }: IconProps) {
  return (
    <Shape
      size={size}
      className={`shrink-0 ${className}`}
      {...(label === undefined
        ? { "aria-hidden": true }
        : { role: "img", "aria-label": label, "aria-hidden": false })}
    />
  );
}
