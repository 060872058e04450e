// The calls that explain the books or report on them, for the test of who may make which call.
import type { Entry } from "#testing/access/identity-calls.ts";

export const bookCalls: Readonly<Record<string, Entry>> = {
  "GET /api/audit/explain/:uid": ["own", 400],
  "GET /api/audit/balance/:uid": ["own", 400],
  "GET /api/audit/history/:uid": ["own", 400],
  "GET /api/audit/compare/:uid": ["own", 400],
  "GET /api/audit/funding/:uid/:line": ["own", 400],
  "GET /api/audit/explain-total": ["admin", 400],
  "GET /api/audit/explain-account": ["admin", 400],
  "GET /api/reports/months": ["admin", 400],
  "GET /api/reports/consignors": ["admin", 400],
  "GET /api/reports/lines": ["admin", 400],
  "GET /api/reports/zero-changes": ["admin", 400],
  "GET /api/reports/file": ["admin", 400],
  "GET /api/audit/inventory/:uid": ["own", 400],
  "GET /api/audit/items/:id": ["private", 200],
  "GET /api/audit/items/:id/origin": ["private", 200],
  "GET /api/audit/payouts/:payoutID/funding": ["signed-in", 404],
  "GET /api/audit/sales/:saleID/paid-by": ["private", 200],
};
