// What admins set for the whole store, and the share agreed with one consignor. Names and texts are rows outside the log.
import * as z from "zod/mini";
import { defineEvent } from "#ledger/event.ts";
import { centsFromZero, uid, uuid } from "#ledger/fields.ts";

const percentage = z.int().check(z.minimum(0), z.maximum(100));

/** The rates that decide amounts. */
const rates = z.object({
  /** 825 is 8.25 %. */
  taxRateBasisPoints: z.int().check(z.minimum(0), z.maximum(10_000)),
  /** What a consignor without an agreed share gets. */
  defaultConsignorPercentage: percentage,
  /** What the store keeps of a trade. */
  tradeCommissionPercentage: percentage,
  /** What a buyer without a label of their own pays. */
  tradeShippingFeeCents: centsFromZero,
});
export type StoreRates = z.infer<typeof rates>;

/** The rates changed. `after` has all of them, so the newest event says everything. Posts nothing. */
export const StoreRatesChanged = defineEvent(
  "StoreRatesChanged",
  1,
  z.object({ before: rates, after: rates }),
);

/** Name, address or texts of the store changed. `store.details` has each version in a row of its own. */
export const StoreDetailsChanged = defineEvent(
  "StoreDetailsChanged",
  1,
  z.object({
    /** Null for the first version. */
    before: z.nullable(uuid),
    after: uuid,
  }),
);

/** The logo changed; `store.logos` has the images. Null without one. */
export const StoreLogoChanged = defineEvent(
  "StoreLogoChanged",
  1,
  z.object({ before: z.nullable(uuid), after: z.nullable(uuid) }),
);

/** The store's days are now those of another time zone. */
export const StoreTimeZoneChanged = defineEvent(
  "StoreTimeZoneChanged",
  1,
  z.object({
    /** An IANA name; null if none was set. */
    before: z.nullable(z.string()),
    after: z.string(),
  }),
);

/** A share was agreed with a consignor, or the agreement ended. It moves no money: each sale has its own share. */
export const ConsignorShareAgreed = defineEvent(
  "ConsignorShareAgreed",
  1,
  z.object({
    uid,
    /** Null if the store's default applied. */
    before: z.nullable(percentage),
    /** Null if the store's default applies again. */
    after: z.nullable(percentage),
  }),
);

/** Every event of this feature. */
export const settingsEvents = [
  StoreRatesChanged,
  StoreDetailsChanged,
  StoreLogoChanged,
  StoreTimeZoneChanged,
  ConsignorShareAgreed,
] as const;
