// The past of an account over HTTP: for whom it is, what a time means, and what is refused.
import { afterAll, beforeAll, expect, it } from "vitest";
import { ledgerResponse } from "#features/accounts/contract.ts";
import {
  balanceAsOfResponse,
  compareResponse,
  historyAsOfResponse,
} from "#features/accounts/contract-as-of.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import type { Requested, TradeShop } from "#testing/shop/trade-shop.ts";
import { openTradeShop } from "#testing/shop/trade-shop.ts";

let desk: TradeShop;
let trade: Requested;

beforeAll(async () => {
  desk = await openTradeShop();
  trade = await desk.accepted();
  await desk.shop.call("POST", "/api/sales/custom", {
    as: desk.admin,
    body: { consignorID: trade.buyer.uid, itemName: "Cable lot", amount: 12.5 },
  });
});

afterAll(() => desk.close());

const get = (path: string, as: TestPerson) => desk.shop.call("GET", `/api${path}`, { as });
const FUTURE = "2099-01-01T00:00:00Z";

it("as of now, the history is the ledger", async () => {
  const { buyer } = trade;
  const answer = await get(`/audit/history/${buyer.uid}?at=${FUTURE}`, buyer);
  const past = historyAsOfResponse.parse(answer.body);
  const ledger = ledgerResponse.parse((await get(`/sales/ledger/${buyer.uid}`, buyer)).body);
  expect(past.lines.map(({ effectiveAt: _at, ...line }) => line)).toEqual(ledger.lines);
  expect(past).toMatchObject({
    by: "recorded",
    lineCount: 3,
    balance: ledger.lines[0]?.balanceAfter,
  });
});

it("as of a position, what came later is not there", async () => {
  const { buyer } = trade;
  const ledger = ledgerResponse.parse((await get(`/sales/ledger/${buyer.uid}`, buyer)).body);
  const [, second] = ledger.lines;
  const path = `/audit/balance/${buyer.uid}?at=${second?.position}`;
  expect(balanceAsOfResponse.parse((await get(path, buyer)).body)).toMatchObject({
    by: "recorded",
    balance: second?.balanceAfter,
    lines: 2,
    position: second?.position,
    at: second?.recordedAt,
  });
  const effective = await get(`${path}&by=effective`, desk.admin);
  expect(effective.body).toMatchObject({ by: "effective" });
  const compared = await get(`/audit/compare/${buyer.uid}?at=${second?.position}`, buyer);
  expect(compareResponse.parse(compared.body)).toMatchObject({ isBalanced: true });
});

it.each(["balance", "history", "compare"])(
  "%s is for the person and for admins, and says nothing about the other party of a trade",
  async (call) => {
    const { buyer, seller } = trade;
    const path = `/audit/${call}/${buyer.uid}?at=${FUTURE}`;
    expect((await get(path, desk.admin)).status).toBe(200);
    expect((await get(path, seller)).status).toBe(403);
    const { status, body } = await get(path, buyer);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(seller.uid);
  },
);

it.each([
  ["balance", "", "at"],
  ["balance", "?at=noon", "at"],
  ["balance", "?at=1&by=feeling", "by"],
  ["history", "?at=99999999", "at"],
  ["history", "?at=1&cursor=5", "cursor"],
  ["history", "?at=1&limit=0", "limit"],
  ["compare", "?at=-1", "at"],
  ["compare", "?at=1&cursor=x", "cursor"],
])("%s refuses %s", async (call, query, path) => {
  const answer = await get(`/audit/${call}/${trade.buyer.uid}${query}`, trade.buyer);
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path }] } });
});

it("a statement as of a time is the one at the last position that was recorded by then", async () => {
  const { buyer } = trade;
  const path = `/accounts/${buyer.uid}/statement?from=2026-01-01&to=2026-12-31`;
  const ledger = ledgerResponse.parse((await get(`/sales/ledger/${buyer.uid}`, buyer)).body);
  const position = ledger.lines[1]?.position;
  const then = await get(`${path}&at=${position}`, buyer);
  expect(then.body).toMatchObject({
    position,
    closing: { balance: ledger.lines[1]?.balanceAfter },
  });
  const now = await get(`${path}&at=${FUTURE}`, buyer);
  expect(now.body).toEqual((await get(path, buyer)).body);
  expect((await get(`${path}&at=2001-01-01T00:00:00Z`, buyer)).body).toMatchObject({ position: 0 });
  expect((await get(`${path}&at=1&position=1`, buyer)).status).toBe(400);
});

it("before the first event there was nothing", async () => {
  const { buyer } = trade;
  for (const by of ["recorded", "effective"]) {
    const path = `/audit/history/${buyer.uid}?at=2001-01-01T00:00:00Z&by=${by}`;
    expect((await get(path, buyer)).body).toMatchObject({ balance: 0, lineCount: 0, lines: [] });
    const none = await get(`/audit/balance/${buyer.uid}?at=0&by=${by}`, buyer);
    expect(none.body).toMatchObject({ balance: 0, lines: 0, at: null });
  }
});
