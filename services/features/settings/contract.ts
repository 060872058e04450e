// What the calls about the store's settings take and give.
import * as z from "zod/mini";
import { dollarsFrom, honestName, text, uid, uuid } from "#ledger/fields.ts";

/** What these calls refuse, by code. */
export const settingsRefusals = {
  /** Every PUT and DELETE with `expectedVersion`. `current.version` is the one that counts now. */
  settings_changed: {
    status: 409,
    message: "Another admin changed these settings while you were editing them",
  },
  /** PUT /settings/time-zone */
  time_zone_fixed: {
    status: 409,
    message: "The time zone is fixed by STORE_TIME_ZONE in the server's environment",
  },
} as const;

/** The rates of a store that never set any. */
export const defaultRates = {
  /** In hundredths of a percent: 825 is 8.25%. */
  taxRateBasisPoints: 825,
  defaultConsignorPercentage: 50,
  tradeCommissionPercentage: 10,
  tradeShippingFeeCents: 400,
} as const;

/** The largest logo that is taken. */
export const MAX_LOGO_BYTES = 1_048_576;

/** One line of typing; an empty one means that there is none. */
function line(maximum: number) {
  return text(0, maximum, "This is text").check(
    z.refine((value) => !/[\t\n\r]/u.test(value), { error: "This has only one line", abort: true }),
  );
}

function percentage(what: string) {
  return z
    .int(`${what} is a whole percentage`)
    .check(z.minimum(0, `${what} is at least 0`), z.maximum(100, `${what} is at most 100`));
}

/** The `version` that the form was loaded with: 409 `settings_changed` if it is another by now. */
const expectedVersion = z.optional(z.int().check(z.nonnegative()));

const rates = {
  /** In hundredths of a percent: 825 is 8.25%. */
  taxRateBasisPoints: z
    .int("The tax rate has at most two decimals")
    .check(
      z.minimum(0, "The tax rate is at least 0"),
      z.maximum(2_500, "The tax rate is at most 25%"),
    ),
  defaultConsignorPercentage: percentage("The default consignor share"),
  tradeCommissionPercentage: percentage("The trade commission"),
  tradeShippingFee: dollarsFrom(0, "The trade shipping fee is at least 0"),
};

/** PUT /settings/rates, admins only: all of them. */
export const changeRatesRequest = z.strictObject({ ...rates, expectedVersion });
export type ChangeRatesRequest = z.input<typeof changeRatesRequest>;

const shippingAddress = z
  .strictObject({
    name: line(100),
    street: line(200),
    city: line(100),
    state: line(60),
    zip: line(20),
    country: line(60),
  })
  .check(
    z.refine(
      ({ street, city, state, zip }) =>
        [street, city, state, zip].every((part) => part !== "") ||
        [street, city, state, zip].every((part) => part === ""),
      { path: ["street"], message: "An address needs street, city, state and ZIP code" },
    ),
  );

/** PUT /settings/details, admins only: all of them. */
export const changeDetailsRequest = z.strictObject({
  storeName: line(80).check(honestName),
  returnPolicy: text(0, 1_000, "A return policy is text"),
  chatLink: line(300).check(
    z.refine(
      // Nothing before an @: "https://discord.gg@elsewhere.test" leads elsewhere.
      (link) =>
        link === "" || (/^https:\/\/[^\s/@?#]+(?:[/?#]|$)/u.test(link) && URL.canParse(link)),
      "A link begins with https:// and the name of a website",
    ),
  ),
  /** With or without the @. */
  venmoName: line(31).check(
    z.regex(/^(?:@?[\w-]{5,30})?$/u, "A Venmo name has 5 to 30 letters, digits, - and _"),
  ),
  shippingAddress,
  expectedVersion,
});
export type ChangeDetailsRequest = z.input<typeof changeDetailsRequest>;

/** PUT /settings/time-zone, admins only. */
export const changeTimeZoneRequest = z.strictObject({
  timeZone: z
    .string("A time zone looks like America/Chicago")
    .check(z.regex(/^[A-Za-z0-9_+/-]{1,60}$/u, "A time zone looks like America/Chicago")),
  expectedVersion,
});

export type ChangeTimeZoneRequest = z.input<typeof changeTimeZoneRequest>;

/** PUT /settings/logo, admins only: a form with a PNG, JPEG or WebP file. */
export const changeLogoForm = z.strictObject({ file: z.file("Choose an image") });
export const logoParams = z.strictObject({ id: uuid });

/** PUT /settings/consignors/{uid}/share, admins only. Null: the store's default applies again. */
export const agreeShareRequest = z.strictObject({
  percentage: z.nullable(percentage("The agreed share")),
});
export const shareParams = z.strictObject({ uid });
export const agreeShareResponse = z.object({
  message: z.string(),
  percentage: z.nullable(z.int()),
});

export type AgreeShareResponse = z.infer<typeof agreeShareResponse>;

/** The answer to every change of the store's own settings. */
export const settingsChangedResponse = z.object({
  message: z.string(),
  /** Pass it back as `expectedVersion`. */
  version: z.int(),
});
export type SettingsChangedResponse = z.infer<typeof settingsChangedResponse>;

const storeDetails = z.object({
  /** Every text here is empty if there is none. */
  storeName: z.string(),
  returnPolicy: z.string(),
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

const storeRates = z.object({
  taxRateBasisPoints: z.int(),
  defaultConsignorPercentage: z.int(),
  tradeCommissionPercentage: z.int(),
  tradeShippingFee: z.number(),
});

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

const version = z.int();

/** GET /settings, admins only. */
export const settingsResponse = z.object({
  rates: z.object({ ...storeRates.shape, version }),
  details: z.object({ ...storeDetails.shape, version }),
  /** The address of the image; null without one. */
  logo: z.object({ address: z.nullable(z.string()), version }),
  timeZone: z.object({
    /** An IANA name. */
    name: z.string(),
    /** True where STORE_TIME_ZONE fixes it. */
    fixed: z.boolean(),
    version,
  }),
  /** The newest 50, newest first. */
  changes: z.array(settingsChange),
});
export type SettingsResponse = z.infer<typeof settingsResponse>;

/** GET /settings/public, open. */
export const publicSettingsResponse = z.object({
  /** Null until an admin names the store. */
  storeName: z.nullable(z.string()),
  logo: z.nullable(z.string()),
  chatLink: z.nullable(z.string()),
  /** What a consignor without an agreed share gets of a sale, after shipping. */
  defaultConsignorPercentage: z.int(),
});
export type PublicSettingsResponse = z.infer<typeof publicSettingsResponse>;

/** GET /settings/selling, admins only: what the till and the sale forms need, also while they are offline. */
export const sellingResponse = z.object({
  ...storeRates.shape,
  /** The last restore from a back-up; null without one. Missing from what a till kept of an older version. */
  restoreId: z.optional(z.nullable(z.string())),
  /** Everyone who has an agreed share. */
  agreedShares: z.array(z.object({ uid: z.string(), percentage: z.int() })),
  receipt: z.object({
    storeName: z.nullable(z.string()),
    addressLines: z.array(z.string()),
    returnPolicy: z.nullable(z.string()),
  }),
});
export type SellingResponse = z.infer<typeof sellingResponse>;
