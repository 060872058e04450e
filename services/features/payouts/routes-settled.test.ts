// A payout that came back, over HTTP: once, by an admin, with a reason, and everybody's settled payouts in a list.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestAnswer, TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";
import { personWith } from "#testing/service/person-with.ts";

let shop: TestApp;
let admin: TestPerson;
let made = 0;

beforeAll(async () => {
  shop = await openTestApp();
  admin = await shop.person("Admin", "admin");
});

afterAll(() => shop.close());

/** A consignor with this much available. */
function consignorWith(cents: number): Promise<TestPerson> {
  made += 1;
  return personWith(shop, admin, `Consignor ${made}`, cents);
}

const ask = (person: TestPerson, amount: number) =>
  shop.call("POST", `/api/payouts/${person.uid}/request`, {
    as: person,
    body: { amount, method: "cashapp", paymentUsername: "avery" },
  });

const idOf = (answer: TestAnswer): string => String(Reflect.get(Object(answer.body), "payoutId"));
describe("a payout that came back", () => {
  const paidPayout = async (person: TestPerson, amount: number, reference = "") => {
    const path = `/api/payouts/${person.uid}/${idOf(await ask(person, amount))}`;
    const paid = await shop.call("PATCH", `${path}/paid`, { as: admin, body: { reference } });
    expect(paid.status).toBe(200);
    return path;
  };
  const giveBack = (path: string, as: TestPerson, headers: Record<string, string> = {}) =>
    shop.call("POST", `${path}/return`, { as, headers, body: { reason: "Unknown handle" } });

  it("is available again, counts as paid no more, and says why", async () => {
    const avery = await consignorWith(9_000);
    const path = await paidPayout(avery, 30);
    shop.advance(1_000);
    expect(await giveBack(path, admin, { "Idempotency-Key": "back-1" })).toMatchObject({
      status: 200,
      body: { message: "Payout marked as returned", amount: 30, balance: 90 },
    });
    const read = async (address: string) => (await shop.call("GET", address, { as: avery })).body;
    expect(await read(`/api/sales/total-payouts/${avery.uid}`)).toEqual({
      totalPayouts: 0,
      paidInOldApp: 0,
    });
    expect(await read(`/api/sales/payouts/${avery.uid}?status=returned`)).toMatchObject({
      payouts: [
        {
          status: "returned",
          paid: false,
          settledAt: expect.any(String),
          returnedAt: expect.any(String),
          returnReason: "Unknown handle",
        },
      ],
    });
    expect(await read(`/api/accounts/${avery.uid}/recent`)).toMatchObject({
      payouts: [{ status: "returned", returnReason: "Unknown handle" }],
      lines: [{ kind: "payout", amount: 30, balanceAfter: 90, note: "Unknown handle" }, {}, {}, {}],
    });
    const totalPaid = `/api/audit/explain/${avery.uid}?number=totalPaid`;
    expect(await read(totalPaid)).toMatchObject({ closing: 0, summed: 0, isBalanced: true });
    const file = await read(`/api/sales/payouts/${avery.uid}/export`);
    expect(String(file)).toMatch(/,returned,2.*,30\.00,.*,2.*,Unknown handle/u);
  });

  it("comes back once: a repeated request gets the first answer, another admin's a 409", async () => {
    const avery = await consignorWith(9_000);
    const path = await paidPayout(avery, 30);
    const other = await shop.person("Other admin", "admin");
    const answers = await Promise.all([
      giveBack(path, admin, { "Idempotency-Key": "back-2" }),
      giveBack(path, other, { "Idempotency-Key": "back-3" }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      error: "payout_already_returned",
    });
    const [first] = answers;
    const again = await giveBack(path, admin, { "Idempotency-Key": "back-2" });
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    const [row] = await shop.database.sql<{ events: number }[]>`
      select count(*) as events from log.events
      where type = 'PayoutReturned' and data ->> 'consignorId' = ${avery.uid}`;
    expect(row?.events).toBe(1);
  });

  it("moves from the list of paid payouts to that of returned ones, page by page", async () => {
    const avery = await consignorWith(9_000);
    const paths = [await paidPayout(avery, 20), await paidPayout(avery, 10)];
    const amounts = async (query: string) => {
      const { body } = await shop.call("GET", `/api/payouts/settled?${query}`, { as: admin });
      const page = Object(body) as {
        payouts: { consignorID: string; amount: number }[];
        nextCursor: string | null;
      };
      const own = page.payouts.filter(({ consignorID }) => consignorID === avery.uid);
      return { amounts: own.map(({ amount }) => amount), next: page.nextCursor };
    };
    const first = await amounts("status=paid&limit=1");
    expect(first.amounts).toEqual([10]);
    expect(await amounts(`limit=1&cursor=${String(first.next)}`)).toMatchObject({ amounts: [20] });
    expect(await amounts("status=paid&method=venmo")).toMatchObject({ amounts: [] });
    await giveBack(paths[0] ?? "", admin);
    expect(await amounts("status=paid")).toMatchObject({ amounts: [10] });
    expect(await amounts("status=returned&method=cashapp")).toMatchObject({ amounts: [20] });
    expect((await shop.call("GET", "/api/payouts/settled", { as: avery })).status).toBe(403);
  });

  it("counts as settled when it came back, not when it was paid, in the lists and their file", async () => {
    const avery = await consignorWith(9_000);
    const paths = [];
    for (const amount of [20, 10, 5]) {
      paths.push(await paidPayout(avery, amount));
      shop.advance(1_000);
    }
    for (const path of [paths[1], paths[0]]) {
      await giveBack(path ?? "", admin);
      shop.advance(1_000);
    }
    const amounts = async (address: string, as: TestPerson) => {
      const { body } = await shop.call("GET", address, { as });
      const { payouts } = Object(body) as { payouts: { consignorID: string; amount: number }[] };
      return payouts
        .filter(({ consignorID }) => consignorID === avery.uid)
        .map(({ amount }) => amount);
    };
    expect(await amounts("/api/payouts/settled?status=returned", admin)).toEqual([20, 10]);
    expect(await amounts("/api/payouts/settled?status=returned&limit=1", admin)).toEqual([20]);
    const history = `/api/sales/payouts/${avery.uid}?sort=settled&order=desc`;
    expect(await amounts(history, avery)).toEqual([20, 10, 5]);
    const file = async (query: string) =>
      String((await shop.call("GET", `/api/payouts/settled/export?${query}`, { as: admin })).body)
        .split("\r\n")
        .filter((line) => line.includes(avery.uid));
    const returned = await file("status=returned&method=cashapp");
    expect(returned.map((line) => line.split(",")[4])).toEqual(["20.00", "10.00"]);
    expect(returned[0]).toMatch(
      /^2.*,returned,2.*Z,Consignor \d+,20\.00,cashapp,.*,2.*Z,Unknown handle,$/u,
    );
    expect(await file("status=returned&method=venmo")).toEqual([]);
    expect(await file("status=paid")).toHaveLength(1);
  });

  it("is found by person, handle, reference and period, in the list, its sum and its file", async () => {
    const nadia = await personWith(shop, admin, "Nadia Okafor", 9_000);
    const bo = await personWith(shop, admin, "Bo 100%", 9_000);
    shop.advance(60_000);
    const first = await paidPayout(nadia, 20);
    shop.advance(1_000);
    const between = shop.deps.clock().toISOString();
    const second = await paidPayout(nadia, 10, "CA-778812");
    await paidPayout(bo, 7);
    const found = async (filters: Record<string, string>) => {
      const query = new URLSearchParams(filters).toString();
      const read = async (path: string) => (await shop.call("GET", path, { as: admin })).body;
      const { payouts, totals } = Object(await read(`/api/payouts/settled?${query}`));
      const file = String(await read(`/api/payouts/settled/export?${query}`))
        .trim()
        .split("\r\n");
      const amounts = payouts.map(({ amount }: { amount: number }) => amount);
      expect(file.slice(1).map((line) => Number(line.split(",")[4]))).toEqual(amounts);
      expect(totals).toEqual({
        count: amounts.length,
        amount: amounts.reduce((sum: number, amount: number) => sum + amount, 0),
      });
      return amounts;
    };
    expect(await found({ q: "okafor" })).toEqual([10, 20]);
    expect(await found({ q: " NADIA " })).toEqual([10, 20]);
    expect(await found({ q: "0%" })).toEqual([7]);
    expect(await found({ q: "nobody of this name" })).toEqual([]);
    const id = second.slice(-36);
    expect(await found({ q: id })).toEqual([10]);
    expect(await found({ q: `Payout ${id}` })).toEqual([10]);
    expect(await found({ q: "CA-778812" })).toEqual([10]);
    expect(await found({ q: "ca-7788", status: "paid" })).toEqual([10]);
    expect(await found({ q: "CA-778813" })).toEqual([]);
    expect(await found({ q: "$avery", from: between })).toEqual([7, 10]);
    expect(await found({ q: "okafor", to: between, method: "cashapp" })).toEqual([20]);
    expect(await found({ q: "okafor", method: "venmo" })).toEqual([]);
    // A return is a settlement of its own.
    await giveBack(first, admin);
    expect(await found({ q: "okafor", status: "returned", from: between })).toEqual([20]);
    expect(await found({ q: "okafor", status: "returned", to: between })).toEqual([]);
    // Only the first page has the sum, of all pages.
    const pageOf = async (query: string) =>
      Object((await shop.call("GET", `/api/payouts/settled?limit=1&${query}`, { as: admin })).body);
    const page = await pageOf(`from=${between}`);
    expect(page).toMatchObject({ payouts: [{ amount: 7 }], totals: { count: 2, amount: 17 } });
    expect(await pageOf(`from=${between}&cursor=${String(page.nextCursor)}`)).toMatchObject({
      payouts: [{ amount: 10 }],
      totals: null,
    });
    await giveBack(second, admin);
    expect(await found({ q: "CA-778812", status: "returned" })).toEqual([10]);
    expect(await found({ q: "CA-778812" })).toEqual([]);
  });

  it("of a deleted consignor is the store's: the app's account and the balance are right again", async () => {
    const lou = await consignorWith(2_000);
    const path = await paidPayout(lou, 20);
    expect((await shop.call("DELETE", `/api/auth/users/${lou.uid}`, { as: admin })).status).toBe(
      200,
    );
    const listed = async (status: string) => {
      const address = `/api/payouts/settled?status=${status}`;
      const { body } = await shop.call("GET", address, { as: admin });
      const { payouts } = Object(body) as { payouts: { consignorID: string }[] };
      return payouts.filter(({ consignorID }) => consignorID === lou.uid);
    };
    expect(await listed("paid")).toMatchObject([
      { displayName: "Deleted user", isConsignorDeleted: true },
    ]);
    // By what is shown for it.
    const { body } = await shop.call("GET", "/api/payouts/settled?q=Deleted+us", { as: admin });
    expect(Object(body).payouts).toMatchObject([{ consignorID: lou.uid }]);
    const headers = { "Idempotency-Key": "back-deleted" };
    const answer = await giveBack(path, admin, headers);
    expect(answer).toMatchObject({ status: 200, body: { amount: 20, balance: 0 } });
    expect(await giveBack(path, admin, headers)).toMatchObject({ status: 200, body: answer.body });
    expect(await listed("returned")).toMatchObject([{ returnReason: "Unknown handle" }]);
    const moves = await shop.database.sql<{ type: string; moved: string }[]>`
      select e.type, p.from_account || ' → ' || p.to_account || ' ' || p.cents as moved
      from log.events e join log.postings p using (position)
      where e.type in ('PayoutReturned', 'BalanceSet') and (
        e.data ->> 'consignorId' = ${lou.uid} or e.data ->> 'uid' = ${lou.uid})
      order by position`;
    const available = `consignor:${lou.uid}:available`;
    expect(moves.slice(1)).toEqual([
      { type: "PayoutReturned", moved: `world:cashapp → ${available} 2000` },
      { type: "BalanceSet", moved: `${available} → store:adjustments 2000` },
    ]);
  });

  it("needs an admin, a reason, and a payout that was paid", async () => {
    const avery = await consignorWith(9_000);
    const path = await paidPayout(avery, 30);
    expect((await giveBack(path, avery)).status).toBe(403);
    const blank = await shop.call("POST", `${path}/return`, { as: admin, body: { reason: " " } });
    expect(blank).toMatchObject({
      status: 400,
      body: { details: [{ path: "reason", message: "Enter a reason" }] },
    });
    const unpaid = `/api/payouts/${avery.uid}/${idOf(await ask(avery, 10))}`;
    expect(await giveBack(unpaid, admin)).toMatchObject({
      status: 409,
      body: { error: "payout_not_paid" },
    });
    const unknown = path.slice(0, -12) + "000000000000";
    expect((await giveBack(unknown, admin)).status).toBe(404);
  });
});
