// Reads the old app's export: checks all of it, converts its money to cents, and lists every rounding.
import { MAX_AMOUNT_CENTS } from "#ledger/money.ts";
import type { Cents } from "#ledger/money.ts";
import { centsOf } from "#features/migration/legacy-amount.ts";
import { handleOf } from "#features/migration/legacy-handle.ts";
import { fieldsRead, legacyFileSchema } from "#features/migration/legacy-schema.ts";
import type { FileUser, LegacyHoldingsKept } from "#features/migration/legacy-schema.ts";

export type Rounding = { readonly what: string; readonly from: string; readonly toCents: Cents };

export type LegacyAccount = {
  readonly oldId: string | null;
  /** Lower case. */
  readonly email: string | null;
  readonly username: string | null;
  readonly displayName: string | null;
  readonly holdings: LegacyHoldingsKept;
  readonly roundings: readonly Rounding[];
  /** What the file has of it and nobody reads, as "payouts.note" with how often. */
  readonly ignored: ReadonlyMap<string, number>;
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

/** Reads an export; throws `LegacyFileProblem`. Dates after `now` are refused. */
export function readLegacyFile(text: string, now: Date): LegacyAccount[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new LegacyFileProblem([error instanceof Error ? error.message : "it is not JSON"]);
  }
  const parsed = legacyFileSchema.safeParse(value);
  if (!parsed.success) {
    throw new LegacyFileProblem(
      parsed.error.issues
        .slice(0, MAX_PROBLEMS)
        .map(({ path, message }) => placed(path.map(String).join("."), message)),
    );
  }
  const raw: unknown = Reflect.get(Object(value), "users");
  const users: readonly unknown[] = Array.isArray(raw) ? raw : [];
  const accounts = parsed.data.users.map((user, index) => accountOf(user, users[index]));
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

/** The fields of an account as the file has it that are not read. */
function ignoredIn(user: unknown): ReadonlyMap<string, number> {
  const ignored = new Map<string, number>();
  for (const [list, known] of Object.entries(fieldsRead)) {
    const entries: unknown = list === "users" ? [user] : Reflect.get(Object(user), list);
    for (const entry of Array.isArray(entries) ? entries : []) {
      for (const field of Object.keys(Object(entry))) {
        if (!known.has(field)) {
          const name = `${list}.${field}`;
          ignored.set(name, (ignored.get(name) ?? 0) + 1);
        }
      }
    }
  }
  return ignored;
}

/** `raw` is the same account as the file has it. */
function accountOf(user: FileUser, raw: unknown): LegacyAccount {
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
        happenedAt: isoOf(sale.dateSold ?? sale.timestamp),
      })),
      payouts: user.payouts.map((payout, index) => ({
        // A payout of zero is not possible.
        amountCents: cents(`payout ${index + 1}: amount`, payout.amount, 1),
        method: payout.method,
        paid: payout.paid,
        handle: handleOf(payout),
        happenedAt: isoOf(payout.date),
      })),
    },
    roundings,
    ignored: ignoredIn(raw),
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
      ...sales.map(({ happenedAt }, nth) => ({ happenedAt, place: `sales.${nth}` })),
      ...payouts.map(({ happenedAt }, nth) => ({ happenedAt, place: `payouts.${nth}` })),
    ]
      .filter(({ happenedAt }) => happenedAt !== null && Date.parse(happenedAt) > now.getTime())
      .map(({ place }) => `users.${index}.${place}: its date is in the future`),
  );
}
