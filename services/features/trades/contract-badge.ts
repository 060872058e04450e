// The answer behind the badges of the navigation. Every screen loads it, so it stays apart from the other contracts.
import * as z from "zod/mini";

/** GET /trades/offers/count: what waits for the caller's answer. */
export const waitingAnswersResponse = z.object({
  /** Offers, as their seller. */
  offers: z.int(),
  /** Counters, as the buyer. */
  counters: z.int(),
});
export type WaitingAnswersResponse = z.infer<typeof waitingAnswersResponse>;
