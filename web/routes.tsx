// Which screen an address shows, who may see it, and the frame around it. Each screen's script is loaded when it is first shown.
import { lazy, Suspense } from "react";
import { Navigate, Outlet, Route, Routes, useLocation } from "react-router-dom";
import { useSession } from "./lib/session.tsx";
import { afterSignIn, loginPath, paths } from "./paths.ts";
import { Frame } from "./ui/frame.tsx";
import { NotFoundScreen } from "./ui/not-found-screen.tsx";
import { UnreachableScreen } from "./ui/unreachable-screen.tsx";

const LoginScreen = lazy(async () => ({
  default: (await import("./features/login/login-screen.tsx")).LoginScreen,
}));
const DiscordSuccessScreen = lazy(async () => ({
  default: (await import("./features/discord-success/discord-success-screen.tsx"))
    .DiscordSuccessScreen,
}));
const GoogleCallbackScreen = lazy(async () => ({
  default: (await import("./features/google-callback/google-callback-screen.tsx"))
    .GoogleCallbackScreen,
}));
const ResetPasswordScreen = lazy(async () => ({
  default: (await import("./features/reset-password/reset-password-screen.tsx"))
    .ResetPasswordScreen,
}));
const VerifyEmailScreen = lazy(async () => ({
  default: (await import("./features/verify-email/verify-email-screen.tsx")).VerifyEmailScreen,
}));
const DashboardScreen = lazy(async () => ({
  default: (await import("./features/dashboard/dashboard-screen.tsx")).DashboardScreen,
}));
const SalesHistoryScreen = lazy(async () => ({
  default: (await import("./features/sales-history/sales-history-screen.tsx")).SalesHistoryScreen,
}));
const InventoryScreen = lazy(async () => ({
  default: (await import("./features/inventory/inventory-screen.tsx")).InventoryScreen,
}));
const SalesScreen = lazy(async () => ({
  default: (await import("./features/sale/sales-screen.tsx")).SalesScreen,
}));
const PayoutRequestsScreen = lazy(async () => ({
  default: (await import("./features/payout-requests/payout-requests-screen.tsx"))
    .PayoutRequestsScreen,
}));

/** `/`: until the landing page is there, everybody goes where they belong. */
function Home() {
  const { state } = useSession();
  if (state.status === "loading") {
    return null;
  }
  if (state.status === "unreachable") {
    return <UnreachableScreen />;
  }
  return <Navigate to={state.status === "signed-in" ? afterSignIn : paths.login} replace />;
}

/** Signed-in people only; others sign in first and come back. */
function Protected() {
  const { state } = useSession();
  const { pathname, search, hash } = useLocation();
  if (state.status === "unreachable") {
    return <UnreachableScreen />;
  }
  if (state.status === "signed-out") {
    const asked = `${pathname}${search}${hash}`;
    return <Navigate to={state.chosen ? paths.login : loginPath(asked)} replace />;
  }
  // While loading the frame stands already, so that nothing moves when the answer comes.
  return state.status === "loading" ? (
    <Frame profile={undefined}>{null}</Frame>
  ) : (
    <Frame profile={state.profile}>
      <Suspense>
        <Outlet />
      </Suspense>
    </Frame>
  );
}

/** Admins only; other people have their own dashboard. */
function AdminOnly() {
  const { state } = useSession();
  return state.status === "signed-in" && state.profile.role !== "admin" ? (
    <Navigate to={paths.dashboard} replace />
  ) : (
    <Outlet />
  );
}

/** Screens without the frame, for people who are not in yet. */
function Public() {
  return (
    <Suspense>
      <Outlet />
    </Suspense>
  );
}

export function AppRoutes() {
  return (
    <Routes>
      <Route path={paths.home} element={<Home />} />
      <Route element={<Public />}>
        <Route path={paths.login} element={<LoginScreen />} />
        <Route path={paths.discordSuccess} element={<DiscordSuccessScreen />} />
        <Route path={paths.googleCallback} element={<GoogleCallbackScreen />} />
        <Route path={paths.resetPassword} element={<ResetPasswordScreen />} />
        <Route path={paths.verifyEmail} element={<VerifyEmailScreen />} />
      </Route>
      <Route element={<Protected />}>
        <Route path={paths.dashboard} element={<DashboardScreen />} />
        <Route path={paths.salesHistory} element={<SalesHistoryScreen />} />
        <Route element={<AdminOnly />}>
          <Route path={paths.admin} element={<InventoryScreen />} />
          <Route path={paths.adminSales} element={<SalesScreen />} />
          <Route path={paths.payoutRequests} element={<PayoutRequestsScreen />} />
        </Route>
      </Route>
      <Route path="*" element={<NotFoundScreen />} />
    </Routes>
  );
}
