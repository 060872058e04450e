// Payouts over HTTP: requested once, paid or deleted once, and never more than the balance.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PendingPayout, PendingResponse, PendingSort } from "#features/payouts/contract.ts";
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

const ask = (person: TestPerson, amount: number, headers: Record<string, string> = {}) =>
  shop.call("POST", `/api/payouts/${person.uid}/request`, {
    as: person,
    headers,
    body: { amount, method: "cashapp", paymentUsername: "avery" },
  });

const idOf = (answer: TestAnswer): string => String(Reflect.get(Object(answer.body), "payoutId"));
const pending = async (person: TestPerson) => {
  const answer = await shop.call("GET", `/api/payouts/pending?consignor=${person.uid}`, {
    as: admin,
  });
  return Reflect.get(Object(answer.body), "payouts") as Record<string, unknown>[];
};

describe("requesting a payout", () => {
  it("subtracts the amount from the balance at once, and shows the admin the request with its payment link", async () => {
    const avery = await consignorWith(10_000);
    const answer = await ask(avery, 42.5);
    expect(answer).toMatchObject({
      status: 200,
      body: { amount: 42.5, balance: 57.5, warning: null },
    });
    expect(await pending(avery)).toMatchObject([
      {
        id: idOf(answer),
        displayName: expect.stringContaining("Consignor"),
        handle: "$avery",
        cashAppLink: "https://cash.app/%24avery/42.50",
        balanceAfter: 57.5,
        status: "pending",
      },
    ]);
    expect(
      (await shop.call("GET", `/api/payouts/${avery.uid}/payment-info`, { as: avery })).body,
    ).toEqual({ cashtag: "$avery", venmoUsername: null, storeVenmoName: null });
  });

  it("rejects more than the available balance and says why", async () => {
    const avery = await consignorWith(5_000);
    expect(await ask(avery, 50.01)).toMatchObject({
      status: 409,
      body: {
        error: "insufficient_balance",
        message: "Cannot request more than your current balance of $50.00",
      },
    });
  });

  it("remembers the handle of the last accepted request, not of a refused one", async () => {
    const avery = await consignorWith(5_000);
    const handles = async () =>
      (await shop.call("GET", `/api/payouts/${avery.uid}/payment-info`, { as: avery })).body;
    const askAs = (paymentUsername: string, amount: number) =>
      shop.call("POST", `/api/payouts/${avery.uid}/request`, {
        as: avery,
        body: { amount, method: "venmo", paymentUsername },
      });
    expect((await askAs("avery-new", 60)).status).toBe(409);
    expect(await handles()).toEqual({ cashtag: null, venmoUsername: null, storeVenmoName: null });
    expect((await askAs("avery", 10)).status).toBe(200);
    expect((await askAs("avery-new", 60)).status).toBe(409);
    expect(await handles()).toEqual({
      cashtag: null,
      venmoUsername: "@avery",
      storeVenmoName: null,
    });
  });

  it("suggests the handles chosen on the profile, until another one is used", async () => {
    const avery = await consignorWith(5_000);
    const path = `/api/payouts/${avery.uid}/payment-info`;
    const choose = (as: TestPerson, body: unknown) => shop.call("PUT", path, { as, body });
    expect(await choose(avery, { cashtag: "avery-one", venmoUsername: "@avery-v" })).toMatchObject({
      status: 200,
      body: { cashtag: "$avery-one", venmoUsername: "@avery-v" },
    });
    expect(await choose(avery, { venmoUsername: "@" })).toMatchObject({
      body: { cashtag: "$avery-one", venmoUsername: null },
    });
    shop.advance(1_000);
    await ask(avery, 10);
    const info = async () => (await shop.call("GET", path, { as: avery })).body;
    expect(await info()).toMatchObject({ cashtag: "$avery", venmoUsername: null });
    shop.advance(1_000);
    await choose(avery, { cashtag: null });
    expect(await info()).toMatchObject({ cashtag: null });
    const stranger = await consignorWith(0);
    for (const other of [stranger, admin]) {
      expect((await choose(other, { cashtag: "$stranger" })).status).toBe(403);
    }
    expect((await choose(avery, { cashtag: "$two\nlines" })).status).toBe(400);
    const rows = await shop.database.sql`
      select encode(handle_sealed, 'escape') as text from identity.chosen_handles`;
    expect(JSON.stringify(rows)).not.toContain("avery");
  });

  it("a handle that was changed in the database is not suggested", async () => {
    const avery = await consignorWith(0);
    const path = `/api/payouts/${avery.uid}/payment-info`;
    await shop.call("PUT", path, { as: avery, body: { cashtag: "$mine" } });
    await shop.database.sql`
      update identity.chosen_handles set handle_sealed = overlay(handle_sealed placing '\\x00'::bytea from 30)
      where uid = ${avery.uid}`;
    expect((await shop.call("GET", path, { as: avery })).status).toBe(500);
  });

  it("repeats the first answer for the same key, and answers 422 if the amount differs", async () => {
    const avery = await consignorWith(5_000);
    const first = await ask(avery, 10, { "Idempotency-Key": "tap" });
    const again = await ask(avery, 10, { "Idempotency-Key": "tap" });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(await pending(avery)).toHaveLength(1);
    expect((await ask(avery, 11, { "Idempotency-Key": "tap" })).status).toBe(422);
  });

  it("accepts only one of two concurrent requests for the whole balance", async () => {
    const avery = await consignorWith(7_777);
    const answers = await Promise.all([ask(avery, 77.77), ask(avery, 77.77)]);
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 409]);
    expect(await pending(avery)).toHaveLength(1);
  });

  it.each([
    [{ amount: 0, method: "cashapp", paymentUsername: "$a" }, "Please enter a valid amount"],
    [{ amount: 1.001, method: "cashapp", paymentUsername: "$a" }, "at most two decimals"],
    [{ amount: 1, method: "cheque", paymentUsername: "$a" }, "Please select a payment method"],
    [{ amount: 1, method: "venmo", paymentUsername: "@" }, "Please enter your payment handle"],
  ])("refuses %j", async (body, message) => {
    const avery = await consignorWith(5_000);
    const answer = await shop.call("POST", `/api/payouts/${avery.uid}/request`, {
      as: avery,
      body,
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(message) },
    });
  });

  it("is only possible for the consignor and admins", async () => {
    const [avery, blake] = [await consignorWith(5_000), await consignorWith(5_000)];
    const body = { amount: 1, method: "venmo", paymentUsername: "@b" };
    const path = `/api/payouts/${avery.uid}/request`;
    expect((await shop.call("POST", path, { as: blake, body })).status).toBe(403);
    expect((await shop.call("POST", path, { body })).status).toBe(401);
    expect((await shop.call("GET", "/api/payouts/pending", { as: avery })).status).toBe(403);
  });
});

describe("the export of pending payouts", () => {
  it("has the filtered requests, with handles that no spreadsheet runs", async () => {
    const avery = await consignorWith(9_000);
    await ask(avery, 30);
    const file = (query: string) =>
      shop.call("GET", `/api/payouts/pending/export?consignor=${avery.uid}${query}`, { as: admin });
    const lines = String((await file("")).body)
      .trim()
      .split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain("Requested at,Consignor,Consignor id,Amount,Method,Handle");
    expect(lines[1]).toContain(`,${avery.uid},30.00,cashapp,$avery,60.00,`);
    for (const [query, count] of [
      ["&method=venmo", 0],
      ["&q=%24avery", 1],
      [`&q=${String((await pending(avery))[0]?.["id"]).slice(0, 8)}`, 1],
      ["&q=nobody", 0],
    ] as const) {
      const found = await file(query);
      expect(String(found.body).trim().split("\r\n")).toHaveLength(1 + count);
    }
  });
});

describe("the export of one consignor's payouts", () => {
  it("has the filtered ones, and nobody else's", async () => {
    const avery = await consignorWith(9_000);
    const path = `/api/payouts/${avery.uid}/${idOf(await ask(avery, 30))}`;
    await ask(avery, 20);
    await shop.call("PATCH", `${path}/paid`, { as: admin });
    const file = async (query: string) => {
      const { body } = await shop.call("GET", `/api/sales/payouts/${avery.uid}/export${query}`, {
        as: avery,
      });
      return String(body).trim().split("\r\n");
    };
    expect(await file("")).toMatchObject([
      expect.stringContaining("Requested at,Status,Settled at,Method,Handle,Amount,Payout id"),
      expect.stringMatching(/,pending,,cashapp,\$avery,20\.00,/u),
      expect.stringMatching(/,paid,2.*,cashapp,\$avery,30\.00,/u),
    ]);
    expect(await file("?status=paid")).toHaveLength(2);
  });
});

describe("settling a payout", () => {
  it("is possible once: the second attempt is a 409, and the total counts it", async () => {
    const avery = await consignorWith(9_000);
    const path = `/api/payouts/${avery.uid}/${idOf(await ask(avery, 30))}`;
    expect(await shop.call("PATCH", `${path}/paid`, { as: admin })).toMatchObject({
      status: 200,
      body: { message: "Payout marked as paid", amount: 30, balance: 60 },
    });
    expect(await shop.call("PATCH", `${path}/paid`, { as: admin })).toMatchObject({
      status: 409,
      body: { error: "payout_already_paid" },
    });
    expect((await shop.call("DELETE", path, { as: admin })).status).toBe(409);
    const total = await shop.call("GET", `/api/sales/total-payouts/${avery.uid}`, { as: avery });
    expect(total.body).toEqual({ totalPayouts: 30, paidInOldApp: 0 });
  });

  it("gives the money back when it is deleted, and keeps it in the history", async () => {
    const avery = await consignorWith(9_000);
    const payoutId = idOf(await ask(avery, 30));
    const answer = await shop.call("DELETE", `/api/payouts/${avery.uid}/${payoutId}`, {
      as: admin,
    });
    expect(answer.body).toMatchObject({
      message: "Payout request deleted and balance refunded",
      balance: 90,
    });
    expect(await pending(avery)).toEqual([]);
    const history = await shop.call("GET", `/api/sales/payouts/${avery.uid}`, { as: avery });
    expect(history.body).toMatchObject({
      payouts: [{ id: payoutId, status: "deleted", paid: false }],
    });
  });

  it("finds nothing with another consignor's id", async () => {
    const [avery, blake] = [await consignorWith(9_000), await consignorWith(9_000)];
    const payoutId = idOf(await ask(avery, 30));
    const answer = await shop.call("PATCH", `/api/payouts/${blake.uid}/${payoutId}/paid`, {
      as: admin,
    });
    expect(answer).toMatchObject({ status: 404, body: { error: "payout_not_found" } });
  });
});

it("pages through a history without skipping or repeating a line", async () => {
  const avery = await consignorWith(9_000);
  const asked = [];
  for (let index = 0; index < 5; index += 1) {
    asked.unshift(idOf(await ask(avery, 1 + index)));
  }
  const seen: unknown[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const answer = await shop.call("GET", `/api/sales/payouts/${avery.uid}?limit=2${more}`, {
      as: avery,
    });
    const { payouts, nextCursor } = answer.body as {
      payouts: { id: string }[];
      nextCursor: string | null;
    };
    seen.push(...payouts.map((payout) => payout.id));
    cursor = nextCursor;
  }
  expect(seen).toEqual(asked);
});

describe("sorted lists of payouts", () => {
  const idsOf = async (path: string, as: TestPerson): Promise<string[]> => {
    const ids: string[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { body } = await shop.call("GET", `/api${path}&limit=2${more}`, { as });
      const page = Object(body) as { payouts: { id: string }[]; nextCursor: string | null };
      ids.push(...page.payouts.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    return ids;
  };

  it("of a history can be sorted by any column, page by page and in both directions", async () => {
    const avery = await consignorWith(9_000);
    const ids: string[] = [];
    for (const [amount, method] of [
      [5, "venmo"],
      [7, "cashapp"],
      [5, "cashapp"],
      [6, "venmo"],
    ] as const) {
      const body = { amount, method, paymentUsername: "avery-pays" };
      ids.push(
        idOf(await shop.call("POST", `/api/payouts/${avery.uid}/request`, { as: avery, body })),
      );
    }
    for (const index of [2, 0]) {
      shop.advance(1000);
      const path = `/api/payouts/${avery.uid}/${ids[index] ?? ""}/paid`;
      expect((await shop.call("PATCH", path, { as: admin })).status).toBe(200);
    }
    const ascending = {
      date: [0, 1, 2, 3],
      method: [1, 2, 0, 3],
      status: [0, 2, 1, 3],
      settled: [1, 3, 2, 0],
      amount: [0, 2, 3, 1],
    };
    for (const [sort, order] of Object.entries(ascending)) {
      const expected = order.map((index) => ids[index]);
      const path = `/sales/payouts/${avery.uid}?sort=${sort}`;
      expect([sort, await idsOf(path, avery)]).toEqual([sort, expected]);
      expect(await idsOf(`${path}&order=desc`, avery)).toEqual(expected.toReversed());
    }
  });

  it("of pending payouts can be sorted by any column, including the consignor's balance", async () => {
    const people = [
      await consignorWith(9_000),
      await consignorWith(5_000),
      await consignorWith(7_000),
    ];
    for (const person of people) {
      await ask(person, 10);
    }
    const pending = async (query: string) => {
      const { body } = await shop.call("GET", `/api/payouts/pending?${query}`, { as: admin });
      return (Object(body) as PendingResponse).payouts;
    };
    const oldestFirst = await pending("");
    const keys = {
      date: ({ date }) => Date.parse(date),
      consignor: ({ displayName }) => displayName.toLowerCase(),
      method: ({ method }) => method,
      amount: ({ amount }) => amount,
      balanceAfter: ({ balanceAfter }) => balanceAfter,
    } satisfies Record<PendingSort, (payout: PendingPayout) => string | number>;
    for (const [sort, keyOf] of Object.entries(keys)) {
      const expected = oldestFirst
        .toSorted((one, other) =>
          keyOf(one) < keyOf(other) ? -1 : Number(keyOf(one) > keyOf(other)),
        )
        .map(({ id }) => id);
      const path = `/payouts/pending?sort=${sort}`;
      expect([sort, await idsOf(path, admin)]).toEqual([sort, expected]);
      expect(await idsOf(`${path}&order=desc`, admin)).toEqual(expected.toReversed());
    }
  });

  it.each(["sort=handle", "sort=date&order=up"])("refuse ?%s", async (query) => {
    const answer = await shop.call("GET", `/api/payouts/pending?${query}`, { as: admin });
    expect(answer.status).toBe(400);
  });
});
