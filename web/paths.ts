// Every address of the app in one place. Links and redirects use these.

export const paths = {
  home: "/",
  login: "/login",
  discordSuccess: "/discord-success",
  googleCallback: "/google-callback",
  resetPassword: "/reset-password",
  verifyEmail: "/verify-email",
  confirmEmailChange: "/confirm-email-change",
  verifyStatement: "/verify-statement",
  admin: "/admin",
  imageBackfill: "/admin/image-backfill",
  today: "/admin/today",
  adminSales: "/admin/sales",
  settings: "/admin/settings",
  operations: "/admin/operations",
  /** `?position=18204` opens one event, `?item=…`, `?person=…` and the like filter: the names are those of the call. */
  audit: "/admin/audit",
  reports: "/admin/reports",
  security: "/admin/security",
  /** The same for a consignor's own events. */
  ownAudit: "/audit",
  dashboard: "/dashboard",
  salesHistory: "/sales-history",
  payoutRequests: "/payout-requests",
  pos: "/pos",
  endOfDay: "/admin/end-of-day",
  consignors: "/consignors",
  migration: "/consignors/migration",
  adminShipments: "/admin-shipments",
  userShipments: "/user-shipments",
  marketplace: "/marketplace",
  myOffers: "/my-offers",
  myTrades: "/my-trades",
  fulfillment: "/admin-fulfillment",
  profile: "/profile",
} as const;

/** Where a person goes after signing in if no page was asked for. It sends everyone to their own start screen. */
export const afterSignIn = paths.login;

/** The screen that a person starts with: the dashboard, or Today for an admin who chose it in the profile. */
export function startPath({
  role,
  landsOn,
}: {
  readonly role: "user" | "admin";
  readonly landsOn: "dashboard" | "today";
}): string {
  return role === "admin" && landsOn === "today" ? paths.today : paths.dashboard;
}

/** The dashboard with the dialog for a backup password. */
export const setupPasswordPath = `${paths.dashboard}?setupPassword=true`;

/** One person, open next to the list of people; for admins. */
export function consignorPath(uid: string): string {
  return `${paths.consignors}?consignor=${uid}`;
}

/** One person's whole history, for admins. */
export function consignorHistoryPath(uid: string): string {
  return `${paths.consignors}/${uid}/history`;
}

/** The inventory, filtered by one person, where each item can be sold. */
export function consignorInventoryPath(uid: string): string {
  return `${paths.admin}?consignor=${uid}`;
}

/** A screen that begins with one of its actions: see `useArrivalAct`. */
export function actPath(path: string, act: string): string {
  return `${path}?act=${act}`;
}

/** The form for a new item with this barcode. */
export function takeInPath(code: string): string {
  return `${actPath(paths.admin, "add-consignor")}&code=${encodeURIComponent(code)}`;
}

/** A sale, open next to its list: one's own, or any one for admins. */
export function salePath(saleId: string, isOwn: boolean): string {
  return isOwn
    ? `${paths.salesHistory}?tab=sales&sale=${saleId}`
    : `${paths.adminSales}?sale=${saleId}`;
}

/** One of the person's own trades, open next to the list. */
export function tradePath(tradeId: string): string {
  return `${paths.myTrades}?trade=${tradeId}`;
}

/** A trade, open next to the fulfillment orders; for admins. */
export function orderPath(tradeId: string): string {
  return `${paths.fulfillment}?trade=${tradeId}`;
}

/** /login in a mode other than signing in. */
export function loginModePath(mode: "signup" | "reset"): string {
  return `${paths.login}?mode=${mode}`;
}

/** "/login?from=/sales-history%3Ftab%3Dpayouts" */
export function loginPath(from: string): string {
  return from === paths.home || from === paths.dashboard
    ? paths.login
    : `${paths.login}?from=${encodeURIComponent(from)}`;
}

/** The page that was asked for before signing in. Only our own pages count. */
export function returnPath(from: string | null): string {
  if (from === null || !URL.canParse(from, location.origin)) {
    return afterSignIn;
  }
  const url = new URL(from, location.origin);
  const isEntrance = url.pathname === paths.login || url.pathname === paths.home;
  // "/x/..//other.site" is another site once its dots are resolved.
  const isOwn = from.startsWith("/") && !url.pathname.startsWith("//");
  return url.origin === location.origin && isOwn && !isEntrance
    ? `${url.pathname}${url.search}${url.hash}`
    : afterSignIn;
}
