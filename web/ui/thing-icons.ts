// One thing, one icon: the icons by which the business's things are known on every screen.
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
