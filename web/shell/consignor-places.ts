// A consignor's navigation entries.
import { paths } from "#web/paths.ts";
import { AnswersBadge, CountersBadge, OffersBadge } from "#web/shared/trade/answers-badge.tsx";
import type { Place } from "./place.ts";
import {
  HistoryIcon,
  HomeIcon,
  OfferIcon,
  PersonIcon,
  ShipmentIcon,
  StoreIcon,
  TradeIcon,
} from "#web/ui/thing-icons.ts";

/** In the top bar on a desktop. The profile is in the menu next to them. */
export const consignorPlaces: readonly Place[] = [
  { to: paths.dashboard, label: "Dashboard", icon: HomeIcon, key: "d" },
  {
    to: paths.salesHistory,
    label: "Sales history",
    icon: HistoryIcon,
    key: "h",
    covers: [paths.ownAudit],
  },
  { to: paths.userShipments, label: "Shipments", icon: ShipmentIcon, key: "s" },
  { to: paths.marketplace, label: "Marketplace", icon: StoreIcon, key: "m" },
  { to: paths.myOffers, label: "Offers", icon: OfferIcon, key: "o", Badge: OffersBadge },
  { to: paths.myTrades, label: "Trades", icon: TradeIcon, key: "t", Badge: CountersBadge },
];

/** At the bottom of a phone or tablet: five at most. */
export const bottomPlaces: readonly Place[] = [
  { to: paths.dashboard, label: "Dashboard", shortLabel: "Home", icon: HomeIcon },
  {
    to: paths.salesHistory,
    label: "Sales history",
    shortLabel: "History",
    icon: HistoryIcon,
    covers: [paths.ownAudit],
  },
  {
    to: paths.marketplace,
    label: "Marketplace",
    shortLabel: "Market",
    icon: StoreIcon,
    Badge: AnswersBadge,
    covers: [paths.myOffers, paths.myTrades],
  },
  { to: paths.userShipments, label: "Shipments", icon: ShipmentIcon },
  { to: paths.profile, label: "Profile", icon: PersonIcon },
];
