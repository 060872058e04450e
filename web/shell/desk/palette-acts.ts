// What the command palette can begin: forms that a screen opens when the address asks for them (`useArrivalAct`).
import { FileUp, Plus, type LucideIcon } from "lucide-react";
import { actPath, paths } from "#web/paths.ts";
import { PayoutIcon, SaleIcon, ScanIcon, ShipmentIcon } from "#web/ui/thing-icons.ts";

export type PaletteAct = {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly to: string;
};

const forAdmins: readonly PaletteAct[] = [
  { label: "Mass Input", icon: ScanIcon, to: actPath(paths.admin, "mass-input") },
  { label: "Add to Consignor Inventory", icon: Plus, to: actPath(paths.admin, "add-consignor") },
  { label: "Add to Master Inventory", icon: Plus, to: actPath(paths.admin, "add-master") },
  { label: "Record a custom sale", icon: SaleIcon, to: actPath(paths.admin, "custom-sale") },
  { label: "Import CSV", icon: FileUp, to: actPath(paths.admin, "import") },
];

const forConsignors: readonly PaletteAct[] = [
  { label: "Request payout", icon: PayoutIcon, to: actPath(paths.dashboard, "request-payout") },
  { label: "Submit Shipment", icon: ShipmentIcon, to: actPath(paths.dashboard, "submit-shipment") },
];

export function actsFor(isAdmin: boolean): readonly PaletteAct[] {
  return isAdmin ? forAdmins : forConsignors;
}
