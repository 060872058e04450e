// The bar above every signed-in screen: the store's name, a consignor's navigation, the theme, and who is signed in.
import { LogOut, Menu as MenuIcon, Search } from "lucide-react";
import { Link } from "react-router-dom";
import { useSession } from "#web/shared/account/session.tsx";
import type { ShownPerson } from "#web/shared/till/till-person.ts";
import { useIsNarrow } from "#web/lib/use-media.ts";
import { paths } from "#web/paths.ts";
import { Brand } from "#web/ui/brand.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Menu, type MenuItem } from "#web/ui/menu.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { ThemeSwitch } from "#web/ui/theme-switch.tsx";
import { Bell } from "./bell.tsx";
import { paletteEvent } from "./desk-host.tsx";
import { isAt, isWithin, type Place } from "./place.ts";
import { consignorPlaces } from "./consignor-places.ts";
import { PersonIcon } from "#web/ui/thing-icons.ts";

function nameOf({ displayName, username, email, uid }: ShownPerson): string {
  return displayName ?? username ?? email ?? uid;
}

const AdminMenu = onDemand(() => import("./admin-menu.tsx").then((file) => file.AdminMenu), {
  fallback: ({ account }) => <Menu label="Menu" icon={MenuIcon} items={account} />,
  ifMissing: "fallback",
});

type TopBarProps = {
  readonly profile: ShownPerson;
  /** The path of the current screen. */
  readonly currentPath: string;
};

export function TopBar({ profile, currentPath }: TopBarProps) {
  const { signOut } = useSession();
  const isNarrow = useIsNarrow();
  const isAdmin = profile.role === "admin";
  const hasPlacesInMenu = isAdmin && isNarrow;
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
    <header className="sticky top-0 z-30 flex h-(--top-bar) items-center gap-1 border-b border-border bg-surface px-6 no-print max-sm:px-4">
      <span className="me-4 flex max-w-64 min-w-24 shrink max-sm:me-2">
        <Brand />
      </span>
      {isAdmin || isNarrow ? null : (
        <nav aria-label="Main" className="flex min-w-0 grow items-center gap-1">
          {consignorPlaces.map((place) => (
            <Link
              key={place.to}
              to={place.to}
              aria-current={isAt(place, currentPath) ? "page" : undefined}
              className="inline-flex h-8 items-center gap-1.5 rounded-control px-2.5 font-medium whitespace-nowrap text-muted transition-colors duration-120 -outline-offset-2 hover:bg-hover hover:text-text aria-[current=page]:bg-fill aria-[current=page]:text-text touch:h-11"
            >
              {place.label}
              {place.Badge === undefined ? null : <place.Badge />}
            </Link>
          ))}
        </nav>
      )}
      <span className="ms-auto flex shrink-0 items-center">
        <IconButton
          icon={Search}
          label="Find anything"
          onClick={() => dispatchEvent(new Event(paletteEvent))}
        />
        <Bell />
        <ThemeSwitch />
        {hasPlacesInMenu ? (
          <AdminMenu currentPath={currentPath} account={account} />
        ) : isNarrow ? (
          <Menu label="Menu" icon={MenuIcon} items={account} />
        ) : (
          <Menu
            label={nameOf(profile)}
            icon={PersonIcon}
            showsLabel
            items={account}
            className="max-w-48 max-[80rem]:max-w-36"
          />
        )}
      </span>
    </header>
  );
}

type BottomNavProps = { readonly places: readonly Place[]; readonly currentPath: string };

/** The consignor's navigation at the bottom of a phone or tablet. */
export function BottomNav({ places, currentPath }: BottomNavProps) {
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col border-t border-border bg-surface pb-[env(safe-area-inset-bottom)] no-print"
    >
      {places.map((place) => (
        <Link
          key={place.to}
          to={place.to}
          aria-current={isWithin(place, currentPath) ? "page" : undefined}
          className="flex h-14 flex-col items-center justify-center gap-0.5 text-12 font-medium text-muted -outline-offset-2 aria-[current=page]:text-accent"
        >
          <span className="relative">
            <Icon of={place.icon} size={20} />
            <span className="absolute start-3 -top-2">
              {place.Badge === undefined ? null : <place.Badge />}
            </span>
          </span>
          {place.shortLabel ?? place.label}
        </Link>
      ))}
    </nav>
  );
}
