// An account's last entries: what they are made of, which came late, and what became of a requested payout.
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod/mini";
import { ledgerResponse } from "#features/accounts/contract.ts";
import { recentResponse } from "#features/accounts/contract-summary.ts";
import { returnPayout } from "#features/payouts/decider-return.ts";
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

async function recent({ person }: Pick<ItemOwner, "person"> = owner) {
  const answer = await call("GET", `/accounts/${person.uid}/recent`, undefined, person);
  return recentResponse.parse(answer.body);
}

async function ledger({ person } = owner) {
  const path = `/sales/ledger/${person.uid}`;
  return ledgerResponse.parse((await call("GET", path, undefined, person)).body);
}

async function request(
  amount: number,
  { person }: Pick<ItemOwner, "person"> = owner,
): Promise<string> {
  const body = { amount, method: "cashapp", paymentUsername: "avery" };
  const answer = await call("POST", `/payouts/${person.uid}/request`, body, person);
  return z.object({ payoutId: z.string() }).parse(answer.body).payoutId;
}

test("the last entries say what their amounts are made of, and the reasons that were given", async () => {
  const path = `/sales/balance/${owner.person.uid}`;
  await call("PUT", path, { balance: 30, reason: "Counted again" });
  const { lines } = await recent();
  expect(lines).toMatchObject([
    { line: 2, kind: "adjustment", note: "Counted again", balanceAfter: 30, reasons: [] },
    { line: 1, kind: "sale", note: null },
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
  await call("POST", `/payouts/${owner.person.uid}/${payoutId}/claim`, undefined);
  expect((await recent()).payouts).toMatchObject([
    { id: payoutId, claimedUntil: "2026-11-21T10:10:00.000Z", handle: null },
  ]);
  const path = `/payouts/${owner.person.uid}/${payoutId}/paid`;
  await call("PATCH", path, { reference: "T-4711" });
  expect(await tone()).toEqual({ label: "Payout requested", tone: "done" });
  expect((await recent()).payouts).toMatchObject([
    {
      id: payoutId,
      status: "paid",
      claimedUntil: null,
      handle: "$avery",
      reference: "T-4711",
      withdrawn: false,
    },
  ]);
});

test("the entry of a withdrawn request does not look as if it still waits", async () => {
  const withdrawn = await request(5);
  await call("DELETE", `/payouts/${owner.person.uid}/${withdrawn}`, undefined, owner.person);
  const found = (await recent()).payouts.find(({ id }) => id === withdrawn);
  expect(found).toMatchObject({ status: "deleted", withdrawn: true });
  const { lines } = await ledger();
  const entry = lines.find(
    (line) => line.payoutID === withdrawn && line.type === "PayoutRequested",
  );
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

test("of many payouts, those that wait longest come first, the rest is counted, and one that is paid stays", async () => {
  const ids: string[] = [];
  for (const amount of [1, 1.1, 1.2, 1.3, 1.4]) {
    ids.push(await request(amount));
  }
  const idsOf = async (status: "pending" | "paid") => {
    const { payouts } = await recent();
    return payouts.filter((payout) => payout.status === status).map(({ id }) => id);
  };
  expect(await idsOf("pending")).toEqual(ids.slice(0, 3));
  expect((await recent()).morePending).toBe(2);
  await call("PATCH", `/payouts/${owner.person.uid}/${ids[0]}/paid`, undefined);
  expect(await idsOf("pending")).toEqual(ids.slice(1, 4));
  expect(await idsOf("paid")).toEqual([ids[0], payoutId]);
  expect((await recent()).morePending).toBe(1);
});

test.each([
  ["2026-11-08T10:00:00.000Z", true],
  ["2026-11-06T10:00:00.000Z", false],
] as const)(
  "a payout that came back on %s is shown before requests that were withdrawn since: %s",
  async (happenedAt, isNews) => {
    const { person } = await sales.consignorWith(1);
    await call("PUT", `/sales/balance/${person.uid}`, { balance: 30, reason: "Counted again" });
    const returned = await request(10, { person });
    await call("PATCH", `/payouts/${person.uid}/${returned}/paid`, undefined);
    await sales.shop.deps.ledger.execute(
      returnPayout,
      { payoutId: returned, consignorId: person.uid, noteId: returned, happenedAt },
      { actor: sales.admin.uid, scope: "store", key: `return-${happenedAt}`, requestHash: "00" },
    );
    const withdrawn: string[] = [];
    for (const amount of [1, 2, 3]) {
      const id = await request(amount, { person });
      await call("DELETE", `/payouts/${person.uid}/${id}`, undefined, person);
      withdrawn.unshift(id);
    }
    const { payouts } = await recent({ person });
    expect(payouts.map(({ id }) => id)).toEqual(
      isNews ? [returned, ...withdrawn.slice(0, 2)] : withdrawn,
    );
  },
);

test("an entry that was recorded in a later month says so, also on a quiet account; one of the same day does not", async () => {
  const quiet = await sales.consignorWith(1);
  const { sql } = sales.shop.database;
  // The database's clock says when entries are recorded; a minute ahead, so that midnight does not matter.
  const [clock] = await sql<{ soon: Date }[]>`select now() + interval '1 minute' as soon`;
  const times = [
    "2026-01-05T12:00:00.000Z",
    clock?.soon.toISOString() ?? "",
    "2026-01-06T12:00:00.000Z",
  ];
  for (const [nth, happenedAt] of times.entries()) {
    await sales.shop.deps.ledger.execute(
      recordCustomSale,
      {
        saleId: `00000000-0000-4000-8000-00000000099${nth}`,
        consignorId: quiet.person.uid,
        itemName: `Found in drawer ${nth}`,
        amountCents: 100,
        happenedAt,
      },
      { actor: sales.admin.uid, scope: "store", key: `late-${nth}`, requestHash: "00" },
    );
  }
  const { lines } = await recent(quiet);
  expect(lines.map((line) => [line.line, line.isLate, line.happenedAt])).toEqual([
    [3, true, times[2]],
    [2, false, times[1]],
    [1, true, times[0]],
  ]);
  const months = (await ledger(quiet)).lines.map(({ month }) => month);
  expect(months).toEqual([times[1]?.slice(0, 7), times[1]?.slice(0, 7), "2026-01"]);
});
