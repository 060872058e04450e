// The audit log as a file: the events of the filtered list, in its order, for an admin and for a consignor.
import Papa from "papaparse";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AuditEventsResponse, AuditLine } from "#features/audit/contract.ts";
import { findForFile } from "#features/audit/exports.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { openTradeShop } from "#testing/shop/trade-shop.ts";

let market: TradeShop;
let admin: TestPerson;
let seller: TestPerson;
let buyer: TestPerson;

beforeAll(async () => {
  market = await openTradeShop();
  admin = market.admin;
  const accepted = await market.accepted();
  ({ seller, buyer } = accepted);
  await market.upload(admin, accepted.tradeId);
  await market.post(admin, `${accepted.tradeId}/fulfill`);
  await market.shop.call("PUT", `/api/sales/balance/${seller.uid}`, {
    as: admin,
    body: { balance: 90, reason: "Goodwill" },
  });
  await market.shop.runner.catchUp();
});

afterAll(() => market.close());

async function ask(as: TestPerson, path: string) {
  return market.shop.call("GET", `/api/audit/events${path}`, { as });
}

type Line = Readonly<Record<string, string>>;

async function fileOf(as: TestPerson, query: string): Promise<readonly Line[]> {
  const { status, body, headers } = await ask(as, `/export?${query}`);
  expect([status, headers.get("Content-Type")]).toEqual([200, "text/csv; charset=utf-8"]);
  return Papa.parse<Line>(String(body).trimEnd(), { header: true }).data;
}

async function listOf(as: TestPerson, query: string): Promise<readonly AuditLine[]> {
  const { body } = await ask(as, `?limit=200&${query}`);
  return (body as AuditEventsResponse).events;
}

const shown = ({ amount, ...line }: AuditLine): Line => ({
  Position: String(line.position),
  "Recorded at": line.recordedAt,
  "Happened at": line.happenedAt,
  Type: line.type,
  "What happened": line.title,
  By: line.actor.name,
  Amount: amount === null ? "" : amount.toFixed(2),
});

it("has the events of the list, in its order and with its filters, for everybody who may see them", async () => {
  for (const [as, query] of [
    [admin, ""],
    [admin, "order=oldest&group=trade"],
    [admin, "q=lamp"],
    [seller, ""],
    [seller, "order=oldest&q=lamp"],
    [buyer, ""],
  ] as const) {
    const [file, listed] = [await fileOf(as, query), await listOf(as, query)];
    const amount = as === admin ? "Amount" : "Your balance";
    const lines = file.map((line) => ({ ...line, Amount: line[amount] ?? "?" }));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines).toMatchObject(listed.map(shown));
  }
  const [sale] = await fileOf(admin, "type=TradeFulfilled");
  const [line] = await listOf(admin, "type=TradeFulfilled");
  expect(sale).toMatchObject({
    "By id": admin.uid,
    "Concerns id": `${line?.whom?.uid}; ${seller.uid}`,
    "Trade id": line?.about?.id,
  });
  expect(sale?.["Concerns"]).toMatch(new RegExp(`^${line?.whom?.name}; .+`, "u"));
});

it("names every item and everybody that an event names, not only the first", async () => {
  const post = (path: string, body: unknown) =>
    market.shop.call("POST", `/api/inventory/${path}`, { as: admin, body });
  await post("master", { itemName: "Chair", barcode1: "CHAIR-1", quantity: 5, location: "A-1" });
  const { sql } = market.shop.database;
  const [chair] = await sql<{ id: string }[]>`
    select data ->> 'itemId' as id from log.events where type = 'ItemAdded' order by position desc limit 1`;
  const masterItemID = chair?.id ?? "";
  const consigned = { masterItemID, consignorID: seller.uid, quantity: 2, location: "A-2" };
  expect((await post("allocate", consigned)).status).toBe(200);
  await market.shop.runner.catchUp();
  const [moved] = await sql<{ own: string }[]>`
    select data ->> 'itemId' as own from log.events where type = 'UnitsAllocated'`;
  const [line] = await fileOf(admin, "type=UnitsAllocated");
  expect(line).toMatchObject({
    "Item id": `${moved?.own}; ${masterItemID}`,
    "Concerns id": seller.uid,
  });
  const [asked] = await fileOf(admin, "type=TradeRequested");
  expect(asked?.["Concerns id"]?.split("; ")).toEqual(
    expect.arrayContaining([buyer.uid, seller.uid]),
  );
});

it("says for admins between which accounts each event moved money, so that the file can be summed", async () => {
  const { sql } = market.shop.database;
  const lines = await fileOf(admin, "");
  const sums = new Map<string, number>();
  for (const posting of lines.flatMap(
    (line) => (line["Postings"] || undefined)?.split("; ") ?? [],
  )) {
    const [, from = "", to = "", amount] = /^(\S+) > (\S+) (\d+\.\d\d)$/u.exec(posting) ?? [];
    const cents = Math.round(Number(amount) * 100);
    sums.set(from, (sums.get(from) ?? 0) - cents);
    sums.set(to, (sums.get(to) ?? 0) + cents);
  }
  const balances = await sql<{ account: string; cents: number }[]>`
    select account, balance_cents as cents from read.balances where balance_cents <> 0`;
  expect(balances.length).toBeGreaterThan(2);
  expect(Object.fromEntries([...sums].filter(([, cents]) => cents !== 0))).toEqual(
    Object.fromEntries(balances.map(({ account, cents }) => [account, cents])),
  );
  expect(Object.keys((await fileOf(seller, ""))[0] ?? {})).not.toContain("Postings");
});

it("has the reasons that were given, for those who may read them", async () => {
  for (const as of [admin, seller]) {
    const [last] = await fileOf(as, "type=BalanceSet");
    expect(last).toMatchObject({ Reason: "Goodwill" });
  }
  const rename = { displayName: "Sam Seller", reason: "Asked by phone" };
  const path = `/api/auth/users/${seller.uid}`;
  expect((await market.shop.call("PUT", path, { as: admin, body: rename })).status).toBe(200);
  await market.shop.runner.catchUp();
  expect(await fileOf(admin, "type=UserRenamed")).toMatchObject([{ Reason: "Asked by phone" }]);
  expect((await ask(seller, "/export")).body).not.toContain("Asked by phone");
});

it("names the account in its head where amounts are what each event changed of it", async () => {
  const [line] = await fileOf(admin, "account=store:adjustments");
  const [listed] = await listOf(admin, "account=store:adjustments");
  expect(line?.["Change of store:adjustments"]).toBe(listed?.amount?.toFixed(2));
});

it("a consignor's file has no other person, and nobody exports what they may not list", async () => {
  const others = [admin, seller, buyer];
  for (const as of [seller, buyer]) {
    const { body } = await ask(as, "/export");
    for (const { uid } of others) {
      expect(String(body)).not.toContain(uid);
    }
    expect(Object.keys((await fileOf(as, ""))[0] ?? {})).not.toContain("Concerns");
    expect((await ask(as, `/export?person=${admin.uid}`)).status).toBe(403);
    expect((await ask(as, "/export?account=store:revenue")).status).toBe(403);
  }
  expect((await ask(admin, "/export?cursor=5")).status).toBe(400);
});

it("is found page by page, each in the person's turn, and refused if it has too many lines", async () => {
  const none = { person: null, streams: [], types: [], actor: null, account: null, sought: null };
  const filters = { ...none, ownEntries: false, isOwn: false };
  const all = await listOf(admin, "");
  let turns = 0;
  const inTurn = <Result>(work: () => Promise<Result>) => {
    turns += 1;
    return work();
  };
  const find = (order: "newest" | "oldest", lines: number) => {
    const range = { order, bounds: { after: 0, before: all.length + 1 } };
    return findForFile(market.shop.deps.reads, filters, range, inTurn, { lines, page: 3 });
  };
  const positions = all.map(({ position }) => position);
  expect(await find("newest", all.length)).toEqual(positions);
  expect(turns).toBe(Math.ceil(all.length / 3));
  expect(await find("oldest", all.length)).toEqual(positions.toReversed());
  await expect(find("newest", all.length - 1)).rejects.toMatchObject({ code: "too_many_lines" });
});
