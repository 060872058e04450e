// The old app's file is read to the cent, under the old app's own names, and refused with the place of each problem.
import { describe, expect, test } from "vitest";
import { LegacyFileProblem, readLegacyFile } from "#features/migration/legacy-file.ts";
import { noticesOf } from "#features/migration/legacy-staging.ts";
import { TEST_NOW } from "#testing/service/test-app.ts";

describe("the file", () => {
  const read = (users: unknown) => readLegacyFile(JSON.stringify({ users }), TEST_NOW);

  test("has its money converted to cents, rounded half up, and every rounding is listed", () => {
    const [account] = read([
      {
        email: " Robin@People.test ",
        balance: 0.125,
        sales: [{ salePrice: 1.005, payoutAmount: "0.004" }],
        payouts: [{ amount: 1e-3, method: "venmo", paid: true }],
      },
    ]);
    expect(account).toMatchObject({
      email: "robin@people.test",
      holdings: {
        balanceCents: 13,
        sales: [{ priceCents: 101, payoutCents: 0, units: 1, itemName: "Item" }],
        payouts: [{ amountCents: 1 }],
      },
      roundings: [
        { what: "balance", from: "0.125", toCents: 13 },
        { what: "sale 1: salePrice", from: "1.005", toCents: 101 },
        { what: "sale 1: payoutAmount", from: "0.004", toCents: 0 },
        { what: "payout 1: amount", from: "0.001", toCents: 1 },
      ],
    });
    expect(read([{ id: "x", balance: -0.125 }])[0]?.holdings.balanceCents).toBe(-12);
  });

  test.each([
    ["cashapp", { handle: "averyq" }, "$averyq"],
    ["cashapp", { cashAppLink: "https://cash.app/$averyq/12.00" }, "$averyq"],
    ["cashapp", { cashAppLink: "averyq", venmoUsername: "other" }, "$averyq"],
    ["cashapp", { handle: "$first", cashAppLink: "averyq" }, "$first"],
    ["venmo", { venmoUsername: "https://venmo.com/u/avery-q?txn=pay" }, "@avery-q"],
    ["venmo", { venmoUsername: "@avery-q" }, "@avery-q"],
    ["venmo", { cashAppLink: "averyq" }, ""],
    ["cashapp", { cashAppLink: "https://cash.app//3.00" }, ""],
    ["cashapp", { cashAppLink: "https://elsewhere.test/averyq" }, ""],
  ])("names the handle of a %s payout with %j as the old app did: %s", (method, names, handle) => {
    const [account] = read([{ id: "x", payouts: [{ amount: 3, method, ...names }] }]);
    expect(account?.holdings.payouts[0]?.handle).toBe(handle);
  });

  test("says which fields of it are not taken over, how often, and which unpaid payouts have no handle", () => {
    const payout = { amount: 1, method: "venmo", displayName: "Q" };
    const accounts = read([
      { id: "a", theme: "dark", payouts: [payout, { ...payout, paid: true }] },
      { id: "b", payouts: [payout], sales: [{ salePrice: 1, timestamp: 1704103200000, tip: 2 }] },
    ]);
    expect(noticesOf(accounts)).toEqual({
      ignored: [
        { field: "users.theme", count: 1 },
        { field: "payouts.displayName", count: 3 },
        { field: "sales.tip", count: 1 },
      ],
      withoutHandle: 2,
    });
    expect(accounts[1]?.holdings.sales[0]?.happenedAt).toBe("2024-01-01T10:00:00.000Z");
  });

  test.each([
    [[{ balance: 1 }], "users.0: has neither id, email nor username"],
    [[{ id: "x", balance: "12,50" }], "users.0.balance: must be an amount"],
    [[{ id: "x", balance: 1e12 }], "users.0.balance: must be an amount"],
    [[{ id: "x", items: [{ itemName: "A", barcode1: "", quantity: 1 }] }], "barcode1: is missing"],
    [[{ id: "x", items: [{ itemName: "A", barcode1: "1", quantity: 1.5 }] }], "quantity"],
    [[{ id: "x", sales: [{ salePrice: -1 }] }], "salePrice: must not be negative"],
    [[{ id: "x", sales: [{ salePrice: 1, dateSold: "2030-01-01" }] }], "is in the future"],
    [[{ id: "x" }, { id: "x" }], "users.1: is the same as users.0"],
    ["nobody", "users"],
  ])("%j is refused as a whole", (users, problem) => {
    expect(() => read(users)).toThrow(LegacyFileProblem);
    expect(() => read(users)).toThrow(problem);
  });
});
