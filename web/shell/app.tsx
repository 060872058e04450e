// The app around every screen: router, session, cache, tooltips, toasts, and a fallback if a screen breaks.
import { CSPProvider } from "@base-ui/react/csp-provider";
import { BrowserRouter, useLocation } from "react-router-dom";
import { useEffect } from "react";
import { SWRConfig } from "swr";
import { ApiError } from "#web/lib/api-error.ts";
import { noteVisit } from "#web/lib/visits.ts";
import { SessionProvider } from "#web/shared/account/session.tsx";
import { AppRoutes } from "#web/routes.tsx";
import { Boundary } from "#web/ui/boundary.tsx";
import { BrokenScreen } from "./broken-screen.tsx";
import { ProofHost } from "./proof-host.tsx";
import { StoreBrandReader } from "./store-brand.tsx";
import { Toaster } from "#web/ui/toaster.tsx";
import { TooltipLayer } from "./tooltip-layer.tsx";

const cacheOptions = {
  shouldRetryOnError: (error: unknown) => error instanceof ApiError && error.isPassing,
  errorRetryCount: 5,
  dedupingInterval: 1000,
  focusThrottleInterval: 10_000,
};

/** Shows nothing itself. */
function VisitNoter() {
  const { pathname } = useLocation();
  useEffect(() => noteVisit(pathname), [pathname]);
  return null;
}

export function App() {
  return (
    <CSPProvider disableStyleElements>
      <Boundary
        fallback={
          <main>
            <BrokenScreen />
          </main>
        }
      >
        <BrowserRouter>
          <SWRConfig value={cacheOptions}>
            <StoreBrandReader />
            <VisitNoter />
            <SessionProvider>
              <AppRoutes />
              <ProofHost />
            </SessionProvider>
          </SWRConfig>
        </BrowserRouter>
        <Toaster />
        <TooltipLayer />
      </Boundary>
    </CSPProvider>
  );
}
