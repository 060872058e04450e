// The form of the old app's export, and of what is kept of an account until it is migrated.
import * as z from "zod/mini";
import { isDecimal } from "#features/migration/legacy-amount.ts";
import { MAX_AMOUNT_CENTS } from "#ledger/money.ts";

/** What is kept until the account is migrated. It has no names or addresses, only the handles of payouts. */
export const holdingsSchema = z.object({
  balanceCents: z.int(),
  /** With distinct barcodes. */
  items: z.array(
    z.object({
      itemName: z.string(),
      listingTitle: z.string(),
      barcode1: z.string(),
      barcode2: z.string(),
      location: z.string(),
      link: z.string(),
      imageUrl: z.string(),
      asin: z.string(),
      units: z.int(),
    }),
  ),
  sales: z.array(
    z.object({
      itemName: z.string(),
      units: z.int(),
      priceCents: z.int(),
      shippingCents: z.int(),
      payoutCents: z.int(),
      /** ISO 8601; null if the old app has no date. */
      happenedAt: z.nullable(z.string()),
    }),
  ),
  payouts: z.array(
    z.object({
      amountCents: z.int(),
      method: z.enum(["cashapp", "venmo"]),
      paid: z.boolean(),
      handle: z.string(),
      happenedAt: z.nullable(z.string()),
    }),
  ),
});
export type LegacyHoldingsKept = z.infer<typeof holdingsSchema>;

const line = (maximum: number) =>
  z.string().check(
    z.trim(),
    z.maxLength(maximum),
    z.refine((text) => !/\p{Cc}/u.test(text) && text.isWellFormed(), "must be one line of text"),
  );
const optionalLine = (maximum: number) =>
  z._default(
    z.pipe(
      z.nullable(line(maximum)),
      z.transform((text) => text ?? ""),
    ),
    "",
  );

/** Dollars as in the old app: a number, or its decimal notation. */
const money = z
  .union([z.number(), z.string()])
  .check(
    z.refine(
      (value) => isDecimal(value) && Math.abs(Number(value)) * 100 <= MAX_AMOUNT_CENTS,
      "must be an amount in dollars, at most 10,000,000",
    ),
  );
const moneyFromZero = money.check(z.refine((value) => Number(value) >= 0, "must not be negative"));

const units = z.int().check(z.minimum(0), z.maximum(1_000_000));

/** ISO 8601, or milliseconds since 1970. */
const when = z._default(
  z.nullable(
    z.union([z.string(), z.number()]).check(
      z.refine((value) => {
        const time = new Date(value).getTime();
        return time >= Date.UTC(2000, 0, 1) && time < Date.UTC(2100, 0, 1);
      }, "must be a date such as 2024-05-31T14:00:00Z"),
    ),
  ),
  null,
);

const fileItem = z.object({
  itemName: line(200).check(z.minLength(1, "is missing")),
  barcode1: line(128).check(z.minLength(1, "is missing")),
  quantity: units,
  listingTitle: optionalLine(200),
  barcode2: optionalLine(128),
  location: optionalLine(200),
  link: optionalLine(2000),
  imageUrl: optionalLine(2000),
  asin: optionalLine(20),
});

const fileSale = z.object({
  itemName: z._default(line(200), "Item"),
  soldQuantity: z._default(units, 1),
  salePrice: moneyFromZero,
  shippingCost: z._default(moneyFromZero, 0),
  payoutAmount: z._default(moneyFromZero, 0),
  /** The old app has the date under one of these names. */
  dateSold: when,
  timestamp: when,
});

const filePayout = z.object({
  amount: money.check(z.refine((value) => Number(value) > 0, "must be above 0")),
  method: z.enum(["cashapp", "venmo"]),
  paid: z._default(z.boolean(), false),
  /** The handle has one of these names; the old app's own are the other two, the first a link or a $cashtag. */
  handle: optionalLine(200),
  cashAppLink: optionalLine(500),
  venmoUsername: optionalLine(500),
  date: when,
});
export type FilePayout = z.infer<typeof filePayout>;

const listOf = <Entry extends z.ZodMiniType>(entry: Entry) =>
  z._default(z.array(entry).check(z.maxLength(10_000, "are more than 10,000")), []);

const fileUser = z.object({
  id: z.optional(z.nullable(line(200))),
  email: z.optional(z.nullable(line(254))),
  username: z.optional(z.nullable(line(100))),
  displayName: z.optional(z.nullable(line(100))),
  balance: z._default(money, 0),
  items: listOf(fileItem),
  sales: listOf(fileSale),
  payouts: listOf(filePayout),
});
export type FileUser = z.infer<typeof fileUser>;

export const legacyFileSchema = z.object({
  users: z
    .array(
      fileUser.check(
        z.refine(
          (user) => [user.id, user.email, user.username].some((word) => (word ?? "") !== ""),
          "has neither id, email nor username",
        ),
      ),
    )
    .check(z.maxLength(100_000, "are more than 100,000")),
});

/** The fields that are read; whatever else the old app has of these is not taken over. */
export const fieldsRead = {
  users: new Set(Object.keys(fileUser.shape)),
  items: new Set(Object.keys(fileItem.shape)),
  sales: new Set(Object.keys(fileSale.shape)),
  payouts: new Set(Object.keys(filePayout.shape)),
} as const;
