// Which parts of a till's line stay in the browser at sign-out: all of it until the ledger has it, later only what a restored store needs.
import * as z from "zod/mini";

/** After a restore, the lines that were booked in this many days are sent again. */
export const daysSentAgain = 7;

const named = z.looseObject({
  consignorDisplayName: z.nullable(z.string()),
  itemName: z.string(),
  barcode1: z.string(),
  imageUrl: z.string(),
});
type Named = z.infer<typeof named>;

/** The part of a queued line that decides; the rest is kept as it is. */
export const keptLine = z.looseObject({
  lineKey: z.string(),
  saleId: z.string(),
  status: z.enum(["waiting", "booked", "refused", "refunded"]),
  takenAtMs: z.int(),
  line: z.looseObject({ item: named }),
  target: named,
});
export type KeptLine = z.infer<typeof keptLine>;

/** What is sent has only ids and the barcode, by which a person recognizes the line if it is refused. */
function withoutNames(item: Named): Named {
  return { ...item, consignorDisplayName: null, itemName: item.barcode1, imageUrl: "" };
}

/** True for a line that waits for the connection or for a person. */
export function isUnsettled({ status }: KeptLine): boolean {
  return status === "waiting" || status === "refused";
}

/** The line as it stays, or null if it is deleted. */
export function keptAtSignOut(line: KeptLine, now: Date): KeptLine | null {
  if (isUnsettled(line)) {
    return line;
  }
  const isSentAgain =
    line.status === "booked" && line.takenAtMs >= now.getTime() - daysSentAgain * 86_400_000;
  return isSentAgain
    ? {
        ...line,
        line: { ...line.line, item: withoutNames(line.line.item) },
        target: withoutNames(line.target),
      }
    : null;
}
