// The reason that an admin gives for changing a sale, kept as words about its consignor.
import type { CommandContext, RowInSameTransaction } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { noteOf } from "#http/note.ts";
import { consignorOfSale } from "#features/sales/look-ups.ts";

export async function noteOnSale(
  c: CommandContext,
  deps: RouteDeps,
  reason: string | undefined,
  saleId: string,
): Promise<RowInSameTransaction | null> {
  const about =
    reason === undefined || reason === "" ? null : await consignorOfSale(deps.sql, saleId);
  return noteOf(c, deps, reason, about);
}
