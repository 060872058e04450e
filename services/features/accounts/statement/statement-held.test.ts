// Money held for trades on a yearly statement: its proof names it, and whoever checks the file reads what the file says.
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  checkFile,
  csvSeal,
  statementKeysResponse,
  type StatementProof,
  verifyStatementResponse,
} from "#features/accounts/contract-statement-proof.ts";
import {
  balancesOf,
  laterNote,
  laterSentences,
  type Verdict,
  verdictOf,
} from "#features/accounts/contract-statement-verdict.ts";
import type { Requested, TradeShop } from "#testing/shop/trade-shop.ts";
import { openTradeShop } from "#testing/shop/trade-shop.ts";

let desk: TradeShop;
/** A buyer with $100, of which $14 are held for a trade with its fee, and $25 requested. */
let trade: Requested;
let payoutId: string;

/** Asks for a payout of this many dollars; its id. */
async function ask(amount: number): Promise<string> {
  const { body } = await desk.shop.call("POST", `/api/payouts/${trade.buyer.uid}/request`, {
    as: trade.buyer,
    body: { amount, method: "venmo", paymentUsername: "@zoe-quill" },
  });
  return String(Reflect.get(Object(body), "payoutId"));
}

beforeAll(async () => {
  desk = await openTradeShop();
  trade = await desk.accepted();
  payoutId = await ask(25);
});

afterAll(() => desk.close());

/** The bytes of a file as a string. */
async function file(path: string): Promise<string> {
  const answer = await desk.shop.app.request(
    `http://app.test/api/accounts/${trade.buyer.uid}/${path}`,
    { headers: { Authorization: `Bearer ${trade.buyer.token}` } },
  );
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer()).toString("latin1");
}

/** What anybody is told about a file, with the calls of the API. */
async function verdictOn(text: string): Promise<Verdict> {
  const readKeys = async () => {
    const { body } = await desk.shop.call("GET", "/api/statements/jwks");
    return statementKeysResponse.parse(body).keys;
  };
  const checked = await checkFile(Uint8Array.from(Buffer.from(text, "latin1")), readKeys);
  return verdictOf(checked, async (jws) => {
    const { body } = await desk.shop.call("POST", "/api/statements/verify", { body: { jws } });
    return verifyStatementResponse.parse(body);
  });
}

async function genuine(path: string): Promise<StatementProof> {
  const verdict = await verdictOn(await file(path));
  expect(verdict.kind).toBe("genuine");
  return (verdict as Extract<Verdict, { kind: "genuine" }>).proof;
}

const dollarsOf = (proof: StatementProof) =>
  balancesOf(proof).map(({ label, cents }) => `${label} ${(cents / 100).toFixed(2)}`);

test("a checked yearly statement has the closing balance that is on it, and what is in it", async () => {
  expect(await file("years/2026?format=csv")).toMatch(
    /Closing balance so far,2026-11-21,+100\.00,"Available 61\.00, requested 25\.00, held for trades 14\.00"/u,
  );
  const said = [
    "Closing balance 100.00",
    "Available 61.00",
    "Requested 25.00",
    "Held for trades 14.00",
  ];
  for (const format of ["csv", "pdf"]) {
    expect(dollarsOf(await genuine(`years/2026?format=${format}`))).toEqual(said);
  }
});

test("a checked statement of days has what was available and requested, as on it", async () => {
  const proof = await genuine("statement?from=2026-11-01&to=2026-11-30&format=csv");
  expect(dollarsOf(proof)).toEqual(["Closing balance (available) 61.00", "Pending payouts 25.00"]);
});

test("an amount held that the log does not have is told apart, and an older file says none", async () => {
  const text = await file("years/2026?format=csv");
  const { sign } = desk.shop.identity.parts.statementKeys;
  const { heldCents, ...older } = await genuine("years/2026?format=csv");
  expect(heldCents).toBe(1_400);
  const signed = async (proof: object) => {
    const jws = /eyJ[\w-]+\.[\w-]+\.[\w-]+/u.exec(text)?.[0] ?? "";
    return verdictOn(text.replace(csvSeal(jws), csvSeal(await sign(proof))));
  };
  expect(await signed({ ...older, heldCents: 1_401 })).toMatchObject({ kind: "contradicted" });
  const verdict = await signed(older);
  expect(verdict).toMatchObject({ kind: "genuine", proof: older });
});

test("what was recorded after a yearly statement is told by what it changed of the closing balance", async () => {
  const [year, days] = await Promise.all([
    file("years/2026?format=csv"),
    file("statement?from=2026-11-01&to=2026-11-30&format=csv"),
  ]);
  const { buyer, tradeId } = trade;
  await ask(30);
  const { status } = await desk.shop.call("PATCH", `/api/payouts/${buyer.uid}/${payoutId}/paid`, {
    as: desk.admin,
  });
  expect(status).toBe(200);
  await desk.upload(desk.admin, tradeId);
  expect((await desk.post(desk.admin, `${tradeId}/fulfill`)).status).toBe(200);

  const toldOf = async (text: string): Promise<readonly string[]> => {
    const verdict = await verdictOn(text);
    return verdict.kind === "genuine"
      ? [
          ...laterSentences(verdict.later, (dollars) => dollars.toFixed(2)),
          laterNote(verdict.proof).slice(0, 44),
        ]
      : [verdict.kind];
  };
  // The payout was paid (-25.00), and the trade took what was held for it (-14.00). Asking for more only moves money.
  expect(await toldOf(year)).toEqual([
    "2 later changes of sales, payouts and trades on it: -39.00",
    "Amounts are changes of the closing balance. ",
  ]);
  expect(await toldOf(days)).toEqual([
    "2 entries of its period, recorded afterwards: -30.00",
    "Amounts are changes of the available balance",
  ]);
});
