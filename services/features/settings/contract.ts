// What the calls about the store's settings take and give.
import * as z from "zod/mini";

/** An empty text means that there is none. */
const storeDetails = z.object({
  storeName: z.string(),
  returnPolicy: z.string(),
  /** An https address. */
  chatLink: z.string(),
  /** Without the @. */
  venmoName: z.string(),
  shippingAddress: z.object({
    name: z.string(),
    street: z.string(),
    city: z.string(),
    state: z.string(),
    zip: z.string(),
    country: z.string(),
  }),
});
export type StoreDetails = z.infer<typeof storeDetails>;

const settingsChange = z.object({
  position: z.int(),
  section: z.enum(["rates", "details", "logo", "time-zone", "other"]),
  /** One for each value that changed; null where there was none. */
  lines: z.array(
    z.object({ what: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) }),
  ),
  actor: z.object({ uid: z.string(), displayName: z.string() }),
  happenedAt: z.string(),
});
export type SettingsChange = z.infer<typeof settingsChange>;
