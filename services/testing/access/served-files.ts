// Every call that answers a file or a stream, for the test of who may make which call.
import type { Everybody, Level } from "#testing/access/everybody.ts";

type FilePath = (store: Everybody) => string;

/**
 * Every call that answers a file or a stream, with a path under which there is one: who gets it, and the status of
 * everybody else who is signed in.
 */
export const servedFiles: Readonly<Record<string, readonly [Level, FilePath]>> = {
  "GET /api/live": ["signed-in", () => "/live"],
  "GET /api/auth/discord/client-id": ["open", () => "/auth/discord/client-id"],
  "GET /api/auth/all-users/export": ["admin", () => "/auth/all-users/export"],
  "GET /api/audit/events/export": ["signed-in", () => "/audit/events/export"],
  "GET /api/security/log/export": ["admin", () => "/security/log/export"],
  "GET /api/marketplace/items/export": ["signed-in", () => "/marketplace/items/export"],
  "GET /api/till/days/export": ["admin", () => "/till/days/export"],
  "GET /api/inventory/search/export": ["signed-in", () => "/inventory/search/export"],
  "GET /api/shipments/admin/export": ["admin", () => "/shipments/admin/export"],
  "GET /api/shipments/:userId/:shipmentId/label": [
    "own",
    (store) => `/shipments/${store.people.user.uid}/${store.things.shipment}/label`,
  ],
  "GET /api/sales/shipments/:id/export": [
    "own",
    (store) => `/sales/shipments/${store.people.user.uid}/export`,
  ],
  "GET /api/sales/ledger/:id/export": [
    "own",
    (store) => `/sales/ledger/${store.people.user.uid}/export`,
  ],
  "GET /api/sales/history/:id/export": [
    "own",
    (store) => `/sales/history/${store.people.user.uid}/export`,
  ],
  "GET /api/sales/payouts/:id/export": [
    "own",
    (store) => `/sales/payouts/${store.people.user.uid}/export`,
  ],
  "GET /api/sales/export": ["admin", () => "/sales/export"],
  "GET /api/payouts/pending/export": ["admin", () => "/payouts/pending/export"],
  "GET /api/payouts/settled/export": ["admin", () => "/payouts/settled/export"],
  "GET /api/accounts/:id/statement": [
    "own",
    (store) =>
      `/accounts/${store.people.user.uid}/statement?from=2026-11-01&to=2026-11-21&format=csv`,
  ],
  "GET /api/reports/file": [
    "admin",
    () => "/reports/file?from=2026-01-01&to=2026-12-31&view=months&format=csv",
  ],
  "GET /api/accounts/:id/years/:year": [
    "own",
    (store) => `/accounts/${store.people.user.uid}/years/2026?format=csv`,
  ],
  "GET /api/sales-tax/report": ["admin", () => "/sales-tax/report?format=csv"],
  "GET /api/statements/years/:year": ["admin", () => "/statements/years/2026?format=csv"],
  "GET /api/trades/my-trades/export": ["signed-in", () => "/trades/my-trades/export"],
  "GET /api/trades/offers/my-offers/export": ["signed-in", () => "/trades/offers/my-offers/export"],
  "GET /api/trades/fulfillments/export": ["admin", () => "/trades/fulfillments/export"],
  "GET /api/trades/:id/label": ["private", (store) => `/trades/${store.things.trade}/label`],
  "GET /api/images/:id": ["open", (store) => `/images/${store.things.image}`],
  "GET /api/images/:id/thumbnail": ["open", (store) => `/images/${store.things.image}/thumbnail`],
  "GET /api/settings/logo/:id": ["open", (store) => `/settings/logo/${store.things.logo}`],
};
