// The audit log over HTTP: every filter, the whole of one event, and what a consignor sees of it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  AuditEvent,
  AuditEventResponse,
  AuditEventsResponse,
} from "#features/audit/contract.ts";
import { nextLink } from "#ledger/log/chain.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { offerPath, openTradeShop, tradeIdIn } from "#testing/shop/trade-shop.ts";

let market: TradeShop;
let admin: TestPerson;
let avery: TestPerson & { readonly itemId: string };
let blake: TestPerson & { readonly itemId: string };
let buyer: TestPerson;
let saleId: string;
let tradeId: string;

beforeAll(async () => {
  market = await openTradeShop();
  admin = market.admin;
  avery = await market.sellerWith("AV-1", 9);
  blake = await market.sellerWith("BL-1", 9);
  buyer = await market.buyerWith(50_000);
  saleId = await sold(avery, 40);
  await sold(blake, 77.77);
  await call(admin, "PUT", `/api/sales/${saleId}`, { salePrice: 44.44, reason: "Wrong tag" });
  await call(admin, "POST", `/api/sales/${saleId}/refund`, {
    quantity: 1,
    restock: true,
    reason: "Came back",
  });
  await call(admin, "PUT", `/api/sales/balance/${avery.uid}`, { balance: 90, reason: "Goodwill" });
  await call(avery, "POST", `/api/payouts/${avery.uid}/request`, { amount: 12.34, ...handle });
  const rivals = [await market.sellerWith("TR-1", 2), await market.sellerWith("TR-1", 2)] as const;
  tradeId = tradeIdIn(await market.request(buyer, "TR-1", { quantity: 2, pricePerItem: 611 }));
  await market.post(rivals[0], offerPath(tradeId, 1, "accept"), {});
  await market.upload(admin, tradeId, { trackingNumber: "9400 1112 QUILL" });
  sellers = rivals;
  await market.shop.runner.catchUp();
});

let sellers: readonly [TestPerson, TestPerson];

const handle = { method: "venmo", paymentUsername: "@avery-a" } as const;

afterAll(() => market.close());

async function call(as: TestPerson, method: string, path: string, body?: unknown) {
  const answer = await market.shop.call(method, path, {
    as,
    ...(body === undefined ? {} : { body }),
  });
  expect(answer.status).toBe(200);
  return Object(answer.body) as Record<string, unknown>;
}

async function sold(owner: TestPerson & { readonly itemId: string }, salePrice: number) {
  const sale = { consignorID: owner.uid, itemUID: owner.itemId, salePrice, quantitySold: 1 };
  const answer = await call(admin, "POST", "/api/sales/record", {
    ...sale,
    consignorPercentage: 50,
  });
  return String(answer["saleID"]);
}

async function list(as: TestPerson, query = ""): Promise<AuditEventsResponse> {
  return (await call(as, "GET", `/api/audit/events?${query}`)) as AuditEventsResponse;
}

async function typesIn(as: TestPerson, query: string): Promise<string[]> {
  return (await list(as, query)).events.map(({ type }) => type);
}

async function open(as: TestPerson, position: number): Promise<AuditEvent> {
  return ((await call(as, "GET", `/api/audit/events/${position}`)) as AuditEventResponse).event;
}

async function positionOf(type: string, query = ""): Promise<number> {
  const { events } = await list(admin, `type=${type}&${query}`);
  return events[0]?.position ?? 0;
}

const status = async (as: TestPerson, path: string) =>
  (await market.shop.call("GET", `/api/audit/${path}`, { as })).status;

describe("an admin", () => {
  it("sees every event of the log, newest first, in a sentence with whom, who and how much", async () => {
    const { events, nextCursor } = await list(admin, "limit=200");
    expect(nextCursor).toBeNull();
    expect(events.map(({ position }) => position)).toEqual(
      events.map((_event, index) => events.length - index),
    );
    expect(events.find(({ type }) => type === "SaleRefunded")).toMatchObject({
      title: "Desk lamp refunded to the buyer",
      group: "sale",
      about: { kind: "sale", id: saleId },
      whom: { uid: avery.uid },
      actor: { uid: admin.uid, name: "Trade-admin" },
      amount: 44.44,
    });
    expect(events.find(({ type }) => type === "ItemAdded")).toMatchObject({
      title: "Desk lamp: added",
      amount: null,
    });
    expect(events.find(({ type }) => type === "OfferAccepted")?.title).toBe(
      "Accepted: 2 units at $6.11 each (trade of Desk lamp)",
    );
  });

  it("pages through the same events in both orders, whatever the size of the pages", async () => {
    for (const order of ["newest", "oldest"]) {
      const whole = (await list(admin, `limit=200&order=${order}&person=${avery.uid}`)).events;
      const pages: number[] = [];
      for (let cursor = ""; ;) {
        const page = await list(admin, `limit=3&order=${order}&person=${avery.uid}${cursor}`);
        pages.push(...page.events.map(({ position }) => position));
        if (page.nextCursor === null) {
          break;
        }
        cursor = `&cursor=${page.nextCursor}`;
      }
      expect(pages).toEqual(whole.map(({ position }) => position));
      expect(pages.length).toBeGreaterThan(5);
    }
  });

  it("filters by thing, person, actor, type, time and position, alone and together", async () => {
    const ofSale = ["SaleRefunded", "SaleCorrected", "SaleRecorded"];
    expect(await typesIn(admin, `sale=${saleId}`)).toEqual(ofSale);
    expect(await typesIn(admin, `item=${avery.itemId}`)).toEqual([...ofSale, "ItemAdded"]);
    expect(await typesIn(admin, `item=${avery.itemId}&sale=${saleId}&order=oldest`)).toEqual(
      [...ofSale].reverse(),
    );
    expect(await typesIn(admin, `trade=${tradeId}`)).toEqual([
      "TradeLabelUploaded",
      "OfferAccepted",
      "TradeRequested",
    ]);
    expect(await typesIn(admin, `actor=${avery.uid}`)).toEqual(["PayoutRequested"]);
    expect(await typesIn(admin, `person=${avery.uid}&type=BalanceSet,SaleCorrected`)).toEqual([
      "BalanceSet",
      "SaleCorrected",
    ]);
    expect(await typesIn(admin, `person=${avery.uid}&actor=${blake.uid}`)).toEqual([]);
    expect(await typesIn(admin, `person=${avery.uid}&group=sale`)).toEqual(ofSale);
    expect(await typesIn(admin, "group=payout&type=SaleRecorded")).toEqual([]);
    const at = await positionOf("SaleCorrected");
    expect(await typesIn(admin, `fromPosition=${at}&toPosition=${at + 1}`)).toEqual([
      "SaleRefunded",
      "SaleCorrected",
    ]);
    const { recordedAt } = await open(admin, at);
    const later = new Date(Date.parse(recordedAt) + 1).toISOString();
    const until = await list(admin, `to=${later}&limit=200`);
    const since = await list(admin, `from=${later}&limit=200`);
    const all = await list(admin, "limit=200");
    expect([...since.events, ...until.events]).toEqual(all.events);
    expect(until.events.some(({ position }) => position === at)).toBe(true);
  });

  it("finds amounts, codes, ids, names and positions in free text, and reads how it was understood", async () => {
    const sought = async (q: string) => {
      const { events, understood } = await list(admin, `q=${encodeURIComponent(q)}`);
      return [understood, events.map(({ type }) => type)];
    };
    expect(await sought("$12.34")).toEqual([["Amount $12.34"], ["PayoutRequested"]]);
    // The consignor's share.
    expect(await sought("38.89")).toEqual([["Amount $38.89"], ["SaleRecorded"]]);
    expect(await sought("BL-1")).toEqual([["Item Desk lamp"], ["SaleRecorded", "ItemAdded"]]);
    expect(await sought(saleId.slice(0, 8))).toEqual([
      [`Sale ${saleId.slice(0, 8).toUpperCase()}`],
      ["SaleRefunded", "SaleCorrected", "SaleRecorded"],
    ]);
    expect(await sought("9400-1112-quill")).toEqual([
      ["Tracking number 9400-1112-quill"],
      ["TradeLabelUploaded", "OfferAccepted", "TradeRequested"],
    ]);
    expect(await sought("1")).toEqual([["Event 1"], [expect.any(String)]]);
    expect(await sought("trade-admin")).toEqual([["Person Trade-admin"], ["UserRoleChanged"]]);
    expect(await sought("nobody knows this")).toEqual([[], []]);
  });

  it("opens an event with postings, movements, every stream before and after, its call and its place in the chain", async () => {
    const position = await positionOf("SaleRecorded", `sale=${saleId}`);
    const event = await open(admin, position);
    expect(event.postings.map(({ from, to, amount }) => [from.label, to.label, amount])).toEqual([
      ["Customers", "Store, revenue", 40],
      ["Store, revenue", expect.stringMatching(/^Trader-\d+, available$/u), 20],
    ]);
    expect(event.movements).toEqual([
      { from: expect.objectContaining({ label: "Desk lamp" }), to: expect.anything(), units: 1 },
    ]);
    const changes = Object.fromEntries(
      event.streams.map(({ thing, changes: list_ }) => [thing.kind, list_]),
    );
    expect(changes["consignor"]).toEqual([
      { field: "Available balance", before: "$0.00", after: "$20.00" },
    ]);
    expect(changes["item"]).toEqual([{ field: "Quantity", before: "9", after: "8" }]);
    expect(changes["sale"]).toContainEqual({ field: "Status", before: "none", after: "recorded" });
    // Nobody named the channel for the audit log; the sale's state and the item have all else.
    const said = [{ field: "Channel", value: "Online" }];
    expect(event).toMatchObject({ said, command: { scope: "store", positions: [position] } });
    expect(event.previousHash).toBe((await open(admin, position - 1)).hash);
    const [row] = await market.shop.database.sql<{ micros: string }[]>`
      select (extract(epoch from recorded_at) * 1000000)::bigint::text as micros
      from log.events where position = ${position}`;
    expect(nextLink(event.previousHash, position, BigInt(row?.micros ?? 0), event.fieldHash)).toBe(
      event.hash,
    );
  });

  it("goes from a sale to what corrected it and back, and along each stream", async () => {
    const sale = await open(admin, await positionOf("SaleRecorded", `sale=${saleId}`));
    expect(sale.correctedBy.map(({ type }) => type)).toEqual(["SaleCorrected", "SaleRefunded"]);
    const correction = await open(admin, sale.correctedBy[0]?.position ?? 0);
    expect(correction).toMatchObject({ reason: "Wrong tag", corrects: [{ type: "SaleRecorded" }] });
    const ofSale = correction.streams.find(({ thing }) => thing.kind === "sale");
    expect(ofSale).toMatchObject({
      version: 2,
      previous: sale.position,
      next: sale.correctedBy[1]?.position,
    });
    expect(ofSale?.changes).toContainEqual({ field: "Price", before: "$40.00", after: "$44.44" });
  });

  it("opens every event of the log", async () => {
    const { events } = await list(admin, "limit=200");
    for (const line of events) {
      expect(await open(admin, line.position)).toMatchObject({ ...line, readable: true });
    }
  });
});

describe("a consignor", () => {
  it("sees what touches the own money and goods, in the own words and amounts", async () => {
    const { events } = await list(avery, "limit=200");
    expect(events.map(({ type, amount, actor }) => [type, amount, actor.name])).toEqual([
      ["PayoutRequested", -12.34, "You"],
      ["BalanceSet", 90, "Store"],
      ["SaleRefunded", -22.22, "Store"],
      ["SaleCorrected", 2.22, "Store"],
      ["SaleRecorded", 20, "Store"],
      ["ItemAdded", null, "Store"],
    ]);
    expect(events.every(({ whom }) => whom === null)).toBe(true);
  });

  it("never gets another person's events, by no filter and by no address", async () => {
    const { events } = await list(admin, `person=${blake.uid}`);
    expect(events.length).toBeGreaterThan(1);
    for (const { position } of events) {
      expect(await status(avery, `events/${position}`)).toBe(404);
    }
    expect(await status(avery, `events?person=${blake.uid}`)).toBe(403);
    expect(await status(avery, `events?actor=${admin.uid}`)).toBe(403);
    const [first] = events;
    for (const query of [
      `item=${blake.itemId}`,
      `sale=${first?.about?.id ?? ""}`,
      `trade=${tradeId}`,
      "q=77.77",
      "q=BL-1",
      `q=${blake.itemId}`,
      `q=${blake.uid}`,
      `q=${tradeId.slice(0, 8)}`,
      "q=9400-1112-quill",
      `fromPosition=${first?.position}&toPosition=${first?.position}`,
    ]) {
      const answer = await list(avery, query);
      expect([query, answer.events]).toEqual([query, []]);
      expect(answer.understood.join()).not.toMatch(/Item|Sale|Trade|Person|Tracking/u);
    }
    expect(await typesIn(avery, "q=12.34")).toEqual(["PayoutRequested"]);
    expect(await typesIn(avery, "q=AV-1&type=ItemAdded,UserRoleChanged")).toEqual(["ItemAdded"]);
    expect(await typesIn(avery, "type=UserRoleChanged")).toEqual([]);
  });

  it("opens an own event without the store's accounts, other people's names or the store's keys", async () => {
    const { events } = await list(avery, "limit=200");
    for (const { position } of events) {
      const event = await open(avery, position);
      const text = JSON.stringify(event);
      for (const secret of [admin.uid, "Trade-admin", blake.uid, "store:revenue"]) {
        expect(text).not.toContain(secret);
      }
      expect([event.said, event.command === null]).toEqual([[], event.type !== "PayoutRequested"]);
      expect(event.streams.every(({ thing }) => thing.kind !== "user")).toBe(true);
    }
    const sale = events.find(({ type }) => type === "SaleRecorded");
    const event = await open(avery, sale?.position ?? 0);
    expect(event.postings).toEqual([
      {
        from: { label: "Store", name: null },
        to: expect.objectContaining({ label: "Your available balance" }),
        amount: 20,
      },
    ]);
    expect(event.steps.at(-1)).toEqual({ label: "Your share (50%)", amount: 20 });
    const set = events.find(({ type }) => type === "BalanceSet");
    expect((await open(avery, set?.position ?? 0)).reason).toBe("Goodwill");
  });

  it("walks only through own events", async () => {
    const { events } = await list(avery, "limit=200");
    const positions = events.map((event) => event.position);
    const middle = await open(avery, positions[2] ?? 0);
    expect([middle.next, middle.previous]).toEqual([positions[1], positions[3]]);
    for (const { previous, next } of middle.streams) {
      expect(previous === null || positions.includes(previous)).toBe(true);
      expect(next === null || positions.includes(next)).toBe(true);
    }
  });

  it("in a trade sees the own side only: no other party, no other offer, no other price", async () => {
    const [taken, filled] = sellers;
    const { events } = await list(filled, `trade=${tradeId}`);
    expect(events.map(({ title }) => title)).toEqual([
      "Other sellers filled the trade (trade of Desk lamp)",
      "Offered to you: 2 units at $6.11 each (trade of Desk lamp)",
    ]);
    for (const person of [buyer, taken, filled]) {
      const others = [buyer, taken, filled].filter((one) => one !== person);
      const own = (await list(person, "limit=200")).events;
      const answers = await Promise.all(own.map(({ position }) => open(person, position)));
      for (const other of others) {
        expect(JSON.stringify([own, answers])).not.toContain(other.uid);
      }
    }
    const accepted = await positionOf("OfferAccepted");
    const ofTrade = (event: AuditEvent) =>
      event.streams.find(({ thing }) => thing.kind === "trade")?.changes.map(({ field }) => field);
    expect(ofTrade(await open(filled, accepted))?.join()).not.toMatch(/offer 1|Held/iu);
    expect((await open(filled, accepted)).postings).toEqual([]);
    expect((await open(filled, accepted)).movements).toEqual([]);
    expect(ofTrade(await open(buyer, accepted))).toContain("Held for the trade");
    expect((await open(taken, accepted)).movements).toHaveLength(1);
  });
});

describe("what cannot be asked or read", () => {
  it("is a 400 that names the field, or a 404", async () => {
    for (const query of [
      "person=x",
      "item=1",
      "type=a,,b",
      "from=yesterday",
      "cursor=-1",
      "cursor=1e3",
      "limit=0",
      "order=sideways",
      "fromPosition=0",
      "q=%00",
      "surprise=1",
    ]) {
      expect([query, await status(admin, `events?${query}`)]).toEqual([query, 400]);
    }
    const places = ["events/0", "events/x", "events/999999"];
    const statuses = await Promise.all(places.map((place) => status(admin, place)));
    expect(statuses).toEqual([400, 400, 404]);
    expect(await status(admin, `events?type=NoSuchThing&q=${"x".repeat(200)}`)).toBe(200);
  });

  it("an erased text or name does not come back", async () => {
    const person = await market.shop.person("Casey Quillon");
    await call(admin, "PUT", `/api/auth/users/${person.uid}`, { displayName: "Casey Renamed" });
    const position = await positionOf("UserRenamed");
    expect((await open(admin, position)).title).toBe("Name: Casey Quillon to Casey Renamed");
    await call(admin, "DELETE", `/api/auth/users/${person.uid}`);
    const event = await open(admin, position);
    expect(event.title).toBe("Name changed (erased)");
    const about = JSON.stringify([event, await list(admin, `person=${person.uid}`)]);
    expect(about).not.toMatch(/Casey|Quillon|Renamed "/u);
    expect(event.whom).toEqual({ uid: person.uid, name: "Deleted user" });
  });
});
