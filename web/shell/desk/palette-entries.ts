// The lines of the command palette for a text: screens and actions whose names begin with its words, then what was found.
import type { LucideIcon } from "lucide-react";
import type { FoundThing } from "#features/lookup/contract.ts";
import { groupOfKind, wordsOfThing } from "./found-things.ts";
import { placesFor } from "./key-places.ts";
import { actsFor } from "./palette-acts.ts";

export type PaletteEntry = {
  readonly id: string;
  readonly group: string;
  readonly icon: LucideIcon;
  readonly label: string;
  /** Whose it is; empty where that is not said. */
  readonly owner: string;
  readonly detail: string;
  readonly keys: readonly string[];
  readonly target:
    | { readonly kind: "address"; readonly to: string }
    | { readonly kind: "thing"; readonly thing: FoundThing }
    | { readonly kind: "keys" };
};

/** Each word of the text begins a word of the label. */
export function isNamedBy(label: string, text: string): boolean {
  const words = label.toLowerCase().split(/\s+/u);
  return text
    .toLowerCase()
    .split(/\s+/u)
    .filter((part) => part !== "")
    .every((part) => words.some((word) => word.startsWith(part)));
}

/** Screens, actions and the list of keys. Without a text, all of them. */
export function fixedEntries(isAdmin: boolean, text: string): readonly PaletteEntry[] {
  const screens = placesFor(isAdmin).map(({ to, label, icon, key }): PaletteEntry => ({
    id: `to ${to}`,
    group: "Go to",
    icon,
    label,
    owner: "",
    detail: "",
    keys: key === undefined ? [] : ["G", key.toUpperCase()],
    target: { kind: "address", to },
  }));
  const acts = actsFor(isAdmin).map(({ label, icon, to }): PaletteEntry => ({
    id: `act ${label}`,
    group: "Actions",
    icon,
    label,
    owner: "",
    detail: "",
    keys: [],
    target: { kind: "address", to },
  }));
  return [...acts, ...screens].filter(({ label }) => isNamedBy(label, text));
}

/** In groups by kind, each in the order of the answer. */
export function thingEntries(
  things: readonly FoundThing[],
  isAdmin: boolean,
): readonly PaletteEntry[] {
  const kinds = Object.keys(groupOfKind);
  return things
    .toSorted((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind))
    .map((thing) => ({
      id: `${thing.kind} ${thing.id}`,
      group: groupOfKind[thing.kind],
      ...wordsOfThing(thing, isAdmin),
      keys: [],
      target: { kind: "thing", thing },
    }));
}
