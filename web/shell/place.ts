// A screen as the navigation shows it.
import type { LucideIcon } from "lucide-react";

export type Place = {
  readonly to: string;
  readonly label: string;
  /** In the phone's bottom navigation, where there is little room. */
  readonly shortLabel?: string;
  readonly icon: LucideIcon;
};
