// Specs of saying how a customer really paid: the whole receipt, no money, no units, and nothing twice.
import { describe, expect, test } from "vitest";
import { recordCustomSale, recordMasterSale, recordSale } from "#features/sales/decider-record.ts";
import type { CorrectTender } from "#features/sales/decider-tender.ts";
import { correctRefundTender, correctTender } from "#features/sales/decider-tender.ts";
import { refundSale } from "#features/sales/decider-refund.ts";
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

describe("correcting how the money of a refund went back", () => {
  const cash = {
    saleId: idOf(1),
    refund: 2,
    tender: "cash",
    expectedVersion: null,
    noteId: null,
    happenedAt: noon,
  } as const;

  /** A sale of two units with two refunds: of the first nobody said how, the second by card. */
  function withRefunds() {
    const books = saleBooks();
    books.when(recordSale, selling({ units: 2 }));
    const back = { ...cash, units: 1, amountCents: null, restock: true } as const;
    const { tender: _tender, ...unsaid } = back;
    books.when(refundSale, unsaid);
    books.when(refundSale, { ...back, tender: "card" });
    return books;
  }

  test("names the refund, and posts and moves nothing", () => {
    const books = withRefunds();
    const { added, ...decision } = books.when(correctRefundTender, {
      ...cash,
      expectedVersion: 3,
      noteId: idOf(9),
    });
    expect(decision).toMatchObject({ kind: "accepted", answer: { version: 4 } });
    const data = { saleId: idOf(1), refund: 2, before: "card", after: "cash", noteId: idOf(9) };
    expect(added).toMatchObject([
      { type: "RefundTenderCorrected", data, postings: [], movements: [] },
    ]);
    const first = books.when(correctRefundTender, { ...cash, refund: 1 });
    expect(first.added).toMatchObject([{ data: { refund: 1, before: null, after: "cash" } }]);
  });

  test("says nothing twice, and is refused for an older form", () => {
    const books = withRefunds();
    books.when(correctRefundTender, cash);
    expect(books.when(correctRefundTender, cash)).toMatchObject({ kind: "accepted", added: [] });
    expect(
      books.when(correctRefundTender, { ...cash, tender: "other", expectedVersion: 3 }),
    ).toMatchObject({ kind: "rejected", status: 409, code: "sale_changed" });
  });

  test("is refused for a refund or a sale that is not there", () => {
    const books = withRefunds();
    expect(books.when(correctRefundTender, { ...cash, refund: 3 })).toMatchObject({
      status: 404,
      code: "refund_not_found",
    });
    expect(books.when(correctRefundTender, { ...cash, saleId: idOf(7) })).toMatchObject({
      status: 404,
      code: "sale_not_found",
    });
  });
});
