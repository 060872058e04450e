// Which acceptances hold units of an item: what the till offers to cancel when somebody buys such a unit. Money is cents.
import * as z from "zod/mini";
import { tradeStatus } from "#features/trades/contract.ts";
import { uuid } from "#ledger/fields.ts";

export const heldItemParams = z.strictObject({ itemId: uuid });

/** An accepted offer that can still be cancelled. */
export const holdingAcceptance = z.object({
  tradeId: z.string(),
  offerId: z.string(),
  buyer: z.object({ uid: z.string(), displayName: z.string() }),
  status: tradeStatus,
  /** Units of the item that it holds. */
  units: z.int(),
  /** For one unit. */
  price: z.int(),
  /** Units of the whole trade that are accepted, of any item and seller. */
  tradeUnits: z.int(),
  /** The buyer's money that the trade holds, with the shipping fee, which goes back with the last unit. */
  heldCents: z.int(),
});
export type HoldingAcceptance = z.infer<typeof holdingAcceptance>;

/** GET /trades/holding/{itemId} */
export const heldItemResponse = z.object({
  /** Units of the item that can be sold: those that trades hold are not among them. */
  quantity: z.int(),
  /** The newest request first. */
  acceptances: z.array(holdingAcceptance),
});
export type HeldItemResponse = z.infer<typeof heldItemResponse>;
