// Draws, at build time, what a page shows until the app runs: the sign-in form and the frame of each kind of person.
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { LoginScreen } from "#web/features/login/login-screen.tsx";
import { paths } from "#web/paths.ts";
import { SessionProvider } from "#web/shared/account/session.tsx";
import { bottomPlaces } from "#web/shell/consignor-places.ts";
import { FrameLayout } from "#web/shell/frame-layout.tsx";
import { Sidebar } from "#web/shell/sidebar.tsx";
import { BottomNav, TopBar } from "#web/shell/top-bar.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import type { Shell } from "./show-shell.ts";

/** How wide the window is in each shell, in rem. The sidebar opens by itself in the widest. */
const widths: Readonly<Record<Shell, number>> = {
  login: 80,
  "user-wide": 80,
  "user-narrow": 40,
  "admin-open": 100,
  "admin-icons": 80,
  "admin-narrow": 40,
};

let width = 80;

/** Understands the queries that decide about the structure of the frame; what others decide is CSS. */
function matches(query: string): boolean {
  const [, kind, rem = ""] = /^\((min|max)-width: ([\d.]+)rem\)$/.exec(query) ?? [];
  return kind === "min" ? width >= Number(rem) : kind === "max" && width <= Number(rem);
}

Object.assign(globalThis, {
  matchMedia: (query: string) => ({
    get matches() {
      return matches(query);
    },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }),
});

/** Nobody is known yet: the name has the room of a short one. */
function shownPerson(role: "admin" | "user") {
  return { uid: "", displayName: "\u00a0".repeat(12), username: null, email: null, role };
}

function FrameShell({ shell }: { readonly shell: Exclude<Shell, "login"> }): ReactNode {
  const isAdmin = shell.startsWith("admin-");
  const isNarrow = shell.endsWith("-narrow");
  return (
    <FrameLayout
      topBar={<TopBar profile={shownPerson(isAdmin ? "admin" : "user")} currentPath="" />}
      sidebar={isAdmin && !isNarrow ? <Sidebar currentPath="" /> : null}
      main={
        <main className="min-w-0 grow">
          <div
            className={`mx-auto flex w-full flex-col gap-6 px-6 py-6 max-sm:gap-4 max-sm:px-4 max-sm:py-4 ${isAdmin ? "" : "max-w-[calc(1120px+3rem)]"}`}
          >
            <Skeleton className="h-8 w-48" />
            <Skeleton className="h-24" />
            <Skeleton className="h-80" />
          </div>
        </main>
      }
      bottomNav={isAdmin || !isNarrow ? null : <BottomNav places={bottomPlaces} currentPath="" />}
    />
  );
}

function drawn(shell: Shell): string {
  width = widths[shell];
  return renderToStaticMarkup(
    <MemoryRouter initialEntries={[paths.login]}>
      <SessionProvider>
        {shell === "login" ? <LoginScreen /> : <FrameShell shell={shell} />}
      </SessionProvider>
    </MemoryRouter>,
  );
}

const shells = Object.fromEntries(
  (Object.keys(widths) as Shell[]).map((shell) => [shell, drawn(shell)]),
);
// The session listens to other tabs, which would keep this process alive.
process.stdout.write(JSON.stringify(shells), () => process.exit());
