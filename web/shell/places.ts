// The navigation entries: an admin's in groups, a consignor's in one row.
import { paths } from "#web/paths.ts";
import { onDemand } from "#web/ui/on-demand.tsx";
import type { Place, PlaceGroup } from "./place.ts";
import {
  ConsignorsIcon,
  HistoryIcon,
  HomeIcon,
  ItemIcon,
  OfferIcon,
  OrderIcon,
  PayoutIcon,
  PersonIcon,
  SaleIcon,
  ScanIcon,
  SettingsIcon,
  StoreIcon,
  TradeIcon,
  ShipmentIcon,
} from "#web/ui/thing-icons.ts";

/** Loaded only for admins, who alone may read the number. */
const FulfillmentBadge = onDemand(
  async () => (await import("#web/shared/trade/fulfillment-badge.tsx")).FulfillmentBadge,
  { ifMissing: "fallback" },
);

const sell: readonly Place[] = [
  { to: paths.pos, label: "POS", icon: ScanIcon },
  { to: paths.admin, label: "Inventory", icon: ItemIcon },
  { to: paths.adminSales, label: "Sales", icon: SaleIcon },
];

const people: readonly Place[] = [
  { to: paths.consignors, label: "Consignors", icon: ConsignorsIcon },
  { to: paths.payoutRequests, label: "Payout Requests", icon: PayoutIcon },
];

const goods: readonly Place[] = [
  { to: paths.adminShipments, label: "Shipments", icon: ShipmentIcon },
];

const trade: readonly Place[] = [
  {
    to: paths.marketplace,
    label: "Marketplace",
    icon: StoreIcon,
    covers: [paths.myOffers, paths.myTrades],
  },
  {
    to: paths.fulfillment,
    label: "Fulfillment Orders",
    icon: OrderIcon,
    Badge: FulfillmentBadge,
  },
];

const books: readonly Place[] = [];

const store: readonly Place[] = [
  { to: paths.settings, label: "Settings", icon: SettingsIcon },
  { to: paths.dashboard, label: "My Dashboard", icon: HomeIcon },
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

/** In the top bar on a desktop. The profile is in the menu next to them. */
export const consignorPlaces: readonly Place[] = [
  { to: paths.dashboard, label: "Dashboard", icon: HomeIcon },
  { to: paths.salesHistory, label: "Sales history", icon: HistoryIcon },
  { to: paths.userShipments, label: "Shipments", icon: ShipmentIcon },
  { to: paths.marketplace, label: "Marketplace", icon: StoreIcon },
  { to: paths.myOffers, label: "Offers", icon: OfferIcon },
  { to: paths.myTrades, label: "Trades", icon: TradeIcon },
];

/** At the bottom of a phone or tablet: five at most. */
export const bottomPlaces: readonly Place[] = [
  { to: paths.dashboard, label: "Dashboard", shortLabel: "Home", icon: HomeIcon },
  { to: paths.salesHistory, label: "Sales history", shortLabel: "History", icon: HistoryIcon },
  {
    to: paths.marketplace,
    label: "Marketplace",
    shortLabel: "Market",
    icon: StoreIcon,
    covers: [paths.myOffers, paths.myTrades],
  },
  { to: paths.userShipments, label: "Shipments", icon: ShipmentIcon },
  { to: paths.profile, label: "Profile", icon: PersonIcon },
];
