// Specs of saying how a customer really paid: the whole receipt, no money, no units, and nothing twice.
import { describe, expect, test } from "vitest";
import { recordCustomSale, recordMasterSale, recordSale } from "#features/sales/decider-record.ts";
import type { CorrectTender } from "#features/sales/decider-tender.ts";
import { correctTender } from "#features/sales/decider-tender.ts";
import {
  idOf,
  noon,
  saleBooks,
  selling,
  sellingCustom,
  sellingMaster,
} from "#testing/shop/sale-books.ts";

function byCash(given: Partial<CorrectTender> = {}): CorrectTender {
  return {
    saleId: idOf(1),
    saleIds: [idOf(1), idOf(2)],
    tender: "cash",
    expectedVersion: null,
    noteId: null,
    happenedAt: noon,
    ...given,
  };
}

/** Two sales of one receipt, paid by card. */
function withReceipt() {
  const books = saleBooks();
  const till = { receiptId: idOf(50), tender: "card" } as const;
  books.when(recordSale, selling({ units: 1, till }));
  books.when(recordMasterSale, sellingMaster({ saleId: idOf(2), priceCents: 500, till }));
  return books;
}

describe("correcting how a receipt was paid", () => {
  test("changes each of its sales, and posts and moves nothing", () => {
    const { added, ...decision } = withReceipt().when(
      correctTender,
      byCash({ expectedVersion: 1, noteId: idOf(9) }),
    );
    expect(decision).toMatchObject({ kind: "accepted", answer: { version: 2, sales: 2 } });
    const paid = { before: "card", after: "cash", noteId: idOf(9) };
    expect(added).toMatchObject([
      { type: "SaleTenderCorrected", data: { saleId: idOf(1), ...paid }, postings: [] },
      { type: "SaleTenderCorrected", data: { saleId: idOf(2), ...paid }, movements: [] },
    ]);
  });

  test("says nothing twice", () => {
    const books = withReceipt();
    books.when(correctTender, byCash());
    const again = books.when(correctTender, byCash());
    expect(again).toMatchObject({ kind: "accepted", answer: { version: 2, sales: 0 }, added: [] });
  });

  test("is refused for a form that is older than another admin's change", () => {
    const books = withReceipt();
    books.when(correctTender, byCash());
    expect(
      books.when(correctTender, byCash({ tender: "other", expectedVersion: 1 })),
    ).toMatchObject({
      kind: "rejected",
      status: 409,
      code: "sale_changed",
    });
  });

  test("is refused where nobody paid: without a price, for a custom sale, for no sale at all", () => {
    const books = saleBooks();
    books.when(recordMasterSale, sellingMaster());
    books.when(recordCustomSale, sellingCustom({ saleId: idOf(2) }));
    const refusal = (saleId: string) =>
      books.when(correctTender, byCash({ saleId, saleIds: [saleId] }));
    expect([idOf(1), idOf(2), idOf(3)].map(refusal)).toMatchObject([
      { status: 409, code: "nothing_paid" },
      { status: 409, code: "nothing_paid" },
      { status: 404, code: "sale_not_found" },
    ]);
  });
});
