// Every screen by its address. A screen's script is loaded when it is first shown, or when it is about to be needed.
import type { ComponentType } from "react";
import { paths } from "./paths.ts";
import { onDemand } from "./ui/on-demand.tsx";

function screen(load: () => Promise<ComponentType>) {
  return onDemand(load, { ifMissing: "throw" });
}

export const LoginScreen = screen(
  async () => (await import("./features/login/login-screen.tsx")).LoginScreen,
);
export const DiscordSuccessScreen = screen(
  async () =>
    (await import("./features/discord-success/discord-success-screen.tsx")).DiscordSuccessScreen,
);
export const GoogleCallbackScreen = screen(
  async () =>
    (await import("./features/google-callback/google-callback-screen.tsx")).GoogleCallbackScreen,
);
export const ResetPasswordScreen = screen(
  async () =>
    (await import("./features/reset-password/reset-password-screen.tsx")).ResetPasswordScreen,
);
export const VerifyEmailScreen = screen(
  async () => (await import("./features/verify-email/verify-email-screen.tsx")).VerifyEmailScreen,
);
export const VerifyStatementScreen = screen(
  async () =>
    (await import("./features/verify-statement/verify-statement-screen.tsx")).VerifyStatementScreen,
);
export const DashboardScreen = screen(
  async () => (await import("./features/dashboard/dashboard-screen.tsx")).DashboardScreen,
);
export const SalesHistoryScreen = screen(
  async () =>
    (await import("./features/sales-history/sales-history-screen.tsx")).SalesHistoryScreen,
);
export const InventoryScreen = screen(
  async () => (await import("./features/inventory/inventory-screen.tsx")).InventoryScreen,
);
export const SalesScreen = screen(
  async () => (await import("#web/features/sales/sales-screen.tsx")).SalesScreen,
);
export const PayoutRequestsScreen = screen(
  async () =>
    (await import("./features/payout-requests/payout-requests-screen.tsx")).PayoutRequestsScreen,
);
export const ProfileScreen = screen(
  async () => (await import("./features/profile/profile-screen.tsx")).ProfileScreen,
);
export const ConsignorsScreen = screen(
  async () => (await import("./features/consignors/consignors-screen.tsx")).ConsignorsScreen,
);
export const ConsignorHistoryScreen = screen(
  async () =>
    (await import("./features/consignors/consignor-history-screen.tsx")).ConsignorHistoryScreen,
);
export const AdminShipmentsScreen = screen(
  async () =>
    (await import("./features/admin-shipments/admin-shipments-screen.tsx")).AdminShipmentsScreen,
);
export const UserShipmentsScreen = screen(
  async () =>
    (await import("./features/user-shipments/user-shipments-screen.tsx")).UserShipmentsScreen,
);
export const MigrationScreen = screen(
  async () => (await import("./features/consignors/migration-screen.tsx")).MigrationScreen,
);
export const SettingsScreen = screen(
  async () => (await import("./features/settings/settings-screen.tsx")).SettingsScreen,
);
export const OperationsScreen = screen(
  async () => (await import("./features/operations/operations-screen.tsx")).OperationsScreen,
);
export const PosScreen = screen(
  async () => (await import("./features/pos/pos-screen.tsx")).PosScreen,
);
export const MarketplaceScreen = screen(
  async () => (await import("./features/marketplace/marketplace-screen.tsx")).MarketplaceScreen,
);
export const MyOffersScreen = screen(
  async () => (await import("./features/my-offers/my-offers-screen.tsx")).MyOffersScreen,
);
export const MyTradesScreen = screen(
  async () => (await import("./features/my-trades/my-trades-screen.tsx")).MyTradesScreen,
);
export const AdminFulfillmentScreen = screen(
  async () =>
    (await import("./features/admin-fulfillment/admin-fulfillment-screen.tsx"))
      .AdminFulfillmentScreen,
);

export const AuditScreen = screen(
  async () => (await import("./features/audit/audit-screen.tsx")).AuditScreen,
);

const screenAt: Readonly<Record<string, { readonly preload: () => void }>> = {
  [paths.login]: LoginScreen,
  [paths.discordSuccess]: DiscordSuccessScreen,
  [paths.googleCallback]: GoogleCallbackScreen,
  [paths.resetPassword]: ResetPasswordScreen,
  [paths.verifyEmail]: VerifyEmailScreen,
  [paths.verifyStatement]: VerifyStatementScreen,
  [paths.dashboard]: DashboardScreen,
  [paths.salesHistory]: SalesHistoryScreen,
  [paths.admin]: InventoryScreen,
  [paths.adminSales]: SalesScreen,
  [paths.payoutRequests]: PayoutRequestsScreen,
  [paths.profile]: ProfileScreen,
  [paths.consignors]: ConsignorsScreen,
  [paths.adminShipments]: AdminShipmentsScreen,
  [paths.userShipments]: UserShipmentsScreen,
  [paths.migration]: MigrationScreen,
  [paths.settings]: SettingsScreen,
  [paths.operations]: OperationsScreen,
  [paths.pos]: PosScreen,
  [paths.marketplace]: MarketplaceScreen,
  [paths.myOffers]: MyOffersScreen,
  [paths.myTrades]: MyTradesScreen,
  [paths.fulfillment]: AdminFulfillmentScreen,
  [paths.audit]: AuditScreen,
  [paths.ownAudit]: AuditScreen,
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
 * screen is shown; and the target of any link that the person points at.
 */
export function preloadScreens(): void {
  preloadScreen(location.pathname);
  if (location.pathname === paths.login) {
    addEventListener("load", () => preloadScreen(paths.dashboard), { once: true });
  }
  for (const approach of ["pointerover", "touchstart", "focusin"]) {
    document.addEventListener(approach, preloadBehindLink, { passive: true });
  }
}
