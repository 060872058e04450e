// How the audit log looks: the icon of each group of events, and the addresses of the things that events are about.
import { BookCheck, Settings, Wallet, type LucideIcon, CircleDot, Scale } from "lucide-react";
import type { AuditGroup, AuditThing } from "#features/audit/contract.ts";
import { consignorHistoryPath, consignorPath, orderPath, paths, tradePath } from "#web/paths.ts";
import {
  ItemIcon,
  OperationsIcon,
  PersonIcon,
  SaleIcon,
  ShipmentIcon,
  TradeIcon,
} from "#web/ui/thing-icons.ts";

export const groupIcons: Readonly<Record<AuditGroup, LucideIcon>> = {
  sale: SaleIcon,
  payout: Wallet,
  money: Scale,
  item: ItemIcon,
  trade: TradeIcon,
  shipment: ShipmentIcon,
  user: PersonIcon,
  closing: BookCheck,
  store: Settings,
  operations: OperationsIcon,
  other: CircleDot,
};

/** One word for one event, where the filters have the plural. */
export const groupWord: Readonly<Record<AuditGroup, string>> = {
  sale: "Sale",
  payout: "Payout",
  money: "Balance",
  item: "Item",
  trade: "Trade",
  shipment: "Shipment",
  user: "User",
  closing: "Closing",
  store: "Settings",
  operations: "Operations",
  other: "Other",
};

const thingWords: Readonly<Record<AuditThing["kind"], string>> = {
  item: "Item",
  sale: "Sale",
  payout: "Payout",
  trade: "Trade",
  shipment: "Shipment",
  consignor: "Account",
  user: "User",
  trader: "Trades of",
  other: "",
};

/** "Item Desk lamp", "Account Avery Stone" */
export function thingText({ kind, label }: AuditThing, isAdmin: boolean): string {
  return kind === "consignor" && !isAdmin ? "Your account" : `${thingWords[kind]} ${label}`.trim();
}

/** Where an admin opens a thing; undefined if it has no screen. `whom` is the person that the event touches. */
function adminPath({ kind, id }: AuditThing, whom: string | null): string | undefined {
  const places: Readonly<Record<AuditThing["kind"], string | undefined>> = {
    item: `${paths.admin}?item=${id}`,
    sale: `${paths.adminSales}?sale=${id}`,
    payout: whom === null ? undefined : `${consignorHistoryPath(whom)}?tab=payouts`,
    trade: orderPath(id),
    shipment: `${paths.adminShipments}?shipment=${id}`,
    consignor: consignorHistoryPath(id),
    user: consignorPath(id),
    trader: consignorPath(id),
    other: undefined,
  };
  return places[kind];
}

/** Where consignors open a thing of their own. */
function ownPath({ kind, id }: AuditThing): string | undefined {
  const places: Readonly<Partial<Record<AuditThing["kind"], string>>> = {
    sale: `${paths.salesHistory}?tab=sales&sale=${id}`,
    payout: `${paths.salesHistory}?tab=payouts`,
    trade: tradePath(id),
    shipment: `${paths.userShipments}?shipment=${id}`,
    consignor: paths.salesHistory,
  };
  return places[kind];
}

export function thingPath(
  thing: AuditThing,
  isAdmin: boolean,
  whom: string | null,
): string | undefined {
  return isAdmin ? adminPath(thing, whom) : ownPath(thing);
}
