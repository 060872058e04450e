// Changes of what is owed that sum to zero over HTTP: named with the number of their lines, which the call of the lines has too.
import { afterAll, beforeAll, expect, it } from "vitest";
import { setBalance } from "#features/accounts/decider.ts";
import {
  reportChange,
  reportConsignorsResponse,
  reportLinesResponse,
  reportZerosResponse,
} from "#features/reports/contract.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { openTradeShop } from "#testing/shop/trade-shop.ts";

let desk: TradeShop;

const YEAR = "from=2026-01-01&to=2026-12-31";

async function get(path: string) {
  return desk.shop.call("GET", `/api/reports/${path}`, { as: desk.admin });
}

/** A trade, an adjustment that was taken back, and one that was not. */
beforeAll(async () => {
  desk = await openTradeShop();
  const { admin, shop } = desk;
  const { tradeId } = await desk.accepted();
  await desk.upload(admin, tradeId);
  await desk.post(admin, `${tradeId}/fulfill`, {});
  const { uid } = await desk.buyerWith(300);
  const taken = { uid, balanceCents: 0, expectedCents: null, noteId: null };
  await shop.deps.ledger.execute(
    setBalance,
    { ...taken, happenedAt: "2026-11-21T12:00:00.000Z" },
    { actor: admin.uid, scope: "store", key: "taken-again", requestHash: "00" },
  );
  await desk.buyerWith(100);
  await shop.runner.catchUp();
});

afterAll(() => desk.close());

it("changes of what is owed that sum to zero are listed with the number of their lines, and all others are not", async () => {
  const list = await get(`consignors?${YEAR}`);
  const { consignors } = reportConsignorsResponse.parse(list.body);
  const found: string[] = [];
  for (const scope of ["", ...consignors.map(({ consignorID }) => `&consignor=${consignorID}`)]) {
    const { changes } = reportZerosResponse.parse((await get(`zero-changes?${YEAR}${scope}`)).body);
    for (const number of reportChange.options) {
      const answer = await get(`lines?${YEAR}${scope}&number=${number}`);
      const { total, lineCount } = reportLinesResponse.parse(answer.body);
      const lines = changes.find((change) => change.number === number)?.lines ?? 0;
      expect([scope, number, lines]).toEqual([scope, number, total === 0 ? lineCount : 0]);
      if (lines > 0) {
        found.push(`${scope === "" ? "store" : "consignor"}: ${number}, ${lines}`);
      }
    }
  }
  expect(found).toEqual(["store: traded, 2", "consignor: adjustments, 2"]);
});
