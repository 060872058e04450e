// The frame of every signed-in screen: skip link, top bar, sidebar or bottom navigation, and the screen itself.
import type { ReactNode } from "react";
import { useLocation } from "react-router-dom";
import type { ShownPerson } from "#web/shared/till/till-person.ts";
import { useIsNarrow } from "#web/lib/use-media.ts";
import { onDemand } from "#web/ui/on-demand.tsx";
import { bottomPlaces } from "./consignor-places.ts";
import { DeskHost } from "./desk-host.tsx";
import { FrameLayout } from "./frame-layout.tsx";
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
    <FrameLayout
      topBar={
        profile === undefined ? (
          <div className="h-(--top-bar) border-b border-border bg-surface" />
        ) : (
          <>
            <TopBar profile={profile} currentPath={pathname} />
            <DeskHost isAdmin={isAdmin} />
          </>
        )
      }
      sidebar={isAdmin && !isNarrow ? <Sidebar currentPath={pathname} /> : null}
      main={
        <main
          key={pathname}
          id="main"
          tabIndex={-1}
          ref={startAtTop}
          className="min-w-0 grow outline-none"
        >
          {children}
        </main>
      }
      bottomNav={
        !hasBottomNav ? null : profile === undefined ? (
          <></>
        ) : (
          <BottomNav places={bottomPlaces} currentPath={pathname} />
        )
      }
    />
  );
}
