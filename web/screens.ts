// Every screen by its address. A screen's script is loaded when it is first shown, or when it is about to be needed.
import type { ComponentType } from "react";
import { paths } from "./paths.ts";
import { onDemand } from "./ui/on-demand.tsx";

function screen(load: () => Promise<ComponentType>) {
  return onDemand(load, { ifMissing: "throw" });
}

export const LoginScreen = screen(() =>
  import("./features/login/login-screen.tsx").then((file) => file.LoginScreen),
);
export const HomeScreen = screen(() =>
  import("./features/home/home-screen.tsx").then((file) => file.HomeScreen),
);
export const DiscordSuccessScreen = screen(() =>
  import("./features/discord-success/discord-success-screen.tsx").then(
    (file) => file.DiscordSuccessScreen,
  ),
);
/** At any address, for an admin who has to set up a second factor first. */
export const FactorSetupScreen = screen(() =>
  import("./features/factor-setup/factor-setup-screen.tsx").then((file) => file.FactorSetupScreen),
);
export const GoogleCallbackScreen = screen(() =>
  import("./features/google-callback/google-callback-screen.tsx").then(
    (file) => file.GoogleCallbackScreen,
  ),
);
export const ResetPasswordScreen = screen(() =>
  import("./features/reset-password/reset-password-screen.tsx").then(
    (file) => file.ResetPasswordScreen,
  ),
);
export const VerifyEmailScreen = screen(() =>
  import("./features/verify-email/verify-email-screen.tsx").then((file) => file.VerifyEmailScreen),
);
export const ConfirmEmailChangeScreen = screen(() =>
  import("./features/confirm-email-change/confirm-email-change-screen.tsx").then(
    (file) => file.ConfirmEmailChangeScreen,
  ),
);
export const VerifyStatementScreen = screen(() =>
  import("./features/verify-statement/verify-statement-screen.tsx").then(
    (file) => file.VerifyStatementScreen,
  ),
);
export const DashboardScreen = screen(() =>
  import("./features/dashboard/dashboard-screen.tsx").then((file) => file.DashboardScreen),
);
export const SalesHistoryScreen = screen(() =>
  import("./features/sales-history/sales-history-screen.tsx").then(
    (file) => file.SalesHistoryScreen,
  ),
);
export const TodayScreen = screen(() =>
  import("./features/today/today-screen.tsx").then((file) => file.TodayScreen),
);
export const InventoryScreen = screen(() =>
  import("./features/inventory/inventory-screen.tsx").then((file) => file.InventoryScreen),
);
export const SalesScreen = screen(() =>
  import("#web/features/sales/sales-screen.tsx").then((file) => file.SalesScreen),
);
export const PayoutRequestsScreen = screen(() =>
  import("./features/payout-requests/payout-requests-screen.tsx").then(
    (file) => file.PayoutRequestsScreen,
  ),
);
export const ProfileScreen = screen(() =>
  import("./features/profile/profile-screen.tsx").then((file) => file.ProfileScreen),
);
export const ConsignorsScreen = screen(() =>
  import("./features/consignors/consignors-screen.tsx").then((file) => file.ConsignorsScreen),
);
export const ConsignorHistoryScreen = screen(() =>
  import("./features/consignors/consignor-history-screen.tsx").then(
    (file) => file.ConsignorHistoryScreen,
  ),
);
export const AdminShipmentsScreen = screen(() =>
  import("./features/admin-shipments/admin-shipments-screen.tsx").then(
    (file) => file.AdminShipmentsScreen,
  ),
);
export const UserShipmentsScreen = screen(() =>
  import("./features/user-shipments/user-shipments-screen.tsx").then(
    (file) => file.UserShipmentsScreen,
  ),
);
export const MigrationScreen = screen(() =>
  import("./features/consignors/migration-screen.tsx").then((file) => file.MigrationScreen),
);
export const ImageBackfillScreen = screen(() =>
  import("./features/image-backfill/image-backfill-screen.tsx").then(
    (file) => file.ImageBackfillScreen,
  ),
);
export const SettingsScreen = screen(() =>
  import("./features/settings/settings-screen.tsx").then((file) => file.SettingsScreen),
);
export const OperationsScreen = screen(() =>
  import("./features/operations/operations-screen.tsx").then((file) => file.OperationsScreen),
);
export const EndOfDayScreen = screen(() =>
  import("./features/end-of-day/end-of-day-screen.tsx").then((file) => file.EndOfDayScreen),
);
export const PosScreen = screen(() =>
  import("./features/pos/pos-screen.tsx").then((file) => file.PosScreen),
);
export const MarketplaceScreen = screen(() =>
  import("./features/marketplace/marketplace-screen.tsx").then((file) => file.MarketplaceScreen),
);
export const MyOffersScreen = screen(() =>
  import("./features/my-offers/my-offers-screen.tsx").then((file) => file.MyOffersScreen),
);
export const MyTradesScreen = screen(() =>
  import("./features/my-trades/my-trades-screen.tsx").then((file) => file.MyTradesScreen),
);
export const AdminFulfillmentScreen = screen(() =>
  import("./features/admin-fulfillment/admin-fulfillment-screen.tsx").then(
    (file) => file.AdminFulfillmentScreen,
  ),
);

export const AuditScreen = screen(() =>
  import("./features/audit/audit-screen.tsx").then((file) => file.AuditScreen),
);

export const SecurityScreen = screen(() =>
  import("./features/security/security-screen.tsx").then((file) => file.SecurityScreen),
);

export const ReportsScreen = screen(() =>
  import("./features/reports/reports-screen.tsx").then((file) => file.ReportsScreen),
);

const screenAt: Readonly<
  Record<string, { readonly preload: () => void; readonly settled: () => Promise<void> }>
> = {
  [paths.home]: HomeScreen,
  [paths.login]: LoginScreen,
  [paths.discordSuccess]: DiscordSuccessScreen,
  [paths.googleCallback]: GoogleCallbackScreen,
  [paths.resetPassword]: ResetPasswordScreen,
  [paths.verifyEmail]: VerifyEmailScreen,
  [paths.confirmEmailChange]: ConfirmEmailChangeScreen,
  [paths.verifyStatement]: VerifyStatementScreen,
  [paths.dashboard]: DashboardScreen,
  [paths.salesHistory]: SalesHistoryScreen,
  [paths.today]: TodayScreen,
  [paths.admin]: InventoryScreen,
  [paths.adminSales]: SalesScreen,
  [paths.payoutRequests]: PayoutRequestsScreen,
  [paths.profile]: ProfileScreen,
  [paths.consignors]: ConsignorsScreen,
  [paths.adminShipments]: AdminShipmentsScreen,
  [paths.userShipments]: UserShipmentsScreen,
  [paths.migration]: MigrationScreen,
  [paths.imageBackfill]: ImageBackfillScreen,
  [paths.settings]: SettingsScreen,
  [paths.operations]: OperationsScreen,
  [paths.pos]: PosScreen,
  [paths.endOfDay]: EndOfDayScreen,
  [paths.marketplace]: MarketplaceScreen,
  [paths.myOffers]: MyOffersScreen,
  [paths.myTrades]: MyTradesScreen,
  [paths.fulfillment]: AdminFulfillmentScreen,
  [paths.audit]: AuditScreen,
  [paths.ownAudit]: AuditScreen,
  [paths.reports]: ReportsScreen,
  [paths.security]: SecurityScreen,
};

/** Loads the script of the screen at this address, if it has its own. */
function preloadScreen(path: string): void {
  // Some browsers remember a failed import until a reload, so nothing is loaded that must fail.
  if (navigator.onLine) {
    screenAt[path]?.preload();
  }
}

function preloadBehindLink({ target }: Event): void {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (link !== null && link.origin === location.origin) {
    preloadScreen(link.pathname);
  }
}

/**
 * Loads screens early: the one at the current address, in parallel with the session; the dashboard, once the login
 * screen is shown; and the target of any link that the person points at. Resolves when the first one is here or failed.
 */
export async function preloadScreens(): Promise<void> {
  preloadScreen(location.pathname);
  const here = navigator.onLine ? screenAt[location.pathname] : undefined;
  if (location.pathname === paths.login) {
    addEventListener("load", () => preloadScreen(paths.dashboard), { once: true });
  }
  for (const approach of ["pointerover", "touchstart", "focusin"]) {
    document.addEventListener(approach, preloadBehindLink, { passive: true });
  }
  await here?.settled();
}
