// More promises of a rehearsal: random commands, many at once, and what a consignor may see of others.
import { afterAll, beforeAll, expect, it } from "vitest";
import { rehearsalResponse } from "#features/rehearsal/contract.ts";
import { availableAccount } from "#features/accounts/streams.ts";
import { readRange } from "#ledger/log/read.ts";
import { toDollars } from "#ledger/money.ts";
import { netOf } from "#ledger/posting.ts";
import { sendCall } from "#testing/rehearsal/call.ts";
import { openRandomRequests } from "#testing/rehearsal/random-requests.ts";
import { differencesOf, rehearses } from "#testing/rehearsal/same-as-log.ts";
import { fieldsOf } from "#testing/shop/sale-shop.ts";
import { offerPath, openTradeShop, type TradeShop } from "#testing/shop/trade-shop.ts";
import { sized } from "#testing/trial/size.ts";

let store: TradeShop;

beforeAll(async () => {
  const many = { attempts: 100_000, perSeconds: 60 };
  store = await openTradeShop({ commandRules: { perMinute: many, perDay: many } });
});

afterAll(() => store.close());

it.each(sized([1], [1, 2, 3, 4, 5]))(
  "what is rehearsed is what then happens, for random commands (seed %i)",
  async (seed) => {
    const requests = await openRandomRequests(store, seed);
    const outcomes = new Map<string, number>();
    for (let sent = 0; sent < sized(160, 2_000); sent += 1) {
      const request = requests.next();
      const rehearsed = await sendCall(store, request, rehearses);
      const done = await sendCall(store, request);
      requests.learn(request, done);
      const { error } = fieldsOf(done);
      const seesAll = request.as === store.admin;
      const wrong = await differencesOf(store.shop, rehearsed, done, seesAll);
      expect([request.call, request.body, wrong]).toEqual([request.call, request.body, []]);
      const outcome = error === undefined ? "done" : "refused";
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect(
      Math.min(...["done", "refused"].map((outcome) => outcomes.get(outcome) ?? 0)),
    ).toBeGreaterThan(20);
  },
  sized(60_000, 600_000),
);

it("each of many rehearsals between commands is decided on one position of the log", async () => {
  const { shop, admin } = store;
  const { uid } = await store.buyerWith(5_000);
  const path = "/api/sales/custom";
  const rehearsal = { as: admin, headers: rehearses };
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      shop.call("POST", path, {
        ...(index % 2 === 0 ? rehearsal : { as: admin }),
        body: { consignorID: uid, itemName: "Cables", amount: index + 1 },
      }),
    ),
  );
  const log = await readRange(shop.database.sql, 0, Number.MAX_SAFE_INTEGER);
  const rehearsed = answers.filter((_, index) => index % 2 === 0);
  for (const { body, headers } of rehearsed) {
    const { position, balances } = rehearsalResponse.parse(body);
    expect(headers.get("Ledger-Position")).toBe(String(position));
    const postings = log.slice(0, position).flatMap((event) => event.postings);
    expect(balances).toMatchObject([
      { uid, before: toDollars(netOf(postings, availableAccount.of(uid))) },
    ]);
  }
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});

it("a rehearsal does not wait for the writer", async () => {
  const { shop, admin } = store;
  const { uid } = await store.buyerWith(5_000);
  const sale = { as: admin, body: { consignorID: uid, itemName: "Cables", amount: 3 } };
  const locked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holding = shop.database.ownerSql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(4711, 1)`;
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  let isDone = false;
  const command = shop.call("POST", "/api/sales/custom", sale).finally(() => (isDone = true));
  const rehearsed = await shop.call("POST", "/api/sales/custom", { ...sale, headers: rehearses });
  expect(rehearsed).toMatchObject({ status: 200, body: { balances: [{ before: 50, after: 53 }] } });
  expect(isDone).toBe(false);
  release.resolve();
  await holding;
  expect((await command).status).toBe(200);
});

it("a refusal is answered as the call itself would answer it, with the position it was decided at", async () => {
  const { shop, admin } = store;
  const { uid } = await store.buyerWith(5_000);
  const body = { balance: 1, expectedBalance: 49 };
  const path = `/api/sales/balance/${uid}`;
  const rehearsed = await shop.call("PUT", path, { as: admin, body, headers: rehearses });
  const done = await shop.call("PUT", path, { as: admin, body });
  expect(rehearsed.body).toEqual(done.body);
  expect([rehearsed.status, done.status]).toEqual([409, 409]);
  expect(rehearsed.headers.get("Ledger-Rehearsal")).toBe("true");
  expect(rehearsed.headers.get("Ledger-Position")).toBe(done.headers.get("Ledger-Position"));
});

it("an admin sees who is touched and by how much; a seller sees only the own units, a buyer only the own money", async () => {
  const { tradeId, buyer, seller } = await store.requested();
  const accept = offerPath(tradeId, 1, "accept");
  const bySeller = await store.post(seller, accept, {}, rehearses);
  expect(bySeller.body).toMatchObject({
    events: [
      {
        type: "OfferAccepted",
        sentence: "Desk lamp: Held for a trade: 2 units",
        postings: [],
        movements: [{ from: `item:${seller.itemId}`, units: 2 }],
      },
    ],
    balances: [],
    items: [{ itemName: "Desk lamp", before: 3, after: 1 }],
    heldForTrades: [],
    store: [],
  });
  expect(JSON.stringify(bySeller.body)).not.toContain(buyer.uid);

  await store.post(seller, offerPath(tradeId, 1, "counter"), { counterPrice: 700 });
  const byBuyer = await store.post(buyer, accept, {}, rehearses);
  expect(byBuyer.body).toMatchObject({
    events: [{ type: "OfferAccepted", movements: [] }],
    balances: [{ uid: buyer.uid, account: "available", before: 100, after: 82 }],
    items: [],
    heldForTrades: [{ tradeID: tradeId, before: 0, after: 18 }],
  });
  expect(JSON.stringify(byBuyer.body)).not.toContain(seller.uid);

  await store.post(buyer, accept, {});
  await store.upload(store.admin, tradeId);
  const fulfill = await store.post(store.admin, `${tradeId}/fulfill`, undefined, rehearses);
  expect(fulfill.body).toMatchObject({
    events: [{ sentence: "Fulfilled: 2 units, the sellers are paid" }],
    balances: [{ uid: seller.uid, account: "available", before: 0, after: 12.6 }],
    heldForTrades: [{ before: 18, after: 0 }],
    store: [
      { account: "store:trade-commission", change: 1.4 },
      { account: "store:shipping", change: 4 },
    ],
  });
});

it("counts among a consignor's commands", async () => {
  const limited = await openTradeShop({
    commandRules: {
      perMinute: { attempts: 2, perSeconds: 60 },
      perDay: { attempts: 9, perSeconds: 86_400 },
    },
  });
  try {
    const buyer = await limited.buyerWith(5_000);
    const path = `/api/payouts/${buyer.uid}/request`;
    const body = { amount: 1, method: "venmo", paymentUsername: "@avery" };
    const statuses: number[] = [];
    for (let sent = 0; sent < 3; sent += 1) {
      const { status } = await limited.shop.call("POST", path, {
        as: buyer,
        body,
        headers: rehearses,
      });
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  } finally {
    await limited.close();
  }
});
