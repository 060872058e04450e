// Today over HTTP: each number agrees with its list, both from the same books.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TodayResponse } from "#features/today/contract.ts";
import { todayResponse } from "#features/today/contract.ts";
import { countStock } from "#features/today/queries.ts";
import { addItem } from "#features/inventory/decider.ts";
import { detailsOf } from "#testing/shop/stock-room.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import { TEST_NOW } from "#testing/service/test-app.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { offerPath, openTradeShop, tradeIdIn } from "#testing/shop/trade-shop.ts";

let desk: TradeShop;
let today: TodayResponse;
/** Before anything came in. */
let atFirst: TodayResponse;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const call = (method: string, path: string, as: TestPerson, body?: object) =>
  desk.shop.call(method, `/api${path}`, { as, ...(body === undefined ? {} : { body }) });

async function done(method: string, path: string, as: TestPerson, body?: object): Promise<object> {
  const answer = await call(method, path, as, body);
  expect({ path, answer }).toMatchObject({ answer: { status: 200 } });
  return Object(answer.body);
}

async function readToday(): Promise<TodayResponse> {
  return todayResponse.parse(await done("GET", "/today", desk.admin));
}

/** Every kind of thing that waits, in different numbers, and things of the same kinds that do not wait. */
async function fillStore(): Promise<void> {
  const { admin } = desk;
  const ship = async (person: TestPerson, body: object, ...marks: readonly object[]) => {
    const made = await done("POST", `/shipments/${person.uid}`, person, body);
    for (const mark of marks) {
      const id = String(Reflect.get(made, "shipmentId") ?? Reflect.get(made, "id"));
      await done("PATCH", `/shipments/admin/${id}/status`, admin, mark);
    }
  };
  // Orders: one waits for its label, one is ready, one was fulfilled and is reported.
  await desk.accepted();
  const ready = await desk.accepted();
  await desk.upload(admin, ready.tradeId);
  const lost = await desk.accepted();
  await desk.upload(admin, lost.tradeId);
  await done("POST", `/trades/${lost.tradeId}/fulfill`, admin, {});
  await done("POST", `/trades/${lost.tradeId}/report`, lost.buyer, { kind: "lost" });
  // Payouts: two wait, one is paid.
  const rich = await desk.buyerWith(30_000);
  const request = { amount: 12.5, method: "venmo", paymentUsername: "@zoe-quill" };
  const paid = await done("POST", `/payouts/${rich.uid}/request`, rich, request);
  await done("PATCH", `/payouts/${rich.uid}/${String(Reflect.get(paid, "payoutId"))}/paid`, admin);
  await done("POST", `/payouts/${rich.uid}/request`, rich, request);
  await done("POST", `/payouts/${rich.uid}/request`, rich, { ...request, amount: 10 });
  await desk.buyerWith(-1_250);
  await desk.buyerWith(-50);
  // Shipments: two on their way, one waits for its label; two arrived; one is done.
  const number = { carrier: "UPS", trackingNumber: "1Z999AA10123456784" };
  const delivered = { delivered: "yes" };
  await ship(rich, number);
  await ship(rich, number);
  await ship(rich, { needsLabel: true });
  await ship(rich, number, delivered);
  await ship(rich, number, delivered);
  await ship(rich, number, delivered, { processed: "yes", receivedUnits: 1, refusedUnits: 0 });
  // Items: three are sold out.
  for (const barcode of ["GONE-1", "GONE-2", "GONE-3"]) {
    const seller = await desk.sellerWith(barcode, 1);
    await done("POST", "/sales/record", admin, {
      consignorID: seller.uid,
      itemUID: seller.itemId,
      quantitySold: 1,
      salePrice: 20,
      soldAt: "2026-10-01T12:00:00Z",
    });
  }
  // Two items do not sell.
  for (const days of [100, 130]) {
    const details = detailsOf(`OLD-${days}`, { itemName: "Vase" });
    const item = { itemId: desk.shop.deps.newId(), ownerUid: null, details, quantity: 1 };
    const happenedAt = new Date(TEST_NOW.getTime() - days * DAY_MS).toISOString();
    const under = { actor: admin.uid, scope: "store", key: `old-${days}`, requestHash: "00" };
    const source = "manual" as const;
    await desk.shop.deps.ledger.execute(addItem, { ...item, source, happenedAt }, under);
  }
  // What an admin enters on the own account, and what somebody else enters there.
  const other = await desk.shop.person("Other-admin", "admin");
  const itemId = desk.shop.deps.newId();
  await desk.shop.deps.ledger.execute(
    addItem,
    {
      itemId,
      ownerUid: admin.uid,
      details: detailsOf("OWN-1", { itemName: "Own rug" }),
      quantity: 9,
      source: "manual",
      happenedAt: TEST_NOW.toISOString(),
    },
    { actor: admin.uid, scope: "store", key: "own-rug", requestHash: "00" },
  );
  const own = { consignorID: admin.uid, itemUID: itemId, quantitySold: 1, salePrice: 20 };
  // At the usual share, typed or not; all of it; and all of it by somebody else.
  await done("POST", "/sales/record", admin, own);
  await done("POST", "/sales/record", admin, { ...own, consignorPercentage: 50 });
  await done("POST", "/sales/record", admin, { ...own, consignorPercentage: 100 });
  await done("POST", "/sales/record", other, { ...own, consignorPercentage: 100 });
  await done("PUT", `/sales/balance/${admin.uid}`, admin, { balance: 40, reason: "Found cash" });
  await done("POST", "/sales/custom", other, {
    consignorID: other.uid,
    itemName: "Rug",
    amount: 7,
  });
  await done("POST", "/sales/custom", other, {
    consignorID: admin.uid,
    itemName: "Vase",
    amount: 3,
  });
  await takeMore(own);
}

/** What else an admin can take: units of the store, the store's money for a trade, and a share that is raised for one sale. */
async function takeMore(own: object): Promise<void> {
  const { admin } = desk;
  const masterItemID = desk.shop.deps.newId();
  const details = detailsOf("STORE-1", { itemName: "Store's rug" });
  const added = { itemId: masterItemID, ownerUid: null, details, quantity: 5 };
  const under = { actor: admin.uid, scope: "store", key: "store-rug", requestHash: "00" };
  const happenedAt = TEST_NOW.toISOString();
  await desk.shop.deps.ledger.execute(addItem, { ...added, source: "manual", happenedAt }, under);
  const allocated = { masterItemID, consignorID: admin.uid, quantity: 2 };
  await done("POST", "/inventory/allocate", admin, allocated);
  const seller = await desk.sellerWith("TRADED-1", 2);
  const tradeId = tradeIdIn(await desk.request(admin, "TRADED-1"));
  await desk.post(seller, offerPath(tradeId, 1, "accept"));
  await desk.upload(admin, tradeId);
  await done("POST", `/trades/${tradeId}/fulfill`, admin, {});
  const refund = { units: 0, cents: 400, borneBy: "store", restock: false, reason: "Scratched" };
  await done("POST", `/trades/${tradeId}/refund`, admin, refund);
  const rates = {
    taxRateBasisPoints: 825,
    defaultConsignorPercentage: 50,
    tradeCommissionPercentage: 10,
    tradeShippingFee: 4,
  };
  await done("PUT", "/settings/rates", admin, { ...rates, defaultConsignorPercentage: 100 });
  await done("POST", "/sales/record", admin, own);
  await done("PUT", "/settings/rates", admin, rates);
}

/** Sales around the borders of the store's day and of the same day last week; the store is in Chicago, six hours behind. */
async function sellThings(): Promise<void> {
  const dayStart = new Date("2026-11-21T06:00:00.000Z").getTime();
  const weekAgo = dayStart - 7 * DAY_MS;
  const byNow = TEST_NOW.getTime() - 7 * DAY_MS;
  const seller = await desk.sellerWith("SOLD-1", 100);
  for (const [at, salePrice] of [
    [dayStart - 1, 1_000],
    [dayStart, 30],
    [dayStart + HOUR_MS, 12.34],
    [weekAgo - 1, 2_000],
    [weekAgo, 5],
    [byNow - 1, 6],
    [byNow, 7],
    [weekAgo + DAY_MS - 1, 8],
    [weekAgo + DAY_MS, 4_000],
  ] as const) {
    await done("POST", "/sales/record", desk.admin, {
      consignorID: seller.uid,
      itemUID: seller.itemId,
      quantitySold: 1,
      salePrice,
      soldAt: new Date(at).toISOString(),
    });
  }
}

beforeAll(async () => {
  desk = await openTradeShop();
  atFirst = await readToday();
  await fillStore();
  await sellThings();
  await desk.shop.runner.catchUp();
  today = await readToday();
});

afterAll(() => desk.close());

/** All rows of a list, page after page. */
async function rowsIn(path: string, name: string): Promise<number> {
  const body = await done("GET", path, desk.admin);
  const rows: unknown = Reflect.get(body, name);
  expect(Reflect.get(body, "nextCursor") ?? null).toBeNull();
  return Array.isArray(rows) ? rows.length : -1;
}

describe("each number is the length of the list that it opens", () => {
  const lists: readonly (readonly [string, (now: TodayResponse) => number, string, string])[] = [
    ["payouts to pay", (now) => now.toPay.count, "/payouts/pending", "payouts"],
    ["items to count", (now) => now.toCount.count, "/inventory/search?preset=zero-stock", "items"],
    [
      "items unsold for 60 days",
      (now) => now.unsold.find(({ days }) => days === 60)?.count ?? 0,
      "/inventory/search?unsoldDays=60",
      "items",
    ],
    [
      "items unsold for 90 days",
      (now) => now.unsold.find(({ days }) => days === 90)?.count ?? 0,
      "/inventory/search?unsoldDays=90",
      "items",
    ],
    [
      "items unsold for 120 days",
      (now) => now.unsold.find(({ days }) => days === 120)?.count ?? 0,
      "/inventory/search?unsoldDays=120",
      "items",
    ],
    [
      "negative balances",
      (now) => now.negative.count,
      "/auth/all-users?money=negative&status=all",
      "users",
    ],
    [
      "sales of today",
      (now) => now.sold.today.count,
      "/sales?from=2026-11-21T06:00:00Z&to=2026-11-22T06:00:00Z",
      "sales",
    ],
    [
      "sales of last week",
      (now) => now.sold.lastWeek.count,
      "/sales?from=2026-11-14T06:00:00Z&to=2026-11-15T06:00:00Z",
      "sales",
    ],
  ];

  it.each(lists)("%s", async (_name, numberIn, path, rows) => {
    const count = numberIn(today);
    expect(count).toBeGreaterThan(0);
    expect(await rowsIn(path, rows)).toBe(count);
  });

  it("orders to ship and reported problems", async () => {
    const { orders } = (await done("GET", "/trades/fulfillments/pending", desk.admin)) as {
      orders: readonly { status: string; report: unknown }[];
    };
    const open = orders.filter(({ status }) =>
      /^(?:awaiting_shipping|shipping_uploaded)$/u.test(status),
    );
    expect({ toShip: today.toShip.count, reported: today.reported.count }).toEqual({
      toShip: open.length,
      reported: orders.filter(({ report }) => report !== null).length,
    });
    expect([today.toShip.count, today.reported.count]).toEqual([2, 1]);
  });

  it("entries of admins on their own accounts, by the first one's position", async () => {
    const { count, fromPosition } = today.ownEntries;
    const path = `/audit/events?ownAccount=yes&fromPosition=${String(fromPosition)}`;
    expect(await rowsIn(path, "events")).toBe(count);
    const { events } = (await done("GET", path, desk.admin)) as {
      events: readonly { type: string }[];
    };
    const types = events.map(({ type }) => type);
    expect(types).toEqual([
      ...(["SaleRecorded", "TradeRefunded", "UnitsAllocated"] as const),
      ...(["CustomSaleRecorded", "BalanceSet", "SaleRecorded"] as const),
    ]);
    expect(await rowsIn(`${path}&type=SaleRecorded`, "events")).toBe(2);
    expect(await rowsIn(`${path}&person=${desk.admin.uid}`, "events")).toBe(5);
  });
});

it("sums what waits and what was sold in the store's days, after refunds", async () => {
  expect(today).toMatchObject({
    day: "2026-11-21",
    timeZone: "America/Chicago",
    toPay: { count: 2, amount: 22.5, oldest: TEST_NOW.toISOString() },
    arrived: { count: 2 },
    labels: { count: 1 },
    expected: { count: 2 },
    toCount: { count: 3, capped: false },
    unsold: [
      { days: 60, count: 2, capped: false },
      { days: 90, count: 2, capped: false },
      { days: 120, count: 1, capped: false },
    ],
    negative: { count: 2, amount: 13 },
    sold: {
      lastWeekByNow: { count: 2, amount: 11 },
      lastWeek: { count: 4, amount: 26 },
      lastWeekDay: "2026-11-14",
    },
    alerts: 0,
    holds: 0,
  });
  const { sales } = (await done("GET", "/sales?from=2026-11-21T06:00:00Z", desk.admin)) as {
    sales: readonly { saleID: string; salePrice: number }[];
  };
  const sum = sales.reduce((cents, { salePrice }) => cents + Math.round(salePrice * 100), 0);
  expect(Math.round(today.sold.today.amount * 100)).toBe(sum);
  const refunded = sales.find(({ salePrice }) => salePrice === 30)?.saleID ?? "";
  const refund = { quantity: 1, restock: true, reason: "Too small" };
  await done("POST", `/sales/${refunded}/refund`, desk.admin, refund);
  const { sold } = await readToday();
  expect(sold.today).toMatchObject({
    count: today.sold.today.count,
    amount: (sum - 3_000) / 100,
  });
});

it("says which first steps a new store has taken, until it has sold something", () => {
  const nothingYet = { named: false, consignors: false, goods: false };
  expect([atFirst.firstSteps, today.firstSteps]).toEqual([nothingYet, null]);
});

it("stops counting items at a cap, each of the numbers by itself", async () => {
  expect(await countStock(desk.shop.deps.searches, TEST_NOW, 1)).toEqual({
    toCount: { count: 1, capped: true },
    unsold: [
      { days: 60, count: 1, capped: true },
      { days: 90, count: 1, capped: true },
      { days: 120, count: 1, capped: false },
    ],
  });
});

it("forgets an entry on an own account after a week, and counts nothing of a week that has none", async () => {
  const { sql, ownerSql } = desk.shop.database;
  // The log's own clock is the machine's.
  await ownerSql`update log.events set recorded_at = ${new Date(TEST_NOW.getTime() - 8 * 86_400_000)}`;
  expect((await readToday()).ownEntries).toEqual({ count: 0, fromPosition: null });
  expect(await sql`select from log.events limit 1`).toHaveLength(1);
});
