// A screen as the navigation shows it.
import type { LucideIcon } from "lucide-react";
import type { ComponentType } from "react";

export type Place = {
  readonly to: string;
  readonly label: string;
  /** In the phone's bottom navigation, where there is little room. */
  readonly shortLabel?: string;
  readonly icon: LucideIcon;
  /** Other addresses at which this is the current place, in the phone's bottom navigation. */
  readonly covers?: readonly string[];
  /** A count beside the label, which reads its own number. */
  readonly Badge?: ComponentType;
};

/** Places under one heading of the sidebar. */
export type PlaceGroup = {
  readonly label: string;
  readonly places: readonly Place[];
};

/** Whether `path` is this place. */
export function isAt({ to }: Place, path: string): boolean {
  return to === path;
}

/** Whether `path` is this place or one that it stands for. */
export function isWithin(place: Place, path: string): boolean {
  return isAt(place, path) || place.covers?.includes(path) === true;
}
