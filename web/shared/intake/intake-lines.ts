// The lines of a mass input before it is saved: what each code is, what it will be called, and what is sent.
import type { MassInputRequest } from "#features/inventory/contract-commands.ts";
import type { CodeFacts } from "./known-codes.ts";
import type { ScanTally } from "./scan-tally.ts";

export type IntakeLine = {
  readonly barcode: string;
  readonly units: number;
  /** `known`: the owner has it already and it keeps its name. `asking`: not answered yet. */
  readonly kind: "known" | "new" | "asking";
  /** The name it has, or will have; empty where nobody has given one. */
  readonly itemName: string;
  readonly imageUrl: string;
};

/** A code that the owner does not have yet, and that nobody has named. */
export function isNameless({ kind, itemName }: IntakeLine): boolean {
  return kind !== "known" && itemName.trim() === "";
}

/** Names that were typed in the review, by barcode. */
export type TypedNames = Readonly<Record<string, string>>;

/** A new code is called as typed, else as somebody else's item with this code, else by the common name. */
export function linesOf(
  { barcodes }: ScanTally,
  facts: CodeFacts,
  names: TypedNames,
  commonName: string,
): readonly IntakeLine[] {
  return barcodes.map(({ barcode, units }) => {
    const known = facts.get(barcode);
    const imageUrl = known?.imageUrl ?? "";
    if (known?.own !== undefined && known.own !== null) {
      return { barcode, units, kind: "known", itemName: known.itemName, imageUrl };
    }
    const itemName = names[barcode] ?? known?.itemName ?? commonName.trim();
    return { barcode, units, kind: known === undefined ? "asking" : "new", itemName, imageUrl };
  });
}

/** What the request says of codes that are not known: the name, and what somebody else's item with the code tells. */
export function itemsToSend(
  lines: readonly IntakeLine[],
  facts: CodeFacts,
): NonNullable<MassInputRequest["items"]> {
  return lines.flatMap((line) => {
    const { barcode, kind, itemName } = line;
    const like = facts.get(barcode);
    return kind === "known" || isNameless(line)
      ? []
      : [
          {
            barcode1: barcode,
            itemName,
            ...(like === undefined || like === null
              ? {}
              : { listingTitle: like.listingTitle, link: like.link, imageUrl: like.imageUrl }),
          },
        ];
  });
}
