// How many rows are held back, in words.
import type { HeldResponse } from "#features/operations/contract.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";

/** "The first 200 of 312 rows, 12 of them in tables that are not shown"; undefined without any. */
export function heldText({ count, shownCount, keys }: HeldResponse): string | undefined {
  if (count === 0) {
    return undefined;
  }
  const first = count > keys.length ? `The first ${formatCount(keys.length)} of ` : "";
  const hidden = count - shownCount;
  const rest =
    hidden === 0
      ? ""
      : hidden === count
        ? " in tables that are not shown"
        : `, ${formatCount(hidden)} of them in tables that are not shown`;
  return `${first}${formatQuantity(count, "row")}${rest}`;
}
