// The moments at which a test scans: every screen, and every dialog that a day at the desk opens, by the file that draws it.

/** A text for the field with this label. */
type Typed = { readonly field: string; readonly text: string };

/** Where somebody may be when a scan comes: a screen, or a dialog on it. */
export type ScanMoment = {
  readonly path: string;
  readonly whose?: "avery";
  /** Buttons, lines of menus and checkboxes, one after the other, and what is typed between them. */
  readonly press?: readonly (string | RegExp | Typed)[];
  /** The files in `web` whose dialogs are open then. */
  readonly opens?: readonly string[];
  /** Enter on the wrong button books something here, so the short run comes here too. */
  readonly inShort?: true;
};

const more = "More for Film camera";
const avery = "More for Avery Stone";
const itemForms = "features/inventory/";
const personForms = "features/consignors/";
const orderForms = "features/admin-fulfillment/";

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
  {
    path: "/admin",
    press: ["Add to Consignor: Oak stool"],
    opens: [`${itemForms}fill-form.tsx`],
  },
  {
    path: "/admin",
    press: ["Select Film camera", "Change prices"],
    opens: [`${itemForms}price-form.tsx`],
  },
  {
    path: "/admin",
    press: ["Select Film camera", "Set location"],
    opens: [`${itemForms}bulk-dialog.tsx`],
  },
  { path: "/admin", press: ["Film camera"], opens: [`${itemForms}item-drawer.tsx`] },
  { path: "/admin", press: ["Mass Input"], opens: ["shared/intake/mass-input-form.tsx"] },
  {
    path: "/admin",
    press: [
      "Mass Input",
      { field: "Consignor", text: "avery" },
      /^Avery Stone/u,
      { field: "Item name", text: "Box of shirts" },
      { field: "Barcodes, one per line", text: "SHIRT-1\nSHIRT-2\n" },
      "Review",
    ],
    inShort: true,
  },
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
  {
    path: "/admin/sales",
    press: ["Lamp LAMP-A", "Correct payment"],
    opens: ["features/sales/tender-form.tsx"],
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
    opens: ["shared/payout/pay-dialog.tsx"],
    inShort: true,
  },
  {
    path: "/payout-requests",
    press: [/^Delete Avery/u],
    opens: ["features/payout-requests/settle-dialogs.tsx"],
  },
  {
    path: "/payout-requests?status=paid",
    press: [/^Mark as returned/u],
    opens: ["shared/payout/return-dialog.tsx"],
  },
  { path: "/admin-shipments" },
  {
    path: "/admin-shipments",
    press: ["Processed"],
    opens: ["features/admin-shipments/process-dialog.tsx"],
  },
  {
    path: "/admin-shipments",
    press: ["Upload label for 5E0D0001"],
    opens: ["features/admin-shipments/label-upload-dialog.tsx"],
  },
  {
    path: "/admin-shipments",
    press: ["More for 5E0D0001", "Delete"],
    opens: ["shared/shipment/delete-shipment-dialog.tsx"],
  },
  {
    path: "/admin-shipments",
    press: ["More for 5E0D0002", "Assign sender"],
    opens: ["features/admin-shipments/assign-sender-form.tsx"],
  },
  { path: "/admin-fulfillment" },
  {
    path: "/admin-fulfillment",
    press: [/^Fulfill: Labeled lamp/u],
    opens: [`${orderForms}order-questions.tsx`],
  },
  {
    path: "/admin-fulfillment",
    press: [/^More for Accepted lamp/u, "Cancel order"],
    opens: [`${orderForms}cancel-dialogs.tsx`],
  },
  {
    path: "/admin-fulfillment?tab=fulfilled",
    press: [/^Refund: Arriving lamp/u],
    opens: [`${orderForms}refund-dialog.tsx`],
  },
  { path: "/marketplace" },
  {
    path: "/marketplace",
    press: ["Film camera"],
    opens: ["features/marketplace/request-drawer.tsx"],
  },
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
    opens: ["features/operations/reason-dialog.tsx"],
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
    path: "/dashboard",
    whose: "avery",
    press: [/^Change where it goes/u],
    opens: ["shared/payout/correct-handle-dialog.tsx"],
  },
  {
    path: "/dashboard",
    whose: "avery",
    press: [/^Withdraw/u],
    opens: ["shared/payout/withdraw-dialog.tsx"],
  },
  { path: "/dashboard?explain=available", whose: "avery" },
  { path: "/sales-history", whose: "avery" },
  {
    path: "/sales-history",
    whose: "avery",
    press: ["Statement"],
    opens: ["shared/history/statement-dialog.tsx"],
  },
  { path: "/user-shipments", whose: "avery" },
  { path: "/my-trades", whose: "avery" },
  {
    path: "/my-trades",
    whose: "avery",
    press: ["Raise price"],
    opens: ["features/my-trades/raise-dialog.tsx"],
  },
  {
    path: "/my-trades",
    whose: "avery",
    press: ["Upload label"],
    opens: ["shared/trade/label-dialog.tsx"],
  },
  {
    path: "/my-trades",
    whose: "avery",
    press: ["Change address"],
    opens: ["shared/trade/address-dialog.tsx"],
  },
  {
    path: "/my-trades",
    whose: "avery",
    press: ["Confirm arrival"],
    opens: ["features/my-trades/trade-questions.tsx"],
  },
  {
    path: "/my-trades",
    whose: "avery",
    press: ["More for Arriving lamp", "Report a problem"],
    opens: ["features/my-trades/report-dialog.tsx"],
  },
  { path: "/my-offers", whose: "avery" },
  {
    path: "/my-offers",
    whose: "avery",
    press: ["Accept offer: Offered lamp"],
    opens: ["shared/trade/offer-dialogs.tsx"],
  },
  { path: "/audit", whose: "avery" },
];
