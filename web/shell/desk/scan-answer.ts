// What a scan means if its code stands on things of several kinds.
import type { FoundThing } from "#features/lookup/contract.ts";

/** People scan goods and receipts. A parcel or a person that has the same code does not hide them. */
const scannedFirst: readonly FoundThing["kind"][] = ["item", "sale"];

/** The items of a code if it has any, else its sales, else everything. */
export function meantByScan(things: readonly FoundThing[]): readonly FoundThing[] {
  const kind = scannedFirst.find((first) => things.some((thing) => thing.kind === first));
  return kind === undefined ? things : things.filter((thing) => thing.kind === kind);
}
