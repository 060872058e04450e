// What the values of events and states are called on the screens, where the log has a word of the program's. Pure.
import { shortIdOf } from "#features/audit/places.ts";
import type { RemovalReason } from "#features/inventory/events.ts";
import { monthName } from "#features/months/streams.ts";
import { dayText, isDay } from "#ledger/day-text.ts";

type Words = Readonly<Record<string, string>>;

/** How customers paid and got money back. */
const tenders: Words = { cash: "Cash", card: "Card", other: "Other" };

/** As Reports says them. */
const removals: Readonly<Record<RemovalReason, string>> = {
  returned_to_consignor: "Returned to consignor",
  lost: "Lost",
  damaged: "Damaged",
  donated: "Donated",
  miscount: "Miscount",
};

const parties: Words = {
  buyer: "The buyer",
  seller: "The seller",
  admin: "An admin",
  store: "The store",
  consignor: "The consignor",
  time: "Nobody, the time was over",
};

const roles: Words = { user: "Consignor", admin: "Admin" };

/** By the name of the field, which says the same in every event and state. */
const wordsOfField: Readonly<Record<string, Words>> = {
  tender: tenders,
  refundTenders: tenders,
  channel: { pos: "Point of sale", online: "Online" },
  method: { cashapp: "CashApp", venmo: "Venmo" },
  source: {
    manual: "Entered by hand",
    "mass-input": "Mass Input",
    copy: "Copied from another item",
    import: "Imported",
    allocation: "Allocated from the store's item",
  },
  reason: removals,
  carrier: { USPS: "USPS", UPS: "UPS", FEDEX: "FedEx", FedEx: "FedEx", OTHER: "Other" },
  by: parties,
  borneBy: parties,
  role: roles,
  roleBefore: roles,
  about: {
    answer: "An offer that waits for an answer",
    label: "A label that the buyer owes",
    order: "An order that waits for the store",
  },
  as: { restock: "Back in stock", lost: "Lost", damaged: "Damaged" },
  cause: {
    admin: "An admin",
    "set-up-link": "The set-up link",
    script: "An operator's script",
    row: "A row that could not be updated",
    proof: "A row that differs from the log",
  },
  kind: {
    lost: "Lost",
    damaged: "Damaged",
    wrong: "Wrong item",
    returned: "Returned",
    drift: "Rows differ from the log",
    held: "Rows are held back",
    stalled: "Tables get no further",
    books: "A check of the books failed",
    proof: "The books were not proved in time",
    backup: "The newest backup is too old",
    notifications: "Notifications are not sent",
  },
};

/** Where the store keeps the pictures that were uploaded. */
const KEPT_IMAGE = "/api/images/";

/** Undefined for a value that reads as it is, such as a name. */
export function wordsOf(field: string, value: string): string | undefined {
  switch (field) {
    case "month":
      return monthName(value);
    case "day":
      return isDay(value) ? dayText(value) : undefined;
    case "receiptId":
      return `R-${shortIdOf({ kind: "sale", id: value })}`;
    case "imageUrl":
      return value.startsWith(KEPT_IMAGE) ? "Kept by the store" : undefined;
    default: {
      const words = wordsOfField[field];
      return words !== undefined && Object.hasOwn(words, value) ? words[value] : undefined;
    }
  }
}
