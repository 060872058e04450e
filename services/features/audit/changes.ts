// What an event changed of a stream's state, field by field, in words for people. Pure.
import type { AuditChange } from "#features/audit/contract.ts";
import { wordsOf } from "#features/audit/value-words.ts";
import { lastDayOf } from "#features/months/streams.ts";
import { dayText } from "#ledger/day-text.ts";
import { spelledOut } from "#ledger/explain.ts";
import { formatCents } from "#ledger/money.ts";

/** Names that say too little by themselves. */
const fieldNames: Readonly<Record<string, string>> = {
  availableCents: "Available balance",
  inTransitCents: "Pending payouts",
  heldCents: "Held for the trade",
  heldUnits: "Units in the trade",
  barcode1: "Barcode 1",
  barcode2: "Barcode 2",
  asin: "ASIN",
  imageUrl: "Image",
  ownerUid: "Owner",
  consignorId: "Consignor",
  buyerUid: "Buyer",
  sellerUid: "Seller",
  uid: "Person",
  uids: "Admins",
  itemId: "Item",
  exists: "In the inventory",
  consignorPercentage: "Consignor share",
  commissionPercentage: "Trade commission",
  defaultConsignorPercentage: "Default consignor share",
  tradeCommissionPercentage: "Trade commission",
  agreedPercentage: "Agreed share",
  taxRateBasisPoints: "Tax rate",
  pricePerItem: "Price per unit",
  feeCents: "Shipping fee",
  textId: "Tracking number and contents",
  addressId: "Address",
  labelId: "Label",
  detailsId: "Store details",
  logoId: "Logo",
  noteId: "Reason",
  declinedBecause: "Declined because",
  boxOf: "Box of",
  until: "Being paid until",
  handleId: "Handle",
  tender: "Paid by",
  about: "Reminder about",
  as: "Where the units went",
  refundTenders: "Money back",
  closed: "Closed month",
};

/** What only the program itself needs. */
const hidden: ReadonlySet<string> = new Set([
  "statusSince",
  "formerTaxRates",
  "formerDefaults",
  "versions",
  "firstBoxId",
  "itemIds",
  "rounding",
  "offerId",
  "handleHash",
  "earlierHandles",
]);

/** References to rows outside the log, and hashes: their values say nothing to people. */
const references: ReadonlySet<string> = new Set([
  "textId",
  "addressId",
  "labelId",
  "detailsId",
  "logoId",
  "noteId",
  "username",
]);

/** Whether its value says nothing to people. */
export function isWordless(field: string): boolean {
  return hidden.has(field) || references.has(field);
}

const cents: ReadonlySet<string> = new Set(["pricePerItem"]);

/** Lists in which null says something. */
const wordsOfNull: Readonly<Record<string, string>> = { refundTenders: "Not through the drawer" };

type Named = Readonly<Record<string, unknown>>;

function isNamed(value: unknown): value is Named {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value in words; null if there is none. */
export function shown(field: string, value: unknown): string | null {
  if (value === null || value === undefined || value === "") {
    return null;
  }
  if (typeof value === "boolean") {
    return value ? "Yes" : "No";
  }
  if (typeof value === "number") {
    return shownNumber(field, value);
  }
  return typeof value === "string"
    ? (wordsOf(field, value) ?? value.replaceAll("_", " "))
    : JSON.stringify(value);
}

function shownNumber(field: string, value: number): string {
  if (field.endsWith("Cents") || cents.has(field)) {
    return formatCents(value);
  }
  if (field.endsWith("BasisPoints")) {
    return `${value / 100}%`;
  }
  return field.endsWith("Percentage") ? `${value}%` : value.toLocaleString("en-US");
}

export function nameOf(field: string): string {
  return fieldNames[field] ?? spelledOut(field.replace(/(?:Cents|Id|Uid)$/u, ""));
}

/** "Offer 2", "Counter 1": what an entry of a list is called. */
function entryName(field: string, entry: unknown, index: number): string {
  const id = isNamed(entry) ? entry["offerId"] : null;
  const ownNumber = typeof id === "string" ? /-(\d+)$/u.exec(id)?.[1] : null;
  return `${nameOf(field).replace(/s$/u, "")} ${ownNumber ?? index + 1}`;
}

function within(group: string | null, name: string): string {
  return group === null ? name : `${group}: ${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

function changesOfList(
  group: string | null,
  field: string,
  before: readonly unknown[],
  after: readonly unknown[],
): AuditChange[] {
  if ([...before, ...after].some(isNamed)) {
    const longest = before.length > after.length ? before : after;
    return longest.flatMap((_entry, index) =>
      changesOfFields(
        within(group, entryName(field, after[index] ?? before[index], index)),
        inDays(before[index]),
        inDays(after[index]),
      ),
    );
  }
  // Most are ids, which stay as they are.
  const said = (entry: unknown) =>
    typeof entry === "string"
      ? (wordsOf(field, entry) ?? entry)
      : (shown(field, entry) ?? wordsOfNull[field] ?? null);
  const [gone, added] = [without(before, after).map(said), without(after, before).map(said)];
  return (gone.length > added.length ? gone : added).map((_entry, index) => ({
    field: within(group, nameOf(field)),
    before: gone[index] ?? null,
    after: added[index] ?? null,
  }));
}

/** The entries that are left when each of the others takes away one that equals it. */
function without(entries: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  const rest = [...others];
  return entries.filter((entry) => {
    const index = rest.indexOf(entry);
    if (index !== -1) {
      rest.splice(index, 1);
    }
    return index === -1;
  });
}

/**
 * An entry of a list; of a closed month its days instead of when it began and ended. They are the days of the calendar
 * wherever somebody reads them, and a closing keeps them although the store's time zone changes.
 */
function inDays(entry: unknown): Named {
  if (!isNamed(entry)) {
    return {};
  }
  const { from, to, ...rest } = entry;
  const { month } = rest;
  return typeof month === "string" && from !== undefined && to !== undefined
    ? { month, firstDay: dayText(`${month}-01`), lastDay: dayText(lastDayOf(month)), ...rest }
    : entry;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** A value's change. Details, terms and rates are groups without a name of their own. */
function changesOfValue(
  group: string | null,
  field: string,
  before: unknown,
  after: unknown,
): AuditChange[] {
  if (Array.isArray(before) || Array.isArray(after)) {
    return changesOfList(group, field, listOf(before), listOf(after));
  }
  if (isNamed(before) || isNamed(after)) {
    const own = field === "refunded" || field === "acceptance" || field === "processed";
    return changesOfFields(
      own ? within(group, nameOf(field)) : group,
      isNamed(before) ? before : {},
      isNamed(after) ? after : {},
    );
  }
  if (references.has(field)) {
    return before === after || (before ?? null) === (after ?? null)
      ? []
      : [{ field: within(group, nameOf(field)), ...changeOfReference(before, after) }];
  }
  // What a new thing has none of is not a change.
  if (before === undefined && (after === 0 || after === false)) {
    return [];
  }
  const [was, now] = [shown(field, before), shown(field, after)];
  if (before === after || (was === null && now === null)) {
    return [];
  }
  const became = was === now ? `Another one: ${now}` : now;
  return [{ field: within(group, nameOf(field)), before: was, after: became }];
}

function changeOfReference(before: unknown, after: unknown): Pick<AuditChange, "before" | "after"> {
  const isThere = (value: unknown) => value !== null && value !== undefined;
  return {
    before: isThere(before) ? "recorded" : null,
    after: isThere(after) ? (isThere(before) ? "another one" : "recorded") : null,
  };
}

function changesOfFields(group: string | null, before: Named, after: Named): AuditChange[] {
  const fields = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return fields
    .filter((field) => !hidden.has(field))
    .flatMap((field) => changesOfValue(group, field, before[field], after[field]));
}

/** The fields in which two states of a stream differ, in the order of the later one. */
export function changesBetween(before: unknown, after: unknown): AuditChange[] {
  return changesOfFields(null, isNamed(before) ? before : {}, isNamed(after) ? after : {});
}
