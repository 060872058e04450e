// The app around every screen: router, session, cache, tooltips, toasts, and a fallback if a screen breaks.
import { CSPProvider } from "@base-ui/react/csp-provider";
import { BrowserRouter } from "react-router-dom";
import { SWRConfig } from "swr";
import { ApiError } from "#web/lib/api-error.ts";
import { SessionProvider } from "#web/shared/account/session.tsx";
import { AppRoutes } from "#web/routes.tsx";
import { Boundary } from "#web/ui/boundary.tsx";
import { BrokenScreen } from "./broken-screen.tsx";
import { ProofHost } from "./proof-host.tsx";
import { StoreBrandReader } from "./store-brand.tsx";
import { Toaster } from "#web/ui/toaster.tsx";
import { TooltipLayer } from "./tooltip-layer.tsx";

const cacheOptions = {
  // Only requests without an answer are worth retrying. A refusal would be refused again.
  shouldRetryOnError: (error: unknown) => error instanceof ApiError && error.isUncertain,
  errorRetryCount: 5,
  dedupingInterval: 1000,
  focusThrottleInterval: 10_000,
};

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
