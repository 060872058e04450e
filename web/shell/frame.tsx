// The frame of every signed-in screen: skip link, top bar, sidebar or bottom navigation, and the screen itself.
import type { ReactNode } from "react";
import { useLocation } from "react-router-dom";
import type { ShownPerson } from "#web/shared/till/till-person.ts";
import { useIsNarrow } from "#web/lib/use-media.ts";
import { onDemand } from "#web/ui/on-demand.tsx";
import { bottomPlaces } from "./consignor-places.ts";
import { DeskHost } from "./desk-host.tsx";
import { SidebarRoom } from "./sidebar-room.tsx";
import { BottomNav, TopBar } from "./top-bar.tsx";

const Sidebar = onDemand(() => import("./sidebar.tsx").then((file) => file.Sidebar), {
  fallback: <SidebarRoom />,
  ifMissing: "fallback",
});

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
  const isNarrow = useIsNarrow();
  const isAdmin = profile?.role === "admin";
  const hasBottomNav = isNarrow && !isAdmin;

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
        <TopBar profile={profile} currentPath={pathname} />
      )}
      <div className="flex">
        {isAdmin && !isNarrow ? <Sidebar currentPath={pathname} /> : null}
        <main
          key={pathname}
          id="main"
          tabIndex={-1}
          ref={startAtTop}
          className="min-w-0 grow outline-none"
        >
          {children}
        </main>
      </div>
      {profile === undefined ? null : <DeskHost isAdmin={isAdmin} />}
      {hasBottomNav && profile !== undefined ? (
        <BottomNav places={bottomPlaces} currentPath={pathname} />
      ) : null}
    </div>
  );
}
