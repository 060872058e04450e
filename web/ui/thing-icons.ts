// One icon for each kind of thing in the business, the same on every screen.
export {
  ChartLine as HistoryIcon,
  House as HomeIcon,
  Package as ItemIcon,
  Receipt as SaleIcon,
  ScanBarcode as ScanIcon,
  Store as StoreIcon,
  Truck as ShipmentIcon,
  UserRound as PersonIcon,
  UsersRound as ConsignorsIcon,
  Wallet as PayoutIcon,
} from "lucide-react";
