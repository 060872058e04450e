// The requests and responses of the calls about the backfill, the search for pictures of all items that have none.
import * as z from "zod/mini";
import { uuid } from "#ledger/fields.ts";

/** What each failure says, word for word as the specification has it. */
export const COULD_NOT_EXTRACT = "Could not extract image from Amazon";

export const backfillState = z.enum(["running", "paused", "finished"]);

const backfillItem = z.object({
  itemUID: z.string(),
  /** Null for an item of the store. */
  consignorUID: z.nullable(z.string()),
  itemName: z.string(),
  barcode1: z.string(),
  link: z.string(),
});

export const backfillFailure = z.extend(backfillItem, { message: z.string() });

/** GET /admin/image-backfill, and the answer to every change of it: the newest backfill. */
export const backfillResponse = z.object({
  /** Null if there was none yet. */
  backfill: z.nullable(
    z.object({
      state: backfillState,
      /** ISO 8601. */
      startedAt: z.string(),
      finishedAt: z.nullable(z.string()),
      total: z.int(),
      updated: z.int(),
      failed: z.int(),
      /** Items that had a picture by then, or were gone. */
      skipped: z.int(),
      /** The item that is being looked for now. */
      current: z.nullable(backfillItem),
    }),
  ),
  /** The first 200. */
  failures: z.array(backfillFailure),
});

/** POST /admin/image-backfill/retry: one failed item, or all of them. */
export const retryBackfillRequest = z.strictObject({ itemUID: z.optional(uuid) });

export type BackfillResponse = z.output<typeof backfillResponse>;
export type BackfillFailure = z.output<typeof backfillFailure>;
