// Reads the old app's export: checks all of it, converts its money to cents, and lists every rounding.
import * as z from "zod/mini";
import { MAX_AMOUNT_CENTS } from "#ledger/money.ts";
import type { Cents } from "#ledger/money.ts";
import { centsOf, isDecimal } from "#features/migration/legacy-amount.ts";

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

export type Rounding = { readonly what: string; readonly from: string; readonly toCents: Cents };

export type LegacyAccount = {
  readonly oldId: string | null;
  /** Lower case. */
  readonly email: string | null;
  readonly username: string | null;
  readonly displayName: string | null;
  readonly holdings: LegacyHoldingsKept;
  readonly roundings: readonly Rounding[];
};

/** The file is invalid: lists every problem with its place; nothing was loaded. */
export class LegacyFileProblem extends Error {
  override readonly name = "LegacyFileProblem";
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The file cannot be loaded:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

const MAX_PROBLEMS = 50;

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

const fileSchema = z.object({
  users: z
    .array(
      z
        .object({
          id: z.optional(z.nullable(line(200))),
          email: z.optional(z.nullable(line(254))),
          username: z.optional(z.nullable(line(100))),
          displayName: z.optional(z.nullable(line(100))),
          balance: z._default(money, 0),
          items: z._default(
            z
              .array(
                z.object({
                  itemName: line(200).check(z.minLength(1, "is missing")),
                  barcode1: line(128).check(z.minLength(1, "is missing")),
                  quantity: units,
                  listingTitle: optionalLine(200),
                  barcode2: optionalLine(128),
                  location: optionalLine(200),
                  link: optionalLine(2000),
                  imageUrl: optionalLine(2000),
                  asin: optionalLine(20),
                }),
              )
              .check(z.maxLength(10_000, "are more than 10,000")),
            [],
          ),
          sales: z._default(
            z
              .array(
                z.object({
                  itemName: z._default(line(200), "Item"),
                  soldQuantity: z._default(units, 1),
                  salePrice: moneyFromZero,
                  shippingCost: z._default(moneyFromZero, 0),
                  payoutAmount: z._default(moneyFromZero, 0),
                  dateSold: when,
                }),
              )
              .check(z.maxLength(10_000, "are more than 10,000")),
            [],
          ),
          payouts: z._default(
            z
              .array(
                z.object({
                  amount: money.check(z.refine((value) => Number(value) > 0, "must be above 0")),
                  method: z.enum(["cashapp", "venmo"]),
                  paid: z._default(z.boolean(), false),
                  handle: optionalLine(100),
                  date: when,
                }),
              )
              .check(z.maxLength(10_000, "are more than 10,000")),
            [],
          ),
        })
        .check(
          z.refine(
            (user) => [user.id, user.email, user.username].some((word) => (word ?? "") !== ""),
            "has neither id, email nor username",
          ),
        ),
    )
    .check(z.maxLength(100_000, "are more than 100,000")),
});
type FileUser = z.infer<typeof fileSchema>["users"][number];

/** Reads an export; throws `LegacyFileProblem`. Dates after `now` are refused. */
export function readLegacyFile(text: string, now: Date): LegacyAccount[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new LegacyFileProblem([error instanceof Error ? error.message : "it is not JSON"]);
  }
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) {
    throw new LegacyFileProblem(
      parsed.error.issues
        .slice(0, MAX_PROBLEMS)
        .map(({ path, message }) => placed(path.map(String).join("."), message)),
    );
  }
  const accounts = parsed.data.users.map(accountOf);
  const problems = [...twins(accounts), ...inTheFuture(accounts, now)];
  if (problems.length > 0) {
    throw new LegacyFileProblem(problems.slice(0, MAX_PROBLEMS));
  }
  return accounts;
}

/** A problem with its place in front, unless the message already begins with it. */
function placed(place: string, message: string): string {
  return place === ""
    ? message.replace(/^The request/, "The file")
    : `${place}: ${message.startsWith(`${place} `) ? message.slice(place.length + 1) : message}`;
}

/** An account's permanent name in the old app. */
export function identityOf({ oldId, email, username }: LegacyAccount): string {
  return oldId ?? email ?? username ?? "";
}

function accountOf(user: FileUser): LegacyAccount {
  const roundings: Rounding[] = [];
  const cents = (what: string, value: number | string, least = -MAX_AMOUNT_CENTS): Cents => {
    const rounded = centsOf(value);
    const toCents = Math.max(least, rounded.cents);
    if (!rounded.isExact) {
      roundings.push({ what, from: String(value), toCents });
    }
    return toCents;
  };
  const word = (text: string | null | undefined) =>
    text === null || text === undefined || text === "" ? null : text;
  return {
    oldId: word(user.id),
    email: word(user.email)?.normalize("NFC").toLowerCase() ?? null,
    username: word(user.username)?.toLowerCase() ?? null,
    displayName: word(user.displayName),
    holdings: {
      balanceCents: cents("balance", user.balance),
      items: collapse(user),
      sales: user.sales.map((sale, index) => ({
        itemName: sale.itemName === "" ? "Item" : sale.itemName,
        units: sale.soldQuantity,
        priceCents: cents(`sale ${index + 1}: salePrice`, sale.salePrice),
        shippingCents: cents(`sale ${index + 1}: shippingCost`, sale.shippingCost),
        payoutCents: cents(`sale ${index + 1}: payoutAmount`, sale.payoutAmount),
        happenedAt: isoOf(sale.dateSold),
      })),
      payouts: user.payouts.map((payout, index) => ({
        // A payout of zero is not possible.
        amountCents: cents(`payout ${index + 1}: amount`, payout.amount, 1),
        method: payout.method,
        paid: payout.paid,
        handle: payout.handle,
        happenedAt: isoOf(payout.date),
      })),
    },
    roundings,
  };
}

/** Items with equal barcodes become one with the sum of their units and the description of the first. */
function collapse(user: FileUser): LegacyHoldingsKept["items"] {
  const byBarcode = new Map<string, LegacyHoldingsKept["items"][number]>();
  for (const { quantity, ...details } of user.items) {
    const known = byBarcode.get(details.barcode1);
    byBarcode.set(details.barcode1, {
      ...(known ?? details),
      units: (known?.units ?? 0) + quantity,
    });
  }
  return [...byBarcode.values()];
}

function isoOf(value: string | number | null): string | null {
  return value === null ? null : new Date(value).toISOString();
}

function twins(accounts: readonly LegacyAccount[]): string[] {
  const first = new Map<string, number>();
  return accounts.flatMap((account, index) => {
    const before = first.get(identityOf(account));
    first.set(identityOf(account), before ?? index);
    return before === undefined ? [] : [`users.${index}: is the same as users.${before}`];
  });
}

function inTheFuture(accounts: readonly LegacyAccount[], now: Date): string[] {
  return accounts.flatMap(({ holdings: { sales, payouts } }, index) =>
    [
      ...sales.map(({ happenedAt }, nth) => ({ happenedAt, place: `sales.${nth}.dateSold` })),
      ...payouts.map(({ happenedAt }, nth) => ({ happenedAt, place: `payouts.${nth}.date` })),
    ]
      .filter(({ happenedAt }) => happenedAt !== null && Date.parse(happenedAt) > now.getTime())
      .map(({ place }) => `users.${index}.${place}: is in the future`),
  );
}
