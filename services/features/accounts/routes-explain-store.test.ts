// The store's own numbers, explained: totals by person, accounts by day, each as other screens and a fold by hand say.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  explainAccountResponse,
  explainTotalResponse,
  storeAccount,
} from "#features/accounts/contract-explain-store.ts";
import type { TotalNumber } from "#features/accounts/contract-explain-store.ts";
import { accountBlocksProjection, BLOCK_EVENTS } from "#features/accounts/projection-blocks.ts";
import { explainAccount } from "#features/accounts/queries-explain-account.ts";
import { auditEventsResponse } from "#features/audit/contract.ts";
import { userListResponse } from "#features/users/contract-people.ts";
import { pendingResponse } from "#features/payouts/contract.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { readRange } from "#ledger/log/read.ts";
import type { StoredEvent } from "#ledger/log/read.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import { changeOf, isoOf } from "#testing/shop/account-fold.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { openTradeShop } from "#testing/shop/trade-shop.ts";

import { events } from "../../features.ts";

let desk: TradeShop;
let stored: StoredEvent[];
let rich: TestPerson;

const call = (method: string, path: string, as: TestPerson, body?: object) =>
  desk.shop.call(method, `/api${path}`, { as, ...(body === undefined ? {} : { body }) });

beforeAll(async () => {
  desk = await openTradeShop();
  const { admin } = desk;
  const { seller, tradeId } = await desk.accepted();
  await desk.upload(admin, tradeId);
  await desk.post(admin, `${tradeId}/fulfill`, {});
  await desk.accepted();
  rich = await desk.buyerWith(30_000);
  await desk.buyerWith(-1_250);
  const sale = { consignorID: seller.uid, itemUID: seller.itemId, quantitySold: 1, salePrice: 30 };
  await call("POST", "/sales/record", admin, { ...sale, shippingCost: 4, consignorPercentage: 50 });
  for (const [method, paymentUsername] of [
    ["venmo", "@zoe-quill"],
    ["cashapp", "$zoequill"],
    ["venmo", "@zoe-quill"],
  ] as const) {
    const body = { amount: 10, method, paymentUsername };
    const made = await call("POST", `/payouts/${rich.uid}/request`, rich, body);
    const payoutId = String(Reflect.get(Object(made.body), "payoutId"));
    if (method === "cashapp") {
      await call("PATCH", `/payouts/${rich.uid}/${payoutId}/paid`, admin);
      await call("POST", `/payouts/${rich.uid}/request`, rich, { ...body, amount: 7 });
    }
  }
  // More events than fit into one block, so that some are summed already and the last ones are not.
  const books = rich.uid;
  for (let day = 0; day < BLOCK_EVENTS; day += 1) {
    await call("POST", "/sales/custom", admin, {
      consignorID: books,
      itemName: "Repair",
      amount: 1,
    });
  }
  await desk.shop.runner.catchUp();
  const { sql, ownerSql } = desk.shop.database;
  // Recorded over some weeks, around midnights of the store.
  await ownerSql`
    update log.events set recorded_at = '2026-10-20'::timestamptz + position * interval '100 minutes'`;
  stored = await readRange(sql, 0, Number.MAX_SAFE_INTEGER);
  await rebuildProjection(sql, accountBlocksProjection, { events });
});

afterAll(() => desk.close());

describe("a total", () => {
  const total = async (number: TotalNumber, more = "") =>
    explainTotalResponse.parse(
      (await call("GET", `/audit/explain-total?number=${number}${more}`, desk.admin)).body,
    );

  it("is the sum of what each person adds, as the tiles show it", async () => {
    const people = userListResponse.parse((await call("GET", "/auth/all-users", desk.admin)).body);
    const pending = pendingResponse.parse((await call("GET", "/payouts/pending", desk.admin)).body);
    const tiles: readonly (readonly [TotalNumber, number])[] = [
      ["owed", people.totals.owed],
      ["negative", people.totals.negative],
      ["pendingPayouts", people.totals.inTransit],
      ["heldForTrades", people.totals.heldForTrades],
      ["pendingPayouts", pending.totals.amount],
      ["pendingCashApp", pending.totals.cashapp],
      ["pendingVenmo", pending.totals.venmo],
    ];
    for (const [number, shown] of tiles) {
      const found = await total(number);
      expect({ number, isThere: shown > 0 }).toEqual({ number, isThere: true });
      expect(found).toMatchObject({ number, closing: shown, summed: shown, isBalanced: true });
      expect(found.lines).toHaveLength(found.lineCount);
      const sum = found.lines.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0);
      expect(sum / 100).toBe(shown);
    }
  });

  it("opens page by page, the largest first, and each line is explained further", async () => {
    const all = await total("owed");
    const [first] = all.lines;
    const page = await total("owed", "&limit=1");
    const next = await total("owed", `&limit=1&cursor=${page.nextCursor}`);
    expect([...page.lines, ...next.lines]).toEqual(all.lines.slice(0, 2));
    // Who was last on a page may owe less by the next one.
    const add = (cents: number) => desk.shop.database.sql`
      update read.account_history h set available_after_cents = available_after_cents + ${cents}
      where uid = ${first?.consignorID ?? ""}
        and line = (select max(line) from read.account_history o where o.uid = h.uid)`;
    const less = 1 - Math.round((first?.amount ?? 0) * 100);
    await add(less);
    const then = await total("owed", `&limit=1&cursor=${page.nextCursor}`);
    await add(-less);
    expect(then.lines).toEqual(next.lines);
    const further = await call(
      "GET",
      `/audit/explain/${first?.consignorID}?number=${first?.number}`,
      desk.admin,
    );
    expect(further.body).toMatchObject({ closing: first?.amount, isBalanced: true });
  });

  it("does not balance where a read table gained a cent", async () => {
    const { lines } = await total("owed");
    const account = `consignor:${lines[0]?.consignorID}:available`;
    const add = (cents: number) => desk.shop.database.sql`
      update read.balances set balance_cents = balance_cents + ${cents} where account = ${account}`;
    await add(1);
    expect(await total("owed")).toMatchObject({ isBalanced: false });
    await add(-1);
    expect(await total("owed")).toMatchObject({ isBalanced: true });
  });
});

describe("an account of the store", () => {
  const dayOf = ({ recordedAtMicros }: StoredEvent) =>
    new Intl.DateTimeFormat("en-CA", { timeZone: "America/Chicago" }).format(
      new Date(isoOf(recordedAtMicros)),
    );

  it.each(storeAccount.options)("%s is the sum of its days, by type of event", async (account) => {
    const [from, to] = ["2026-10-25", "2026-11-10"];
    const path = `/audit/explain-account?account=${account}&from=${from}&to=${to}`;
    const answer = await call("GET", path, desk.admin);
    const found = explainAccountResponse.parse(answer.body);
    const sumOf = (events: readonly StoredEvent[]) =>
      events.reduce((sum, event) => sum + changeOf(event, account), 0) / 100;
    const touching = stored.filter(({ postings }) =>
      postings.some((posting) => posting.from === account || posting.to === account),
    );
    const within = touching.filter((event) => dayOf(event) >= from && dayOf(event) <= to);
    expect(found).toMatchObject({
      account,
      timeZone: "America/Chicago",
      opening: sumOf(touching.filter((event) => dayOf(event) < from)),
      closing: sumOf(touching.filter((event) => dayOf(event) <= to)),
      isBalanced: true,
    });
    const byDay = Map.groupBy(within, dayOf);
    expect(found.days.map(({ day, amount }) => [day, amount])).toEqual(
      [...byDay].map(([day, own]) => [day, sumOf(own)]).reverse(),
    );
    for (const { day, groups } of found.days) {
      expect(groups.reduce((sum, { events }) => sum + events, 0)).toBe(byDay.get(day)?.length);
    }
  });

  it("opens exactly the events behind a number, each with what it moved in the account", async () => {
    const account = "world:customers";
    const path = `/audit/explain-account?account=${account}&from=2026-10-24&to=2026-10-30`;
    const { days } = explainAccountResponse.parse((await call("GET", path, desk.admin)).body);
    const numbers = days.flatMap(({ groups, ...day }) => groups.map((one) => ({ ...day, ...one })));
    expect(numbers.length).toBeGreaterThan(3);
    for (const { starts, ends, type, events, in: put, out } of numbers) {
      const link = `account=${account}&type=${type}&from=${starts}&to=${ends}&limit=200`;
      const listed = (await call("GET", `/audit/events?${link}`, desk.admin)).body;
      const found = auditEventsResponse.parse(listed).events;
      const cents = found.reduce((sum, { amount }) => sum + Math.round((amount ?? 0) * 100), 0);
      expect([type, found.length, cents]).toEqual([type, events, Math.round((put - out) * 100)]);
    }
    const all = await call("GET", "/audit/events?account=store:shipping", desk.admin);
    const touching = stored.filter(({ postings }) =>
      postings.some(({ from, to }) => [from, to].includes("store:shipping")),
    );
    expect(auditEventsResponse.parse(all.body).events.map(({ position }) => position)).toEqual(
      touching.map(({ position }) => position).reverse(),
    );
    const foreign = await call("GET", "/audit/events?account=store:shipping", rich);
    expect(foreign.status).toBe(403);
  });

  it("is what was known at any position of the log, between two blocks and inside of one", async () => {
    const account = "world:customers";
    const ask = (freshTo: number) =>
      explainAccount(
        desk.shop.deps,
        { account, from: "2026-10-25", to: "2026-11-30" },
        { timeZone: "America/Chicago", now: new Date(), freshTo },
      );
    const known = (freshTo: number) => stored.filter(({ position }) => position <= freshTo);
    for (const freshTo of [
      1,
      40,
      BLOCK_EVENTS - 1,
      BLOCK_EVENTS,
      BLOCK_EVENTS + 1,
      stored.length,
    ]) {
      const sum =
        known(freshTo).reduce((cents, event) => cents + changeOf(event, account), 0) / 100;
      expect(await ask(freshTo)).toMatchObject({ closing: sum, summed: sum, isBalanced: true });
    }
  });

  it("does not balance where a block gained a cent", async () => {
    const path = "/audit/explain-account?account=world:customers&from=2026-10-25&to=2026-11-10";
    const add = (cents: number) => desk.shop.database.sql`
      update read.account_blocks set in_cents = in_cents + ${cents}
      where account = 'world:customers' and type = 'CustomSaleRecorded'`;
    await add(1);
    expect((await call("GET", path, desk.admin)).body).toMatchObject({ isBalanced: false });
    await add(-1);
    expect((await call("GET", path, desk.admin)).body).toMatchObject({ isBalanced: true });
  });

  it("has entries in each account that these books use", () => {
    const used = new Set(
      stored.flatMap(({ postings }) => postings.flatMap(({ from, to }) => [from, to])),
    );
    expect([...used].filter((name) => /^(?:store|world):/u.test(name)).sort()).toEqual([
      "store:adjustments",
      "store:revenue",
      "store:shipping",
      "store:trade-commission",
      "world:cashapp",
      "world:customers",
    ]);
  });
});

it.each([
  ["explain-total", "number"],
  ["explain-total?number=everything", "number"],
  ["explain-total?number=owed&cursor=-1", "cursor"],
  ["explain-account?account=consignor:avery:available", "account"],
  ["explain-account?account=store:revenue&from=2026-02-30", "from"],
  ["explain-account?account=store:revenue&from=2020-01-01&to=2026-01-01", "from"],
  ["explain-account?account=store:revenue&from=2026-02-02&to=2026-02-01", "to"],
])("refuses %s", async (path, field) => {
  const answer = await call("GET", `/audit/${path}`, desk.admin);
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path: field }] } });
});
