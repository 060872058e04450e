// A lucide icon in one of the design's sizes: spoken when it stands alone, silent beside a word.
import type { LucideIcon } from "lucide-react";

type IconProps = {
  readonly of: LucideIcon;
  /** 14 in chips, 16 in controls, 20 in navigation, 24 in empty states. */
  readonly size?: 14 | 16 | 20 | 24;
  /** What it says where no word stands beside it. */
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
