// Which screen an address shows, who may see it, and the frame around it.
import { useSyncExternalStore } from "react";
import { Navigate, Outlet, Route, Routes, useLocation } from "react-router-dom";
import { useSession } from "#web/shared/account/session.tsx";
import { useShownPerson } from "#web/shared/till/till-person.ts";
import { unsent } from "#web/shared/till/unsent.ts";
import { consignorHistoryPath, loginPath, paths } from "./paths.ts";
import {
  AdminFulfillmentScreen,
  AuditScreen,
  AdminShipmentsScreen,
  ConsignorHistoryScreen,
  ConsignorsScreen,
  DashboardScreen,
  DiscordSuccessScreen,
  FactorSetupScreen,
  GoogleCallbackScreen,
  ImageBackfillScreen,
  HomeScreen,
  InventoryScreen,
  LoginScreen,
  MarketplaceScreen,
  MigrationScreen,
  MyOffersScreen,
  MyTradesScreen,
  OperationsScreen,
  PayoutRequestsScreen,
  EndOfDayScreen,
  PosScreen,
  ProfileScreen,
  ReportsScreen,
  ResetPasswordScreen,
  SalesHistoryScreen,
  SalesScreen,
  SecurityScreen,
  SettingsScreen,
  TodayScreen,
  UserShipmentsScreen,
  ConfirmEmailChangeScreen,
  VerifyEmailScreen,
  VerifyStatementScreen,
} from "./screens.ts";
import { Boundary } from "./ui/boundary.tsx";
import { ButtonLink } from "./ui/button-link.tsx";
import { EntryPage } from "./ui/entry-page.tsx";
import { BrokenScreen } from "#web/shell/broken-screen.tsx";
import { Frame } from "#web/shell/frame.tsx";
import { NotFoundScreen } from "#web/shell/not-found-screen.tsx";
import { NewerVersion } from "#web/shell/newer-version.tsx";
import { OfflineBar } from "#web/shell/offline-bar.tsx";
import { onDemand } from "./ui/on-demand.tsx";
import { UnreachableScreen } from "#web/shared/account/unreachable-screen.tsx";

const UnsentBar = onDemand(() =>
  import("./features/pos/unsent-bar.tsx").then((file) => file.UnsentBar),
);

/** Only for signed-in people. Others sign in first and return. The point of sale also opens if the server is unreachable. */
function Protected() {
  const { state } = useSession();
  const { pathname, search, hash } = useLocation();
  const till = useShownPerson(state, true);
  const person = state.status === "signed-in" || pathname === paths.pos ? till : undefined;
  if (state.status === "signed-out") {
    const asked = `${pathname}${search}${hash}`;
    return <Navigate to={state.chosen ? paths.login : loginPath(asked)} replace />;
  }
  if (state.status === "unreachable" && person === undefined) {
    return <UnreachableScreen>{till === undefined ? null : <ToTheTill />}</UnreachableScreen>;
  }
  if (state.status === "signed-in" && state.profile.lacksFactor === true) {
    return <FactorSetupScreen />;
  }
  // The frame is shown while loading, so that nothing moves when the answer arrives.
  return person === undefined ? (
    <Frame profile={undefined}>{null}</Frame>
  ) : (
    <Frame profile={person}>
      {/* The point of sale has its own message, because it keeps selling. */}
      {pathname === paths.pos ? null : <OfflineBar />}
      <NewerVersion />
      {person.role === "admin" && pathname !== paths.pos ? <Unsent /> : null}
      {/* If one screen breaks, the others can still be reached. */}
      <Boundary fallback={<BrokenScreen />}>
        <Outlet />
      </Boundary>
    </Frame>
  );
}

/** The till goes on selling without the server. */
function ToTheTill() {
  const { waiting, refused } = useSyncExternalStore(unsent.subscribe, unsent.read);
  const count = waiting + refused;
  return (
    <ButtonLink to={paths.pos}>
      {count === 0 ? "Point of sale" : `Point of sale, ${count} not sent yet`}
    </ButtonLink>
  );
}

/** Sales of this till that the ledger does not have, on every admin screen. */
function Unsent() {
  const { waiting, refused } = useSyncExternalStore(unsent.subscribe, unsent.read);
  return waiting + refused === 0 ? null : <UnsentBar waiting={waiting} refused={refused} />;
}

/** Only for admins. Other people have their own dashboard. */
function AdminOnly() {
  const { state } = useSession();
  return state.status === "signed-in" && state.profile.role !== "admin" ? (
    <Navigate to={paths.dashboard} replace />
  ) : (
    <Outlet />
  );
}

/** An address without a screen, inside the frame for people who are signed in. */
function Nowhere() {
  const { state } = useSession();
  return state.status === "signed-in" ? (
    <Frame profile={state.profile}>
      <NotFoundScreen />
    </Frame>
  ) : (
    <EntryPage isHidden={state.status === "loading"}>
      <NotFoundScreen />
    </EntryPage>
  );
}

export function AppRoutes() {
  return (
    <Routes>
      <Route path={paths.home} element={<HomeScreen />} />
      <Route path={paths.login} element={<LoginScreen />} />
      <Route path={paths.discordSuccess} element={<DiscordSuccessScreen />} />
      <Route path={paths.googleCallback} element={<GoogleCallbackScreen />} />
      <Route path={paths.resetPassword} element={<ResetPasswordScreen />} />
      <Route path={paths.verifyEmail} element={<VerifyEmailScreen />} />
      <Route path={paths.confirmEmailChange} element={<ConfirmEmailChangeScreen />} />
      <Route path={paths.verifyStatement} element={<VerifyStatementScreen />} />
      <Route element={<Protected />}>
        <Route path={paths.dashboard} element={<DashboardScreen />} />
        <Route path={paths.salesHistory} element={<SalesHistoryScreen />} />
        <Route path={paths.userShipments} element={<UserShipmentsScreen />} />
        <Route path={paths.profile} element={<ProfileScreen />} />
        <Route path={paths.marketplace} element={<MarketplaceScreen />} />
        <Route path={paths.myOffers} element={<MyOffersScreen />} />
        <Route path={paths.myTrades} element={<MyTradesScreen />} />
        <Route path={paths.ownAudit} element={<AuditScreen />} />
        <Route element={<AdminOnly />}>
          <Route path={paths.today} element={<TodayScreen />} />
          <Route path={paths.admin} element={<InventoryScreen />} />
          <Route path={paths.imageBackfill} element={<ImageBackfillScreen />} />
          <Route path={paths.adminSales} element={<SalesScreen />} />
          <Route path={paths.payoutRequests} element={<PayoutRequestsScreen />} />
          <Route path={paths.adminShipments} element={<AdminShipmentsScreen />} />
          <Route path={paths.pos} element={<PosScreen />} />
          <Route path={paths.endOfDay} element={<EndOfDayScreen />} />
          <Route path={paths.settings} element={<SettingsScreen />} />
          <Route path={paths.audit} element={<AuditScreen />} />
          <Route path={paths.reports} element={<ReportsScreen />} />
          <Route path={paths.security} element={<SecurityScreen />} />
          <Route path={paths.operations} element={<OperationsScreen />} />
          <Route path={paths.consignors} element={<ConsignorsScreen />} />
          <Route path={paths.migration} element={<MigrationScreen />} />
          <Route path={paths.fulfillment} element={<AdminFulfillmentScreen />} />
          <Route path={consignorHistoryPath(":uid")} element={<ConsignorHistoryScreen />} />
        </Route>
      </Route>
      <Route path="*" element={<Nowhere />} />
    </Routes>
  );
}
