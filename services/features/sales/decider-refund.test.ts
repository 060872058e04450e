// Specs of refunding a sale: the postings of the sale reversed by cumulative shares, and never more than was sold.
import { describe, expect, test } from "vitest";
import { archiveItem, restoreItem } from "#features/inventory/decider-archive.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";
import { correctSale } from "#features/sales/decider-correct.ts";
import { recordCustomSale, recordMasterSale, recordSale } from "#features/sales/decider-record.ts";
import { refundSale } from "#features/sales/decider-refund.ts";
import {
  available,
  avery,
  correcting,
  idOf,
  itemAdded,
  lamp,
  lampId,
  noon,
  refunding,
  saleBooks,
  selling,
  sellingCustom,
  sellingMaster,
} from "#testing/shop/sale-books.ts";

/** Three lamps for $10.00 and 83 ¢ tax, shipping $1.00, payout $4.50: nothing divides by three. */
function withSale() {
  const books = saleBooks();
  books.when(
    recordSale,
    selling({ units: 3, priceCents: 1000, shippingCents: 100, salesTaxCents: 83 }),
  );
  return books;
}

describe("refunding by units", () => {
  test("one of three is refunded by its share, leg by leg, without the shipping", () => {
    const { added, ...decision } = withSale().when(refundSale, refunding(1, { noteId: idOf(9) }));
    expect(decision).toMatchObject({
      kind: "accepted",
      answer: {
        version: 2,
        payoutCents: 450,
        refundedCents: 333,
        refundedTaxCents: 28,
        refundedPayoutCents: 150,
      },
    });
    expect(added).toMatchObject([
      {
        type: "SaleRefunded",
        data: {
          units: 1,
          restocked: true,
          priceCents: 333,
          salesTaxCents: 28,
          payoutCents: 150,
          noteId: idOf(9),
        },
        streams: [`sale-${idOf(1)}`, `item-${lampId}`, `consignor-${avery}`],
        postings: [
          { from: "store:revenue", to: "world:customers", cents: 333 },
          { from: "store:sales-tax", to: "world:customers", cents: 28 },
          { from: available, to: "store:revenue", cents: 150 },
        ],
        movements: [{ from: "world:sold", to: lamp, units: 1 }],
      },
    ]);
  });

  test("the units take cumulative shares one after another, and the last one takes all that is left", () => {
    const books = withSale();
    const prices = [1, 1, 1].map((units) => {
      const { added } = books.when(refundSale, refunding(units));
      return added[0]?.postings[0]?.cents;
    });
    expect(prices).toEqual([333, 334, 333]);
    expect(books.balanceOf("world:customers")).toBe(0);
    expect(books.balanceOf("store:sales-tax")).toBe(0);
    expect(books.balanceOf(available)).toBe(0);
    expect(books.balanceOf("store:revenue")).toBe(-100);
    expect(books.balanceOf("store:shipping")).toBe(100);
    expect(books.unitsIn(lamp)).toBe(5);
  });

  test("each of two units at $268.00 with its tax gives back $268.00", () => {
    const books = saleBooks();
    books.when(recordSale, selling({ units: 2, priceCents: 49_515, salesTaxCents: 4_085 }));
    const given = [1, 1].map((units) => {
      const { answer } = { answer: undefined, ...books.when(refundSale, refunding(units)) };
      return [answer?.refundedCents, answer?.refundedTaxCents];
    });
    expect(given).toEqual([
      [24_758, 2_042],
      [24_757, 2_043],
    ]);
    expect(books.balanceOf("store:sales-tax")).toBe(0);
  });

  test("units that cannot be sold again do not go back into stock", () => {
    const { added } = withSale().when(refundSale, refunding(3, { restock: false }));
    expect(added[0]).toMatchObject({ data: { restocked: false }, movements: [] });
  });

  test("more units than were sold are refused", () => {
    const books = withSale();
    books.when(refundSale, refunding(2));
    expect(books.when(refundSale, refunding(2))).toMatchObject({
      status: 409,
      code: "more_than_sold",
      message: "Only 1 of 3 sold units can still be refunded",
      current: { unitsLeft: 1 },
      added: [],
    });
  });

  test("the consignor's balance may become negative", () => {
    const books = withSale();
    // Avery's balance was paid out before the refund.
    books.given({
      type: "PayoutRequested",
      schemaVersion: 1,
      data: {},
      streams: [`consignor-${avery}`],
      postings: [{ from: available, to: `consignor:${avery}:payouts`, cents: 450 }],
      movements: [],
      happenedAt: noon,
    });
    books.when(refundSale, refunding(3));
    expect(books.balanceOf(available)).toBe(-450);
  });

  test("a correction after a refund changes what the next refund returns", () => {
    const books = withSale();
    books.when(refundSale, refunding(1));
    books.when(correctSale, correcting({ priceCents: 2000 }));
    books.when(refundSale, refunding(2));
    expect(books.balanceOf("world:customers")).toBe(0);
    expect(books.balanceOf(available)).toBe(0);
    expect(books.balanceOf("store:revenue")).toBe(-100);
  });
});

describe("refunding an amount", () => {
  test("a part of the price without units takes tax and payout in proportion", () => {
    const { added } = withSale().when(refundSale, refunding(0, { amountCents: 500 }));
    expect(added).toMatchObject([
      {
        data: { units: 0, restocked: false, priceCents: 500, salesTaxCents: 42, payoutCents: 225 },
        movements: [],
      },
    ]);
  });

  test("with units it is the refunded price of them", () => {
    const { added } = withSale().when(refundSale, refunding(1, { amountCents: 100 }));
    expect(added).toMatchObject([{ data: { units: 1, restocked: true, priceCents: 100 } }]);
  });

  test("more than is left of the price is refused", () => {
    const books = withSale();
    books.when(refundSale, refunding(1));
    expect(books.when(refundSale, refunding(0, { amountCents: 668 }))).toMatchObject({
      status: 409,
      code: "more_than_paid",
      message: "Only $6.67 of the price can still be refunded",
      current: { centsLeft: 667 },
    });
    expect(books.when(refundSale, refunding(0, { amountCents: 667 })).kind).toBe("accepted");
    expect(books.balanceOf("world:customers")).toBe(0);
    expect(books.balanceOf(available)).toBe(0);
  });

  test("an amount that was already refunded is not refunded again with the units", () => {
    const books = withSale();
    books.when(refundSale, refunding(0, { amountCents: 800 }));
    expect(books.when(refundSale, refunding(1)).added[0]?.postings).toEqual([]);
    books.when(refundSale, refunding(2));
    expect(books.balanceOf("world:customers")).toBe(0);
    expect(books.balanceOf(available)).toBe(0);
  });
});

describe("refunding other sales", () => {
  test("a custom sale takes the full amount back from the consignor and has nothing to restock", () => {
    const books = saleBooks();
    books.when(recordCustomSale, sellingCustom());
    const { added } = books.when(refundSale, refunding(1));
    expect(added).toMatchObject([
      {
        data: { itemId: null, restocked: false, priceCents: 1999, payoutCents: 1999 },
        postings: [{ from: available, to: "world:customers", cents: 1999 }],
        movements: [],
      },
    ]);
  });

  test("a stock-only sale of the store returns its units and no money", () => {
    const books = saleBooks();
    books.when(recordMasterSale, sellingMaster());
    expect(books.when(refundSale, refunding(0, { amountCents: 1 }))).toMatchObject({
      code: "more_than_paid",
    });
    const { added } = books.when(refundSale, refunding(1));
    expect(added[0]?.postings).toEqual([]);
    expect(added[0]?.movements).toHaveLength(1);
  });

  test("an unknown sale is not found, and an old version gets the current sale", () => {
    const books = withSale();
    expect(books.when(refundSale, refunding(1, { saleId: idOf(7) }))).toMatchObject({
      status: 404,
      code: "sale_not_found",
    });
    expect(books.when(refundSale, refunding(1, { expectedVersion: 2 }))).toMatchObject({
      code: "sale_changed",
      current: { version: 1 },
    });
  });
});

/** Two of five lamps were sold, then the item was deleted. */
function withDeletedItem() {
  const books = memoryBooks();
  books.given(itemAdded(lampId, avery, 5));
  books.when(recordSale, selling());
  books.when(archiveItem, { itemId: lampId, ownerUid: avery, happenedAt: noon });
  return books;
}

describe("when the item was deleted", () => {
  test("its units only go back into stock once it is restored", () => {
    const books = withDeletedItem();
    expect(books.when(refundSale, refunding(1))).toMatchObject({
      status: 409,
      code: "item_archived",
    });
    expect(books.when(refundSale, refunding(1, { restock: false })).kind).toBe("accepted");
  });

  test("the sold quantity cannot be changed until the item is restored, or the freed units would be nowhere", () => {
    const books = withDeletedItem();
    for (const units of [1, 3]) {
      expect(books.when(correctSale, correcting({ units }))).toMatchObject({
        status: 409,
        code: "item_archived",
      });
    }
    expect(books.when(correctSale, correcting({ priceCents: 5000 })).kind).toBe("accepted");
    books.when(restoreItem, { itemId: lampId, ownerUid: avery, happenedAt: noon });
    const { added } = books.when(correctSale, correcting({ units: 1 }));
    expect(added[0]?.movements).toEqual([{ from: "world:sold", to: lamp, units: 1 }]);
  });
});
