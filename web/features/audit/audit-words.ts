// How the audit log looks: the icon of each group of events, and the addresses of the things that events are about.
import { Settings, Wallet, type LucideIcon, CircleDot, Scale } from "lucide-react";
import type { AuditGroup, AuditThing } from "#features/audit/contract.ts";
import { consignorHistoryPath, orderPath, paths, tradePath } from "#web/paths.ts";
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

/** Where a thing is opened; undefined if it has no screen. `whom` is the person that the event touches. */
export function thingPath(
  { kind, id }: Pick<AuditThing, "kind" | "id">,
  isAdmin: boolean,
  whom: string | null,
): string | undefined {
  switch (kind) {
    case "item":
      return isAdmin ? `${paths.admin}?item=${id}` : undefined;
    case "sale":
      return isAdmin
        ? `${paths.adminSales}?sale=${id}`
        : `${paths.salesHistory}?tab=sales&sale=${id}`;
    case "payout":
      return isAdmin
        ? whom === null
          ? undefined
          : `${consignorHistoryPath(whom)}?tab=payouts`
        : `${paths.salesHistory}?tab=payouts`;
    case "trade":
      return isAdmin ? orderPath(id) : tradePath(id);
    case "shipment":
      return `${isAdmin ? paths.adminShipments : paths.userShipments}?shipment=${id}`;
    case "consignor":
      return isAdmin ? consignorHistoryPath(id) : paths.salesHistory;
    case "user":
    case "trader":
      return isAdmin ? `${paths.consignors}?consignor=${id}` : undefined;
    case "other":
      return undefined;
  }
}
