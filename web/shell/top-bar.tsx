// The bar above every signed-in screen: the store's name, the places, the theme, and who is signed in.
import { LogOut, Menu as MenuIcon } from "lucide-react";
import { NavLink } from "react-router-dom";
import { useSession } from "#web/shared/account/session.tsx";
import type { ShownPerson } from "#web/shared/till/till-person.ts";
import { useIsNarrow, useIsPhone } from "#web/lib/use-media.ts";
import { paths } from "#web/paths.ts";
import { Brand } from "#web/ui/brand.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Menu, type MenuItem } from "#web/ui/menu.tsx";
import { ThemeSwitch } from "#web/ui/theme-switch.tsx";
import type { Place } from "./place.ts";
import { PersonIcon } from "#web/ui/thing-icons.ts";

function nameOf({ displayName, username, email, uid }: ShownPerson): string {
  return displayName ?? username ?? email ?? uid;
}

type TopBarProps = {
  readonly profile: ShownPerson;
  readonly places: readonly Place[];
  /** The path that is shown now. */
  readonly currentPath: string;
};

export function TopBar({ profile, places, currentPath }: TopBarProps) {
  const { signOut } = useSession();
  const isPhone = useIsPhone();
  const isNarrow = useIsNarrow();
  const isAdmin = profile.role === "admin";
  // A strip that scrolls would hide the last places, and nothing would say so.
  const hasPlacesInMenu = isAdmin && isNarrow;
  const placeItems: MenuItem[] = places.map(({ to, label, icon }) => ({
    to,
    label,
    icon,
    isCurrent: to === currentPath,
  }));
  const account: MenuItem[] = [
    {
      to: paths.profile,
      label: "Profile",
      icon: PersonIcon,
      isCurrent: currentPath === paths.profile,
      startsGroup: hasPlacesInMenu,
    },
    {
      label: "Sign out",
      icon: LogOut,
      onSelect: () => void signOut(),
    },
  ];
  return (
    <header className="sticky top-0 z-20 flex h-(--top-bar) items-center gap-1 border-b border-border bg-surface px-6 no-print max-sm:px-4">
      <span className="me-4 flex max-w-64 min-w-24 shrink max-sm:me-2">
        <Brand />
      </span>
      {isPhone || hasPlacesInMenu ? null : (
        <nav aria-label="Main" className="flex min-w-0 grow items-center gap-1 overflow-x-auto">
          {places.map(({ to, label }) => (
            <NavLink
              key={to}
              to={to}
              end
              className="inline-flex h-8 items-center rounded-control px-2.5 font-medium whitespace-nowrap text-muted transition-colors duration-120 -outline-offset-2 hover:bg-hover hover:text-text aria-[current=page]:bg-fill aria-[current=page]:text-text touch:h-11"
            >
              {label}
            </NavLink>
          ))}
        </nav>
      )}
      <span className="ms-auto flex shrink-0 items-center">
        <ThemeSwitch />
        {isPhone || hasPlacesInMenu ? (
          <Menu
            label="Menu"
            icon={MenuIcon}
            items={hasPlacesInMenu ? [...placeItems, ...account] : account}
          />
        ) : (
          <Menu
            label={nameOf(profile)}
            icon={PersonIcon}
            showsLabel
            items={account}
            className="max-w-48 max-[80rem]:max-w-36 max-md:[&>span]:sr-only"
          />
        )}
      </span>
    </header>
  );
}

/** The consignor's places at the bottom of a phone. */
export function BottomNav({ places }: { readonly places: readonly Place[] }) {
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col border-t border-border bg-surface pb-[env(safe-area-inset-bottom)] no-print"
    >
      {places.map(({ to, label, shortLabel, icon }) => (
        <NavLink
          key={to}
          to={to}
          end
          className="flex h-14 flex-col items-center justify-center gap-0.5 text-12 font-medium text-muted -outline-offset-2 aria-[current=page]:text-accent"
        >
          <Icon of={icon} size={20} />
          {shortLabel ?? label}
        </NavLink>
      ))}
    </nav>
  );
}
