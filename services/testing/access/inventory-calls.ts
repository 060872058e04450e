// The calls of the inventory, for the test of who may make which call.
import type { Entry } from "#testing/access/identity-calls.ts";

export const inventoryCalls: Readonly<Record<string, Entry>> = {
  "POST /api/inventory/import/check": ["admin", 400],
  "POST /api/inventory/import": ["admin", 400],
  "POST /api/inventory/master": ["admin", 400],
  "PUT /api/inventory/master/:id": ["admin", 400],
  "DELETE /api/inventory/master/:id": ["admin", 404],
  "POST /api/inventory/master/:id/restore": ["admin", 404],
  "POST /api/inventory/master/sale": ["admin", 400],
  "POST /api/inventory/consignor": ["admin", 400],
  "PUT /api/inventory/consignor/:consignorId/:itemId": ["admin", 400],
  "DELETE /api/inventory/consignor/:consignorId/:itemId": ["admin", 404],
  "POST /api/inventory/consignor/:consignorId/:itemId/restore": ["admin", 404],
  "POST /api/inventory/consignor/mass-input": ["admin", 400],
  "POST /api/inventory/remove": ["admin", 400],
  "POST /api/inventory/prices": ["admin", 400],
  "POST /api/inventory/known": ["admin", 400],
  "POST /api/inventory/allocate": ["admin", 400],
  "POST /api/inventory/copy-to-consignor": ["admin", 400],
  "GET /api/inventory/search": ["signed-in", 200],
  "GET /api/inventory/search/count": ["signed-in", 200],
  "GET /api/inventory/search/export": ["signed-in", 200],
  "GET /api/inventory/items/:id": ["private", 200],
  "GET /api/inventory/items/:id/timeline": ["private", 200],
  "GET /api/inventory/catalogue": ["admin", 200],
  "GET /api/inventory/catalogue/changes": ["admin", 400],
};
