// A navigation entry.
import type { LucideIcon } from "lucide-react";
import type { ComponentType } from "react";

export type Place = {
  readonly to: string;
  readonly label: string;
  /** For the phone's bottom navigation, where there is little room. */
  readonly shortLabel?: string;
  readonly icon: LucideIcon;
  /** Other addresses for which this entry is current, because they have no entry of their own. With a slash at its end, all below it. */
  readonly covers?: readonly string[];
  /** G and this letter open it. */
  readonly key?: string;
  /** A count next to the label, which does its own read. */
  readonly Badge?: ComponentType;
};

/** The entries under one heading of the sidebar. */
export type PlaceGroup = {
  readonly label: string;
  readonly places: readonly Place[];
};

/** Whether `path` is this entry's. */
export function isAt({ to }: Place, path: string): boolean {
  return to === path;
}

/** Whether `path` is this entry's, or one that it stands for. */
export function isWithin(place: Place, path: string): boolean {
  return (
    isAt(place, path) ||
    place.covers?.some((one) => (one.endsWith("/") ? path.startsWith(one) : path === one)) === true
  );
}
