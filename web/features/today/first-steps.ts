// What a new store does first, in words, with the screen of each step.
import type { LucideIcon } from "lucide-react";
import type { FirstSteps } from "#features/today/contract.ts";
import { paths } from "#web/paths.ts";
import { ConsignorsIcon, ItemIcon, ScanIcon, StoreIcon } from "#web/ui/thing-icons.ts";

export type FirstStep = {
  readonly label: string;
  readonly detail: string;
  readonly icon: LucideIcon;
  readonly to: string;
  readonly isDone: boolean;
};

/** The last one is never done here: the list ends with the first sale. */
export function firstStepsOf({ named, consignors, goods }: FirstSteps): readonly FirstStep[] {
  return [
    {
      label: "Set up the store",
      detail: "Its name and address, and the sales tax rate and shares that sales are booked with",
      icon: StoreIcon,
      to: paths.settings,
      isDone: named,
    },
    {
      label: "Invite a consignor",
      detail: "They see what came in, what sold and what they are owed",
      icon: ConsignorsIcon,
      to: paths.consignors,
      isDone: consignors,
    },
    {
      label: "Take in goods",
      detail: "A consignor's or the store's own, one by one or with Mass Input",
      icon: ItemIcon,
      to: paths.admin,
      isDone: goods,
    },
    {
      label: "Make the first sale",
      detail: "Scan an item at the point of sale, or record the sale in Inventory",
      icon: ScanIcon,
      to: paths.pos,
      isDone: false,
    },
  ];
}
