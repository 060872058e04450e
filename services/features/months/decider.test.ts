// Specs of closing months and of the sales tax that goes to the authority: what is accepted, what is refused, what is posted.
import { describe, expect, test } from "vitest";
import { memoryBooks } from "#testing/shop/memory-books.ts";
import { idOf } from "#testing/shop/sale-books.ts";
import type { RemitSalesTax } from "#features/months/decider-tax.ts";
import { remitSalesTax, reverseRemittance } from "#features/months/decider-tax.ts";

const noon = "2026-11-22T12:00:00.000Z";

function remitting(given: Partial<RemitSalesTax> = {}): RemitSalesTax {
  return {
    remittanceId: idOf(1),
    month: "2026-10",
    amountCents: 500,
    reference: "Return 2026-10",
    collectedCents: 825,
    noteId: null,
    happenedAt: noon,
    ...given,
  };
}

function reversing(remittanceId: string, collectedCents = 825) {
  return { remittanceId, collectedCents, noteId: idOf(9), happenedAt: noon };
}

describe("remitting sales tax", () => {
  test("posts it from the store's sales tax to the tax authority", () => {
    const { kind, added, ...decision } = memoryBooks().when(remitSalesTax, remitting());
    expect({ kind, ...decision }).toMatchObject({
      kind: "accepted",
      answer: { remittanceId: idOf(1), owedCents: 325 },
    });
    expect(added).toMatchObject([
      {
        type: "SalesTaxRemitted",
        data: { month: "2026-10", amountCents: 500, reference: "Return 2026-10" },
        streams: ["remittances"],
        postings: [{ from: "store:sales-tax", to: "world:tax-authority", cents: 500 }],
        happenedAt: noon,
      },
    ]);
  });

  test("is refused for more than was collected and not remitted yet", () => {
    const books = memoryBooks();
    books.when(remitSalesTax, remitting());
    const more = remitting({ remittanceId: idOf(2), amountCents: 326 });
    expect(books.when(remitSalesTax, more)).toMatchObject({
      status: 409,
      code: "more_than_owed",
      message: "Only $3.25 of collected sales tax is not remitted yet",
      current: { owedCents: 325 },
    });
    expect(books.when(remitSalesTax, { ...more, amountCents: 325 }).kind).toBe("accepted");
    expect(books.when(remitSalesTax, { ...more, amountCents: 1 })).toMatchObject({
      message: "All sales tax that was collected is remitted",
    });
  });

  test("is refused after refunds took back what was collected", () => {
    const books = memoryBooks();
    books.when(remitSalesTax, remitting());
    const next = remitting({ remittanceId: idOf(2), amountCents: 1, collectedCents: 400 });
    expect(books.when(remitSalesTax, next)).toMatchObject({ current: { owedCents: -100 } });
  });
});

describe("taking back a remittance", () => {
  test("posts all of it back, so that the right sum can be entered", () => {
    const books = memoryBooks();
    books.when(remitSalesTax, remitting({ amountCents: 825 }));
    const { added, ...decision } = books.when(reverseRemittance, reversing(idOf(1)));
    expect(decision).toMatchObject({ kind: "accepted", answer: { owedCents: 825 } });
    expect(added).toMatchObject([
      {
        type: "SalesTaxRemittanceReversed",
        data: { remittanceId: idOf(1), month: "2026-10", amountCents: 825, noteId: idOf(9) },
        postings: [{ from: "world:tax-authority", to: "store:sales-tax", cents: 825 }],
      },
    ]);
    const again = remitting({ remittanceId: idOf(2), amountCents: 800 });
    expect(books.when(remitSalesTax, again)).toMatchObject({ answer: { owedCents: 25 } });
  });

  test("is refused for one that is unknown or was taken back before", () => {
    const books = memoryBooks();
    expect(books.when(reverseRemittance, reversing(idOf(1)))).toMatchObject({
      status: 404,
      code: "remittance_not_found",
    });
    books.when(remitSalesTax, remitting());
    books.when(reverseRemittance, reversing(idOf(1)));
    expect(books.when(reverseRemittance, reversing(idOf(1)))).toMatchObject({
      status: 409,
      code: "remittance_reversed",
    });
  });
});
