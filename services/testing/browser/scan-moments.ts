// The moments at which a test scans: every screen, and every dialog that a day at the desk opens, by the file that draws it.

/** Where somebody may be when a scan comes: a screen, or a dialog on it. */
export type ScanMoment = {
  readonly path: string;
  readonly whose?: "avery";
  /** Buttons and lines of menus, one after the other. */
  readonly press?: readonly (string | RegExp)[];
  /** The files in `web` whose dialogs are open then. */
  readonly opens?: readonly string[];
  /** Enter on the wrong button books something here, so the short run comes here too. */
  readonly inShort?: true;
};

const more = "More for Film camera";
const avery = "More for Avery Stone";
const itemForms = "features/inventory/";
const personForms = "features/consignors/";

export const scanMoments: readonly ScanMoment[] = [
  { path: "/admin" },
  {
    path: "/admin",
    press: ["Sold: Film camera"],
    opens: ["shared/sale/sale-form.tsx"],
    inShort: true,
  },
  { path: "/admin", press: [more] },
  { path: "/admin", press: [more, "Edit"], opens: [`${itemForms}edit-item-form.tsx`] },
  { path: "/admin", press: [more, "Print labels"], opens: [`${itemForms}label-dialog.tsx`] },
  { path: "/admin", press: [more, "Remove units"], opens: [`${itemForms}removal-form.tsx`] },
  { path: "/admin", press: ["Film camera"], opens: [`${itemForms}item-drawer.tsx`] },
  { path: "/admin", press: ["Mass Input"], opens: ["shared/intake/mass-input-form.tsx"] },
  { path: "/admin", press: ["Add to Master Inventory"], opens: [`${itemForms}add-item-form.tsx`] },
  { path: "/admin", press: ["Add to Consignor Inventory"] },
  { path: "/admin", press: ["More", "Import CSV"], opens: [`${itemForms}import-dialog.tsx`] },
  {
    path: "/admin",
    press: ["More", "Record a custom sale"],
    opens: ["shared/sale/custom-sale-form.tsx"],
  },
  { path: "/admin", press: ["Find anything"] },
  {
    path: "/admin",
    press: [/^Notifications/u],
    opens: ["shared/notifications/notifications-drawer.tsx"],
  },
  { path: "/admin/today" },
  { path: "/admin/image-backfill" },
  { path: "/admin/sales" },
  { path: "/admin/sales", press: ["Custom sale"] },
  {
    path: "/admin/sales",
    press: ["Film camera", "Edit sale"],
    opens: ["features/sales/sale-drawer.tsx", "features/sales/correct-sale-form.tsx"],
  },
  {
    path: "/admin/sales",
    press: ["Film camera", "Refund sale"],
    opens: ["features/sales/refund-form.tsx"],
    inShort: true,
  },
  { path: "/consignors" },
  { path: "/consignors", press: [avery] },
  {
    path: "/consignors",
    press: [avery, "Adjust balance"],
    opens: [`${personForms}adjust-balance-form.tsx`],
  },
  {
    path: "/consignors",
    press: [avery, "Migrate inventory"],
    opens: [`${personForms}migrate-user-dialog.tsx`],
  },
  {
    path: "/consignors",
    press: [avery, "Reset second factor"],
    opens: [`${personForms}reset-factors-dialog.tsx`],
  },
  {
    path: "/consignors",
    press: [avery, "Delete"],
    opens: [`${personForms}delete-user-dialog.tsx`],
  },
  { path: "/consignors", press: ["Invite consignor"], opens: [`${personForms}invite-form.tsx`] },
  {
    path: "/consignors",
    press: ["Avery Stone"],
    opens: [`${personForms}consignor-drawer.tsx`],
  },
  {
    path: "/consignors",
    press: ["Avery Stone", "Change the consignor share"],
    opens: [`${personForms}agree-share-form.tsx`],
  },
  { path: "/consignors/migration" },
  { path: "/payout-requests" },
  {
    path: "/payout-requests",
    press: [/^Mark as paid/u],
    opens: ["features/payout-requests/settle-dialogs.tsx"],
    inShort: true,
  },
  { path: "/payout-requests", press: [/^Delete Avery/u] },
  { path: "/admin-shipments" },
  { path: "/admin-fulfillment" },
  { path: "/marketplace" },
  { path: "/pos" },
  { path: "/admin/end-of-day" },
  {
    path: "/admin/end-of-day",
    press: ["Count the drawer"],
    opens: ["features/end-of-day/count-form.tsx"],
  },
  { path: "/admin/audit" },
  { path: "/admin/security" },
  { path: "/admin/reports" },
  {
    path: "/admin/reports?tab=tax",
    press: ["Record remittance"],
    opens: ["features/reports/remit-form.tsx"],
  },
  { path: "/admin/operations" },
  {
    path: "/admin/operations",
    press: ["balances"],
    opens: ["features/operations/projection-drawer.tsx"],
  },
  {
    path: "/admin/operations",
    press: ["balances", "Rebuild"],
    opens: ["features/operations/why-dialog.tsx"],
  },
  { path: "/admin/settings" },
  {
    path: "/admin/settings",
    press: ["Edit details"],
    opens: ["features/settings/details-form.tsx"],
  },
  { path: "/admin/settings", press: ["Edit rates"], opens: ["features/settings/rates-form.tsx"] },
  {
    path: "/admin/settings",
    press: ["Edit time zone"],
    opens: ["features/settings/time-zone-form.tsx"],
  },
  { path: "/profile" },
  {
    path: "/profile",
    press: ["Change password"],
    opens: ["shared/factor/change-password-dialog.tsx"],
  },
  {
    path: "/profile",
    press: ["Add an authenticator app"],
    opens: ["shared/factor/add-totp-dialog.tsx"],
  },
  { path: "/dashboard", whose: "avery" },
  {
    path: "/dashboard",
    whose: "avery",
    press: ["Request payout"],
    opens: ["features/dashboard/request-payout-dialog.tsx"],
    inShort: true,
  },
  {
    path: "/dashboard",
    whose: "avery",
    press: ["Submit Shipment"],
    opens: ["shared/shipment/shipment-form.tsx"],
  },
  {
    path: "/dashboard?explain=available",
    whose: "avery",
  },
  { path: "/sales-history", whose: "avery" },
  {
    path: "/sales-history",
    whose: "avery",
    press: ["Statement"],
    opens: ["shared/history/statement-dialog.tsx"],
  },
  { path: "/user-shipments", whose: "avery" },
  { path: "/my-trades", whose: "avery" },
  { path: "/my-offers", whose: "avery" },
  { path: "/audit", whose: "avery" },
];

const TRADES = "needs a trade in one of its states; the same frames as the dialogs above";
const SHIPMENTS = "needs a shipment; the same frames as the dialogs above";
const STATE = "needs a state that this store is not in; the same frames as the dialogs above";
const ACCOUNT = "is about a sign-in, where no money and no stock can be booked";

/** Dialogs at which no test scans, and why. */
export const notScanned: Readonly<Record<string, string>> = {
  "features/admin-fulfillment/cancel-dialogs.tsx": TRADES,
  "features/admin-fulfillment/order-questions.tsx": TRADES,
  "features/admin-fulfillment/refund-dialog.tsx": TRADES,
  "features/marketplace/request-drawer.tsx": TRADES,
  "features/my-trades/raise-dialog.tsx": TRADES,
  "features/my-trades/report-dialog.tsx": TRADES,
  "features/my-trades/trade-questions.tsx": TRADES,
  "shared/trade/address-dialog.tsx": TRADES,
  "shared/trade/label-dialog.tsx": TRADES,
  "shared/trade/offer-dialogs.tsx": TRADES,
  "shared/trade/trade-drawer.tsx": TRADES,
  "features/admin-shipments/assign-sender-form.tsx": SHIPMENTS,
  "features/admin-shipments/label-upload-dialog.tsx": SHIPMENTS,
  "features/admin-shipments/process-dialog.tsx": SHIPMENTS,
  "shared/shipment/delete-shipment-dialog.tsx": SHIPMENTS,
  "shared/shipment/shipment-drawer.tsx": SHIPMENTS,
  "features/audit/audit-drawer.tsx": "shows one event and has nothing to press but links",
  "features/end-of-day/end-of-day-screen.tsx": "shows one count and has nothing to press",
  "features/end-of-day/refunds-drawer.tsx": "shows refunds and has nothing to press but links",
  "features/reports/late-drawer.tsx": "shows late entries and has nothing to press but links",
  "shared/explain/explain-drawer.tsx": "shows lines and has nothing to press but links",
  "shared/history/line-drawer.tsx": "shows one line and has nothing to press but links",
  "shared/history/sale-drawer.tsx": "shows one sale and has nothing to press but links",
  "shell/desk/key-list.tsx": "shows the keys and has nothing to press",
  "features/inventory/visits-dialog.tsx": "shows visits and has nothing to press",
  "features/consignors/assign-legacy-form.tsx": STATE,
  "features/consignors/drawer-sign-in.tsx": ACCOUNT,
  "features/consignors/edit-user-form.tsx": ACCOUNT,
  "features/consignors/migration-screen.tsx": STATE,
  "features/dashboard/payouts-held.tsx": STATE,
  "features/inventory/bulk-dialog.tsx": "opens for chosen rows; the same frame as price-form.tsx",
  "features/inventory/fill-form.tsx": "the form of one item; the same frame as edit-item-form.tsx",
  "features/inventory/price-form.tsx":
    "opens for chosen rows; its frame is that of edit-item-form.tsx",
  "features/pos/exempt-dialog.tsx":
    "the till has scans of its own in scans-at-till.browser.test.ts",
  "features/pos/settle-dialog.tsx":
    "the till has scans of its own in scans-at-till.browser.test.ts",
  "features/profile/sessions-section.tsx": ACCOUNT,
  "features/reports/close-month-dialog.tsx": STATE,
  "features/reports/remittance-list.tsx": STATE,
  "features/sales/certificate-form.tsx": STATE,
  "features/sales/tender-form.tsx": STATE,
  "shared/account/backup-password-dialog.tsx": ACCOUNT,
  "shared/account/confirm-identity-dialog.tsx": ACCOUNT,
  "shared/account/proof-dialog.tsx": ACCOUNT,
  "shared/account/second-step-dialog.tsx": ACCOUNT,
  "shared/account/username-dialog.tsx": ACCOUNT,
  "shared/factor/add-passkey-dialog.tsx": ACCOUNT,
  "shared/factor/factor-part.tsx": ACCOUNT,
  "shared/factor/recovery-codes-dialog.tsx": ACCOUNT,
  "shared/holds/lift-hold-dialog.tsx": STATE,
  "shared/payout/pay-code.tsx": "shows a code to scan with a phone",
  "shared/payout/pay-dialog.tsx": STATE,
  "shared/payout/return-dialog.tsx": STATE,
  "shared/receipt/email-receipt-dialog.tsx": "sends a receipt, which books nothing",
  "shared/restore/restore-banner.tsx": STATE,
  "shared/scan/camera-dialog.tsx": "needs a camera; what it reads is in camera.test.ts",
};
