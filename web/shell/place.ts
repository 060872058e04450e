// A navigation entry.
import type { LucideIcon } from "lucide-react";

export type Place = {
  readonly to: string;
  readonly label: string;
  /** For the phone's bottom navigation, where there is little room. */
  readonly shortLabel?: string;
  readonly icon: LucideIcon;
};
