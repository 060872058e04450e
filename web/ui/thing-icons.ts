// One icon for each kind of thing in the business, the same on every screen.
export {
  ChartLine as HistoryIcon,
  Activity as OperationsIcon,
  ClipboardList as OrderIcon,
  ScrollText as AuditIcon,
  Handshake as TradeIcon,
  House as HomeIcon,
  Package as ItemIcon,
  Receipt as SaleIcon,
  ScanBarcode as ScanIcon,
  Settings as SettingsIcon,
  Store as StoreIcon,
  Tag as OfferIcon,
  Truck as ShipmentIcon,
  UserRound as PersonIcon,
  UsersRound as ConsignorsIcon,
  Wallet as PayoutIcon,
} from "lucide-react";
