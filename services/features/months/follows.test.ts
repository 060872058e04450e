// Verify names a closed month and remitted sales tax that do not follow from those before them, whoever appended them.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closeMonth } from "#features/months/decider.ts";
import { remitSalesTax, reverseRemittance } from "#features/months/decider-tax.ts";
import {
  MonthClosed,
  SalesTaxRemittanceReversed,
  SalesTaxRemitted,
} from "#features/months/events.ts";
import { monthAfter, MONTHS, REMITTANCES, TAX_AUTHORITY } from "#features/months/streams.ts";
import { STORE_SALES_TAX } from "#features/sales/streams.ts";
import { emit } from "#ledger/event.ts";
import { move } from "#ledger/posting.ts";
import { saidAbout, wrongInLog } from "#testing/shop/forge.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { noTotals } from "#testing/shop/month-totals.ts";

const happenedAt = "2026-11-28T10:00:00.000Z";

let shop: MoneyShop;
const [remitted, reversed] = [randomUUID(), randomUUID()];

function monthOf(month: string, from = `${month}-01T00:00:00.000Z`) {
  const to = `${monthAfter(month)}-01T00:00:00.000Z`;
  return { month, from, to, timeZone: "UTC", throughPosition: 0, totals: noTotals };
}

const closed = (month: string, from?: string) =>
  emit(MonthClosed, monthOf(month, from), { streams: [MONTHS], happenedAt });

function remittance(remittanceId: string, month: string, amountCents: number) {
  return emit(
    SalesTaxRemitted,
    { remittanceId, month, amountCents, reference: "", noteId: null },
    {
      streams: [REMITTANCES],
      postings: move(STORE_SALES_TAX, TAX_AUTHORITY, amountCents),
      happenedAt,
    },
  );
}

function reversal(remittanceId: string, month: string, amountCents: number) {
  return emit(
    SalesTaxRemittanceReversed,
    { remittanceId, month, amountCents, noteId: null },
    {
      streams: [REMITTANCES],
      postings: move(TAX_AUTHORITY, STORE_SALES_TAX, amountCents),
      happenedAt,
    },
  );
}

const saysOf = (reason: string) => [expect.stringContaining(reason)];

beforeAll(async () => {
  shop = await openMoneyShop();
  for (const month of ["2022-12", "2023-01"]) {
    await shop.execute(closeMonth, { ...monthOf(month), happenedAt });
  }
  for (const remittanceId of [remitted, reversed]) {
    const paid = { remittanceId, month: "2023-01", amountCents: 500, collectedCents: 5_000 };
    await shop.execute(remitSalesTax, { ...paid, reference: "", noteId: null, happenedAt });
  }
  const wrong = { remittanceId: reversed, collectedCents: 5_000, noteId: null, happenedAt };
  await shop.execute(reverseRemittance, wrong);
  await shop.runner.catchUp();
});

afterAll(() => shop.close());

it("finds nothing wrong with what deciders wrote", async () => {
  expect(await wrongInLog(shop)).toEqual([]);
});

it("names tax that was remitted twice, and reversals of another amount, of nothing, or made before", async () => {
  const said = await saidAbout(shop, [
    remittance(remitted, "2023-01", 500),
    reversal(remitted, "2023-01", 400),
    reversal(reversed, "2023-01", 500),
    reversal(randomUUID(), "2023-01", 500),
  ]);
  expect(said).toEqual([
    saysOf("SalesTaxRemitted does not follow from remittances before it: it was remitted before"),
    saysOf("it says amountCents 400 instead of 500"),
    saysOf("This remittance was taken back before"),
    saysOf("There is no such remittance"),
  ]);
});

it("names a month that was closed twice, left one out, is not over, or begins elsewhere than the last one ended", async () => {
  const said = await saidAbout(shop, [
    closed("2023-01"),
    closed("2023-02", "2023-02-01T06:00:00.000Z"),
    closed("2023-05"),
    closed("2026-12"),
  ]);
  expect(said).toEqual([
    saysOf("MonthClosed does not follow from months before it: January 2023 is closed already"),
    saysOf("Close February 2023 first"),
    saysOf("Close March 2023 first"),
    saysOf("Close June 2023 first"),
  ]);
});

it("names a month that was closed before it was over", async () => {
  const said = await saidAbout(shop, [closed("2027-01")]);
  expect(said).toEqual([saysOf("January 2027 is not over yet")]);
});
