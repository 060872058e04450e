// The menu of what an admin can do with a person's account: actions here, and links to the screens with more.
import { ArrowLeftRight, DatabaseZap, KeyRound, Trash2 } from "lucide-react";
import type { ListedUser } from "#features/users/contract-people.ts";
import { consignorHistoryPath, consignorInventoryPath } from "#web/paths.ts";
import type { MenuItem } from "#web/ui/menu.tsx";
import { HistoryIcon, ItemIcon, SaleIcon } from "#web/ui/thing-icons.ts";

export type ConsignorAct =
  | "edit"
  | "adjust"
  | "agree-share"
  | "custom-sale"
  | "migrate"
  | "reset-factors"
  | "delete";

/** People cannot delete themselves. */
export function consignorMenu(
  { uid }: Pick<ListedUser, "uid">,
  ownUid: string,
  onAct: (act: ConsignorAct) => void,
): readonly MenuItem[] {
  return [
    { label: "Inventory and sales of items", icon: ItemIcon, to: consignorInventoryPath(uid) },
    { label: "History", icon: HistoryIcon, to: consignorHistoryPath(uid) },
    {
      label: "Adjust balance",
      icon: ArrowLeftRight,
      startsGroup: true,
      onSelect: () => onAct("adjust"),
    },
    { label: "Record a custom sale", icon: SaleIcon, onSelect: () => onAct("custom-sale") },
    { label: "Migrate inventory", icon: DatabaseZap, onSelect: () => onAct("migrate") },
    {
      label: "Reset second factor",
      icon: KeyRound,
      isDisabled: uid === ownUid,
      onSelect: () => onAct("reset-factors"),
    },
    {
      label: "Delete",
      icon: Trash2,
      startsGroup: true,
      isDanger: true,
      isDisabled: uid === ownUid,
      onSelect: () => onAct("delete"),
    },
  ];
}
