// Tests at which address a found thing is open, and in which words the palette lists it.
import { expect, it } from "vitest";
import type { FoundThing } from "#features/lookup/contract.ts";
import { pathOfThing, wordsOfThing } from "./found-things.ts";

const id = "00000000-0000-4000-8000-000000000065";
const payout = {
  kind: "payout",
  id,
  amount: 65,
  requestedAt: "2026-11-20T12:00:00.000Z",
  status: "returned",
  consignorName: "Avery Stone",
} as const satisfies FoundThing;

it("a payout is open in the list of its status, whatever that list showed before, with what funded it", () => {
  const list = { pathname: "/payout-requests", search: "?status=paid&q=blake&method=venmo" };
  expect(pathOfThing(payout, true, list)).toBe(
    `/payout-requests?status=returned&q=${id}&why=payout:${id}`,
  );
  expect(pathOfThing({ ...payout, status: "pending" }, true, list)).toBe(
    `/payout-requests?q=${id}&why=payout:${id}`,
  );
  expect(pathOfThing(payout, false, list)).toBe(`/sales-history?tab=payouts&why=payout:${id}`);
});

it("a payout says how much it was, what became of it, and whose it is", () => {
  const { label, detail } = wordsOfThing(payout, true);
  expect(label).toBe("Payout of $65.00");
  expect(detail).toMatch(/^came back · requested .+ · Avery Stone$/u);
});

it("a sale that is found beside its own list keeps the list's filters", () => {
  const sale = {
    kind: "sale",
    id,
    itemName: "Lamp",
    quantity: 1,
    price: 4,
    soldAt: "2026-11-20T12:00:00.000Z",
    consignorName: null,
  } as const;
  const list = { pathname: "/admin/sales", search: "?q=lamp&why=payout:1" };
  expect(pathOfThing(sale, true, list)).toBe(`/admin/sales?q=lamp&sale=${id}`);
});
