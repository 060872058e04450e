// What the audit log says of a closed month: the totals that the admin confirmed, and the store's days.
import { expect, it } from "vitest";
import type { AuditEventResponse, AuditEventsResponse } from "#features/audit/contract.ts";
import { openSaleShop, saleIdOf, saleOf } from "#testing/shop/sale-shop.ts";

it("a closed month shows what the store keeps and owes, as it was confirmed, and its days", async () => {
  const books = await openSaleShop({ fixedTimeZone: null });
  const call = async (method: string, path: string, body?: unknown) => {
    const as = books.admin;
    const answer = await books.shop.call(method, path, {
      as,
      ...(body === undefined ? {} : { body }),
    });
    expect(answer.status).toBe(200);
    return answer.body;
  };
  try {
    await call("PUT", "/api/settings/time-zone", { timeZone: "America/Chicago" });
    const owner = await books.consignorWith(10_000);
    const sold = { soldAt: "2026-06-10T12:00:00Z", salesTax: 3.3 };
    const sale = await books.record(saleOf(owner, sold));
    await books.record(saleOf(owner, sold));
    await call("POST", "/api/months/close", { month: "2026-06" });
    // Nothing that happens later changes what was confirmed.
    await books.refund(saleIdOf(sale), { quantity: 1, restock: true, reason: "Back" });
    await books.shop.runner.catchUp();
    const list = await call("GET", "/api/audit/events?type=MonthClosed");
    const [line] = (list as AuditEventsResponse).events;
    const opened = await call("GET", `/api/audit/events/${line?.position}`);
    const { event } = opened as AuditEventResponse;
    expect(event.steps).toEqual([
      { label: "Own goods sold", amount: 0 },
      { label: "Consigned goods sold", amount: 80 },
      { label: "Refunds", amount: 0 },
      { label: "Corrections", amount: 0 },
      { label: "Shipping", amount: -10 },
      { label: "Consignors' share", amount: -35 },
      { label: "Store keeps", amount: 35 },
    ]);
    expect(event.notes).toEqual([
      "2 sales with a price",
      "Sales tax: collected $6.60, refunded $0.00",
      "Trades: commission $0.00, shipping fees $0.00",
      "Payouts: paid $0.00, returned $0.00",
      "Owed to consignors at the end: $35.00",
    ]);
    expect(event.streams.map(({ changes }) => changes)).toEqual([
      [
        { field: "Closed month 1: month", before: null, after: "June 2026" },
        { field: "Closed month 1: first day", before: null, after: "1 Jun 2026" },
        { field: "Closed month 1: last day", before: null, after: "30 Jun 2026" },
        { field: "Closed month 1: time zone", before: null, after: "America/Chicago" },
      ],
    ]);
  } finally {
    await books.close();
  }
});
