// What accounts, holdings and streams are called for people, and which of them a consignor may see by name. Pure.
import type { AuditEvent, AuditThing, ThingKind } from "#features/audit/contract.ts";
import { accountNames, availableAccount, payoutsAccount } from "#features/accounts/streams.ts";
import { inventoryNames, itemHolding } from "#features/inventory/streams.ts";
import { payoutNames } from "#features/payouts/streams.ts";
import { saleNames } from "#features/sales/streams.ts";
import { shipmentNames } from "#features/shipments/streams.ts";
import { escrowAccount, shortTradeId, tradeHolding, tradeNames } from "#features/trades/streams.ts";
import { userNames } from "#features/users/streams.ts";
import type { NameFamily, NameKind } from "#ledger/names.ts";

/** The names of the people and items of one event. */
export type Names = {
  readonly people: ReadonlyMap<string, string>;
  readonly items: ReadonlyMap<string, string>;
};

const streamKinds: readonly (readonly [AuditThing["kind"], NameFamily])[] = [
  ["item", inventoryNames[0]],
  ["sale", saleNames[0]],
  ["payout", payoutNames[0]],
  ["trade", tradeNames[0]],
  ["shipment", shipmentNames[0]],
  ["consignor", accountNames[0]],
  ["user", userNames[0]],
  ["trader", tradeNames[1]],
];

/** What a stream is about; an empty id for a stream that is about no thing or person. */
export function thingOf(stream: string): Pick<AuditThing, "kind" | "id"> {
  const [kind, name] = streamKinds.find(([, { is }]) => is(stream)) ?? [];
  return kind === undefined || name === undefined
    ? { kind: "other", id: "" }
    : { kind, id: name.idOf(stream) };
}

const otherStreams: Readonly<Record<string, string>> = {
  barcode: "Reserved barcode",
  username: "Reserved username",
  admins: "Admins",
  store: "Store settings",
  legacy: "Account in the old app",
  hold: "Payout hold",
  holds: "Payout holds",
  operations: "Operators' actions",
  till: "Day of the till",
  certificates: "Tax certificates",
  months: "Closed months",
  remittances: "Sales tax remittances",
};

/** "3F2A91BC": what people read out of an id. A trade is "3f2a91bc", as on its own screens. */
export function shortIdOf({ kind, id }: Pick<AuditThing, "kind" | "id">): string {
  return kind === "trade" ? shortTradeId(id) : id.slice(0, 8).toUpperCase();
}

export function labelOfThing(
  thing: Pick<AuditThing, "kind" | "id">,
  names: Names,
  stream: string,
): string {
  const { kind, id } = thing;
  if (kind === "other") {
    const category = stream.split("-")[0] ?? "";
    return otherStreams[category] ?? category;
  }
  if (kind === "item") {
    return names.items.get(id) ?? shortIdOf(thing);
  }
  return kind === "consignor" || kind === "user" || kind === "trader"
    ? (names.people.get(id) ?? id)
    : shortIdOf(thing);
}

const storeAccounts: Readonly<Record<string, string>> = {
  "store:revenue": "Store, revenue",
  "store:shipping": "Store, shipping",
  "store:sales-tax": "Store, sales tax",
  "store:trade-commission": "Store, trade commission",
  "store:adjustments": "Store, adjustments",
  "world:customers": "Customers",
  "world:cashapp": "CashApp",
  "world:venmo": "Venmo",
  "world:tax-authority": "Tax authority",
  "world:opening-balances": "Opening balances from the old app",
  "world:received": "Received goods",
  "world:sold": "Sold goods",
  "world:traded": "Traded goods",
  "world:adjusted": "Counted differences",
  "world:removed": "Removed goods",
};

type Place = AuditEvent["postings"][number]["from"];

type PlaceWords = readonly [NameKind, label: (id: string, names: Names) => string];

const personOf = (uid: string, { people }: Names): string => people.get(uid) ?? uid;
const itemOf = (id: string, { items }: Names): string =>
  items.get(id) ?? `Item ${shortIdOf({ kind: "item", id })}`;

/** What the accounts and holdings that contain an id are called; `services/names.test.ts` knows which there are. */
export const placeWords: readonly PlaceWords[] = [
  [availableAccount, (uid, names) => `${personOf(uid, names)}, available`],
  [payoutsAccount, (uid, names) => `${personOf(uid, names)}, pending payouts`],
  [escrowAccount, (id) => `Held for trade ${shortTradeId(id)}`],
  [tradeHolding, (id) => `Units in trade ${shortTradeId(id)}`],
  [itemHolding, itemOf],
];

export function placeForAdmin(name: string, names: Names): Place {
  const [kind, words] = placeWords.find(([{ is }]) => is(name)) ?? [];
  const label =
    kind === undefined || words === undefined
      ? (storeAccounts[name] ?? name)
      : words(kind.idOf(name), names);
  return { label, name };
}

/** What of an event is a consignor's own. */
export type Own = {
  readonly uid: string;
  readonly items: ReadonlySet<string>;
  /** Trades that they buy in: the money and units that these hold. */
  readonly bought: ReadonlySet<string>;
};

/** Holdings whose id is an item's: their units are its owner's. */
const holdingsOfItems: readonly NameKind[] = [itemHolding];

const ofItem = (name: string): NameKind | undefined =>
  holdingsOfItems.find((holding) => holding.is(name));

/** Whether an account or a holding is the consignor's own. */
export function isOwnPlace(name: string, { uid, items, bought }: Own): boolean {
  const itemId = ofItem(name)?.idOf(name);
  return (
    name === availableAccount.of(uid) ||
    name === payoutsAccount.of(uid) ||
    (itemId !== undefined && items.has(itemId)) ||
    (escrowAccount.is(name) && bought.has(escrowAccount.idOf(name))) ||
    (tradeHolding.is(name) && bought.has(tradeHolding.idOf(name)))
  );
}

/** The other side of a consignor's posting or movement is named only as far as it tells about nobody else. */
export function placeForConsignor(name: string, own: Own, names: Names): Place {
  if (name === availableAccount.of(own.uid)) {
    return { label: "Your available balance", name };
  }
  if (name === payoutsAccount.of(own.uid)) {
    return { label: "Your pending payouts", name };
  }
  if (isOwnPlace(name, own)) {
    return placeForAdmin(name, names);
  }
  const stranger = [availableAccount, payoutsAccount].some(({ is }) => is(name));
  const label = stranger
    ? "Another consignor"
    : escrowAccount.is(name) || tradeHolding.is(name)
      ? "Held for a trade"
      : ofItem(name) !== undefined
        ? "Another item"
        : name.startsWith("store:")
          ? "Store"
          : (storeAccounts[name] ?? "Store");
  return { label, name: null };
}

/** Whether a stream is about a thing that has filters and links of its own. */
export function isThing(kind: AuditThing["kind"]): kind is ThingKind {
  return kind !== "consignor" && kind !== "user" && kind !== "trader" && kind !== "other";
}
