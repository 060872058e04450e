// An admin's navigation entries, in groups. Loaded only for admins.
import { paths } from "#web/paths.ts";
import { FulfillmentBadge } from "#web/shared/trade/fulfillment-badge.tsx";
import type { Place, PlaceGroup } from "./place.ts";
import {
  AuditIcon,
  ConsignorsIcon,
  DrawerIcon,
  HomeIcon,
  ItemIcon,
  OperationsIcon,
  OrderIcon,
  PayoutIcon,
  ReportIcon,
  SaleIcon,
  ScanIcon,
  SecurityIcon,
  SettingsIcon,
  StoreIcon,
  TodayIcon,
  ShipmentIcon,
} from "#web/ui/thing-icons.ts";

const sell: readonly Place[] = [
  { to: paths.today, label: "Today", icon: TodayIcon, key: "t" },
  { to: paths.pos, label: "POS", icon: ScanIcon, key: "p" },
  { to: paths.admin, label: "Inventory", icon: ItemIcon, key: "i" },
  { to: paths.adminSales, label: "Sales", icon: SaleIcon, key: "s" },
  { to: paths.endOfDay, label: "End of Day", icon: DrawerIcon, key: "n" },
];

const people: readonly Place[] = [
  {
    to: paths.consignors,
    label: "Consignors",
    icon: ConsignorsIcon,
    key: "c",
    covers: [`${paths.consignors}/`],
  },
  { to: paths.payoutRequests, label: "Payout Requests", icon: PayoutIcon, key: "r" },
];

const goods: readonly Place[] = [
  { to: paths.adminShipments, label: "Shipments", icon: ShipmentIcon, key: "h" },
];

const trade: readonly Place[] = [
  {
    to: paths.marketplace,
    label: "Marketplace",
    icon: StoreIcon,
    key: "m",
    covers: [paths.myOffers, paths.myTrades],
  },
  {
    to: paths.fulfillment,
    label: "Fulfillment Orders",
    icon: OrderIcon,
    key: "f",
    Badge: FulfillmentBadge,
  },
];

const books: readonly Place[] = [
  { to: paths.audit, label: "Audit", icon: AuditIcon, key: "a" },
  { to: paths.reports, label: "Reports", icon: ReportIcon, key: "b" },
  { to: paths.security, label: "Security", icon: SecurityIcon, key: "u" },
  { to: paths.operations, label: "Operations", icon: OperationsIcon, key: "o" },
];

const store: readonly Place[] = [
  { to: paths.settings, label: "Settings", icon: SettingsIcon, key: "e" },
  { to: paths.dashboard, label: "My Dashboard", icon: HomeIcon, key: "d" },
];

/** Groups without entries are left out. */
export const adminGroups: readonly PlaceGroup[] = [
  { label: "Sell", places: sell },
  { label: "People", places: people },
  { label: "Goods", places: goods },
  { label: "Trade", places: trade },
  { label: "Books", places: books },
  { label: "Store", places: store },
].filter(({ places }) => places.length > 0);
