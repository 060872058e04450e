// The admin's navigation as a menu, if there is no room for a sidebar.
import { Menu as MenuIcon } from "lucide-react";
import { Menu, type MenuItem } from "#web/ui/menu.tsx";
import { isWithin } from "./place.ts";
import { adminGroups } from "./places.ts";

function placeItems(currentPath: string): MenuItem[] {
  return adminGroups.flatMap(({ places }, group) =>
    places.map((place, index) => ({
      to: place.to,
      label: place.label,
      icon: place.icon,
      isCurrent: isWithin(place, currentPath),
      startsGroup: group > 0 && index === 0,
    })),
  );
}

type AdminMenuProps = {
  readonly currentPath: string;
  /** Profile and sign-out, which follow. */
  readonly account: readonly MenuItem[];
};

export function AdminMenu({ currentPath, account }: AdminMenuProps) {
  return <Menu label="Menu" icon={MenuIcon} items={[...placeItems(currentPath), ...account]} />;
}
