// The frame of every signed-in screen: skip link, top bar, the screen itself, and the phone's bottom navigation.
import type { ReactNode } from "react";
import { useLocation } from "react-router-dom";
import type { ShownPerson } from "#web/shared/till/till-person.ts";
import { useIsPhone } from "#web/lib/use-media.ts";
import { paths } from "#web/paths.ts";
import type { Place } from "./place.ts";
import {
  ConsignorsIcon,
  HistoryIcon,
  HomeIcon,
  ItemIcon,
  PayoutIcon,
  PersonIcon,
  SaleIcon,
  ScanIcon,
} from "#web/ui/thing-icons.ts";
import { BottomNav, TopBar } from "./top-bar.tsx";

const consignorPlaces: readonly Place[] = [
  { to: paths.dashboard, label: "Dashboard", shortLabel: "Home", icon: HomeIcon },
  { to: paths.salesHistory, label: "Sales history", shortLabel: "History", icon: HistoryIcon },
  { to: paths.profile, label: "Profile", icon: PersonIcon },
];

const adminPlaces: readonly Place[] = [
  { to: paths.admin, label: "Inventory", icon: ItemIcon },
  { to: paths.adminSales, label: "Sales", icon: SaleIcon },
  { to: paths.consignors, label: "Consignors", icon: ConsignorsIcon },
  { to: paths.payoutRequests, label: "Payout Requests", icon: PayoutIcon },
  { to: paths.pos, label: "POS", icon: ScanIcon },
  { to: paths.dashboard, label: "My Dashboard", icon: HomeIcon },
];

/** A newly opened screen starts at its top. */
function startAtTop(main: HTMLElement | null): void {
  if (main !== null && history.scrollRestoration === "auto") {
    scrollTo(0, 0);
  }
}

type FrameProps = {
  /** Undefined until it is known who is signed in. */
  readonly profile: ShownPerson | undefined;
  readonly children: ReactNode;
};

export function Frame({ profile, children }: FrameProps) {
  const { pathname } = useLocation();
  const isPhone = useIsPhone();
  const hasBottomNav = isPhone && profile?.role !== "admin";

  return (
    <div className={hasBottomNav ? "with-bottom-nav" : ""}>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-24 rounded-control bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      {profile === undefined ? (
        <div className="h-(--top-bar) border-b border-border bg-surface" />
      ) : (
        <TopBar
          profile={profile}
          places={profile.role === "admin" ? adminPlaces : consignorPlaces}
          currentPath={pathname}
        />
      )}
      <main key={pathname} id="main" tabIndex={-1} ref={startAtTop} className="outline-none">
        {children}
      </main>
      {hasBottomNav && profile !== undefined ? <BottomNav places={consignorPlaces} /> : null}
    </div>
  );
}
