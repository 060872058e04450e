// An account's last entries: what they are made of, which came late, and what became of a requested payout.
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod/mini";
import { ledgerResponse } from "#features/accounts/contract.ts";
import { recentResponse } from "#features/accounts/contract-summary.ts";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import {
  type ItemOwner,
  openSaleShop,
  saleIdOf,
  saleOf,
  type SaleShop,
} from "#testing/shop/sale-shop.ts";

let sales: SaleShop;
let owner: ItemOwner;
let payoutId: string;

beforeAll(async () => {
  sales = await openSaleShop();
  owner = await sales.consignorWith(9);
  saleIdOf(await sales.record(saleOf(owner)));
});

afterAll(() => sales.close());

const call = (method: string, path: string, body: unknown, by = sales.admin) =>
  sales.shop.call(method, `/api${path}`, { as: by, ...(body === undefined ? {} : { body }) });

async function recent() {
  const answer = await call("GET", `/accounts/${owner.person.uid}/recent`, undefined, owner.person);
  return recentResponse.parse(answer.body);
}

async function ledger() {
  const path = `/sales/ledger/${owner.person.uid}`;
  return ledgerResponse.parse((await call("GET", path, undefined, owner.person)).body);
}

async function request(amount: number): Promise<string> {
  const body = { amount, method: "cashapp", paymentUsername: "avery" };
  const answer = await call("POST", `/payouts/${owner.person.uid}/request`, body, owner.person);
  return z.object({ payoutId: z.string() }).parse(answer.body).payoutId;
}

test("the last entries say what their amounts are made of, and the reasons that were given", async () => {
  const path = `/sales/balance/${owner.person.uid}`;
  await call("PUT", path, { balance: 30, reason: "Counted again" });
  const { lines } = await recent();
  expect(lines).toMatchObject([
    { line: 2, kind: "adjustment", note: "Counted again", balanceAfter: 30, reasons: [] },
    { line: 1, kind: "sale", note: null, isLate: false },
  ]);
  const sum = (lines[1]?.reasons ?? []).reduce((cents, step) => cents + step.amount * 100, 0);
  expect(sum).toBeCloseTo((lines[1]?.amount ?? 0) * 100);
});

test("a requested payout waits, then its entry turns from pending to done", async () => {
  payoutId = await request(10);
  expect((await recent()).payouts).toMatchObject([
    { id: payoutId, amount: 10, method: "cashapp", status: "pending", settledAt: null },
  ]);
  const tone = async () => {
    const { lines } = await ledger();
    return lines.find(({ type }) => type === "PayoutRequested")?.chip;
  };
  expect(await tone()).toEqual({ label: "Payout requested", tone: "pending" });
  await call("PATCH", `/payouts/${owner.person.uid}/${payoutId}/paid`, undefined);
  expect(await tone()).toEqual({ label: "Payout requested", tone: "done" });
  expect((await recent()).payouts).toMatchObject([{ id: payoutId, status: "paid" }]);
});

test("the entry of a deleted request does not look as if it still waits", async () => {
  const deleted = await request(5);
  await call("DELETE", `/payouts/${owner.person.uid}/${deleted}`, undefined);
  const { lines } = await ledger();
  const entry = lines.find((line) => line.payoutID === deleted && line.type === "PayoutRequested");
  expect(entry?.chip.tone).toBe("neutral");
});

test("a payment moves nothing, and the month's amounts still add up to closing minus opening", async () => {
  const { lines, months } = await ledger();
  const paid = lines.find(({ type }) => type === "PayoutPaid");
  expect(paid?.amount).toBe(0);
  for (const month of months) {
    const own = lines.filter((line) => line.month === month.month);
    const cents = own.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
    expect(cents).toBe(Math.round((month.closing - month.opening) * 100));
  }
});

test("of many payouts, the pending ones are shown even if later ones were settled", async () => {
  const waiting = await request(1);
  for (const amount of [2, 3, 4]) {
    const later = await request(amount);
    await call("PATCH", `/payouts/${owner.person.uid}/${later}/paid`, undefined);
  }
  expect((await recent()).payouts.map(({ id }) => id)).toEqual([waiting]);
});

test("a late entry is marked as late where it was recorded; entries of the same day are not", async () => {
  const happenedAt = "2026-01-05T12:00:00.000Z";
  await sales.shop.deps.ledger.execute(
    recordCustomSale,
    {
      saleId: "00000000-0000-4000-8000-000000000999",
      consignorId: owner.person.uid,
      itemName: "Found in a drawer",
      amountCents: 100,
      happenedAt,
    },
    { actor: sales.admin.uid, scope: "store", key: "late", requestHash: "00" },
  );
  const { lines } = await recent();
  expect(lines.map(({ isLate }) => isLate)).toEqual([true, false, false, false, false]);
  expect(lines[0]).toMatchObject({
    description: "Found in a drawer sold (custom sale)",
    happenedAt,
  });
});
