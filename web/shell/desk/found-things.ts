// A found thing on screen: its words, its icon, and the address at which it is open.
import type { LucideIcon } from "lucide-react";
import type { Location } from "react-router-dom";
import type { FoundThing } from "#features/lookup/contract.ts";
import { shortTradeId } from "#features/trades/contract-short-id.ts";
import { toCents } from "#ledger/money.ts";
import { formatDayTime, formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { orderPath, paths, salePath, tradePath } from "#web/paths.ts";
import {
  ItemIcon,
  PayoutIcon,
  PersonIcon,
  SaleIcon,
  ShipmentIcon,
  TradeIcon,
} from "#web/ui/thing-icons.ts";

type FoundPayout = Extract<FoundThing, { kind: "payout" }>;

const icons: Readonly<Record<FoundThing["kind"], LucideIcon>> = {
  item: ItemIcon,
  sale: SaleIcon,
  consignor: PersonIcon,
  trade: TradeIcon,
  shipment: ShipmentIcon,
  payout: PayoutIcon,
};

export const groupOfKind: Readonly<Record<FoundThing["kind"], string>> = {
  item: "Items",
  consignor: "Consignors",
  sale: "Sales",
  trade: "Trades",
  shipment: "Shipments",
  payout: "Payouts",
};

const payoutWords: Readonly<Record<FoundPayout["status"], string>> = {
  pending: "pending",
  paid: "paid",
  deleted: "deleted",
  returned: "came back",
};

type ThingWords = {
  readonly icon: LucideIcon;
  readonly label: string;
  /** Whose it is: what tells items of one code apart. Empty where that is not said. */
  readonly owner: string;
  /** What distinguishes it from others of the same name. */
  readonly detail: string;
};

function joined(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== "").join(" · ");
}

export function wordsOfThing(thing: FoundThing, isAdmin: boolean): ThingWords {
  const icon = icons[thing.kind];
  switch (thing.kind) {
    case "item": {
      const owner = isAdmin ? (thing.consignorName ?? "Master") : "";
      const stock = `${thing.quantity} in stock`;
      return { icon, label: thing.itemName, owner, detail: joined(thing.barcode1, stock) };
    }
    case "sale": {
      const price = thing.price === null ? "no price" : formatMoney(toCents(thing.price));
      const when = formatDayTime(new Date(thing.soldAt));
      return {
        icon,
        label: thing.itemName,
        owner: "",
        detail: joined(price, when, thing.consignorName),
      };
    }
    case "consignor": {
      return { icon, label: thing.name, owner: "", detail: joined(thing.email) };
    }
    case "trade": {
      const units = formatQuantity(thing.quantity, "unit");
      const detail = joined(shortTradeId(thing.id), units, thing.buyerName);
      return { icon, label: thing.itemName, owner: "", detail };
    }
    case "payout": {
      const asked = `requested ${formatDayTime(new Date(thing.requestedAt))}`;
      const detail = joined(payoutWords[thing.status], asked, thing.consignorName);
      return { icon, label: `Payout of ${formatMoney(toCents(thing.amount))}`, owner: "", detail };
    }
    default: {
      const detail = joined(thing.trackingNumber, thing.consignorName);
      return { icon, label: `Shipment ${thing.shortId}`, owner: "", detail };
    }
  }
}

/** In its list, with what funded it. */
function payoutPath({ id, status }: FoundPayout, isAdmin: boolean): string {
  const why = `why=payout:${id}`;
  if (!isAdmin) {
    return `${paths.salesHistory}?tab=payouts&${why}`;
  }
  const list = status === "pending" ? "" : `status=${status}&`;
  return `${paths.payoutRequests}?${list}q=${id}&${why}`;
}

function addressOf(thing: FoundThing, isAdmin: boolean): string {
  switch (thing.kind) {
    case "item": {
      return isAdmin
        ? `${paths.admin}?item=${thing.id}`
        : `${paths.dashboard}?q=${encodeURIComponent(thing.barcode1)}&why=item:${thing.id}`;
    }
    case "sale": {
      return salePath(thing.id, !isAdmin);
    }
    case "consignor": {
      return `${paths.consignors}?consignor=${thing.id}`;
    }
    case "trade": {
      return isAdmin ? orderPath(thing.id) : tradePath(thing.id);
    }
    case "payout": {
      return payoutPath(thing, isAdmin);
    }
    default: {
      return `${isAdmin ? paths.adminShipments : paths.userShipments}?shipment=${thing.id}`;
    }
  }
}

/** Parameters of what is open now. The list's filters stay. */
const ofOpenThing = ["why", "at", "by", "act", "code"];

/** The address at which the thing is open: next to the list that is on screen, if it is one of that list's. */
export function pathOfThing(
  thing: FoundThing,
  isAdmin: boolean,
  { pathname, search }: Pick<Location, "pathname" | "search">,
): string {
  // The base is not used.
  const url = new URL(addressOf(thing, isAdmin), "https://store.test");
  // A payout's address names its list and finds it there, whatever was filtered.
  if (url.pathname !== pathname || thing.kind === "payout") {
    return `${url.pathname}${url.search}`;
  }
  const params = new URLSearchParams(search);
  ofOpenThing.forEach((name) => params.delete(name));
  url.searchParams.forEach((value, name) => params.set(name, value));
  return `${pathname}?${params.toString()}`;
}
