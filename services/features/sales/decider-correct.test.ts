// Specs of correcting a sale: the difference of each leg is posted, that of the stock is moved, and refunds stay.
import { describe, expect, test } from "vitest";
import { emit } from "#ledger/event.ts";
import { UserDeactivated } from "#features/users/events.ts";
import { userStreamId } from "#features/users/streams.ts";
import { correctSale } from "#features/sales/decider-correct.ts";
import { recordCustomSale, recordMasterSale, recordSale } from "#features/sales/decider-record.ts";
import { refundSale } from "#features/sales/decider-refund.ts";
import {
  available,
  avery,
  correcting,
  idOf,
  lamp,
  lampId,
  noon,
  refunding,
  saleBooks,
  selling,
  sellingCustom,
  sellingMaster,
} from "#testing/shop/sale-books.ts";

/** Two of five lamps sold for $40.00, shipping $5.00, payout $17.50. */
function withSale() {
  const books = saleBooks();
  books.when(recordSale, selling());
  return books;
}

test("a deleted consignor cannot be paid more, but their payout can be lowered", () => {
  const books = withSale();
  books.given(
    emit(
      UserDeactivated,
      { uid: avery, roleBefore: "user", frees: null, noteId: null },
      { streams: [userStreamId(avery)], happenedAt: noon },
    ),
  );
  expect(books.when(correctSale, correcting({ payoutCents: 1751 }))).toMatchObject({
    status: 409,
    code: "consignor_left",
  });
  expect(books.when(correctSale, correcting({ payoutCents: 1700 })).kind).toBe("accepted");
});

describe("correcting a sale of an item", () => {
  test("posts the difference of each leg, moves that of the stock, and keeps before and after", () => {
    const { added, ...decision } = withSale().when(
      correctSale,
      correcting({ itemName: "Brass lamp", units: 3, priceCents: 6000, shippingCents: 300 }),
    );
    expect(decision).toMatchObject({
      kind: "accepted",
      answer: { saleId: idOf(1), version: 2, payoutCents: 2850 },
    });
    const before = {
      itemName: "Desk lamp",
      units: 2,
      priceCents: 4000,
      shippingCents: 500,
      salesTaxCents: 0,
      consignorPercentage: 50,
      payoutCents: 1750,
    };
    expect(added).toMatchObject([
      {
        type: "SaleCorrected",
        data: {
          saleId: idOf(1),
          consignorId: avery,
          itemId: lampId,
          before,
          after: {
            ...before,
            itemName: "Brass lamp",
            units: 3,
            priceCents: 6000,
            shippingCents: 300,
            payoutCents: 2850,
          },
          noteId: null,
        },
        streams: [`sale-${idOf(1)}`, `item-${lampId}`, `consignor-${avery}`],
        postings: [
          { from: "world:customers", to: "store:revenue", cents: 2000 },
          { from: "store:shipping", to: "store:revenue", cents: 200 },
          { from: "store:revenue", to: available, cents: 1100 },
        ],
        movements: [{ from: lamp, to: "world:sold", units: 1 }],
      },
    ]);
  });

  test("fewer units come back into stock, and a lower payout leaves the balance", () => {
    const { added } = withSale().when(correctSale, correcting({ units: 1, priceCents: 2000 }));
    expect(added[0]?.movements).toEqual([{ from: "world:sold", to: lamp, units: 1 }]);
    expect(added[0]?.postings).toEqual([
      { from: "store:revenue", to: "world:customers", cents: 2000 },
      { from: available, to: "store:revenue", cents: 1000 },
    ]);
  });

  test.each([
    { changes: { payoutCents: 2000 }, payout: 2000, why: "a typed payout is used" },
    {
      changes: { payoutCents: 1750, priceCents: 5000 },
      payout: 2250,
      why: "the form's old payout is not",
    },
    {
      changes: { payoutCents: 1, priceCents: 5000 },
      payout: 1,
      why: "a typed payout takes precedence over a new price",
    },
    {
      changes: { consignorPercentage: 60 },
      payout: 2100,
      why: "another share applies the formula",
    },
    { changes: { shippingCents: 9000 }, payout: 0, why: "the formula never goes below zero" },
    { changes: { salesTaxCents: 100 }, payout: 1750, why: "tax is not part of the formula" },
  ])("$changes pays $payout ¢: $why", ({ changes, payout }) => {
    const books = withSale();
    books.when(correctSale, correcting(changes));
    expect(books.balanceOf(available)).toBe(payout);
  });

  test("a typed payout stays when the name is corrected", () => {
    const books = withSale();
    books.when(correctSale, correcting({ payoutCents: 2000 }));
    books.when(correctSale, correcting({ payoutCents: 2000, priceCents: 4000, itemName: "Lamp" }));
    expect(books.balanceOf(available)).toBe(2000);
  });

  test("a correction that changes nothing appends no event", () => {
    const { added, ...decision } = withSale().when(
      correctSale,
      correcting({ units: 2, priceCents: 4000, payoutCents: 1750 }),
    );
    expect(added).toEqual([]);
    expect(decision).toMatchObject({ kind: "accepted", answer: { version: 1 } });
  });

  test("more units than the item has left are refused", () => {
    expect(withSale().when(correctSale, correcting({ units: 6 }))).toMatchObject({
      status: 409,
      code: "not_enough_stock",
      message: "Only 3 available in inventory",
      added: [],
    });
  });

  test("a form that was loaded with an older version gets the current sale", () => {
    const books = withSale();
    books.when(correctSale, correcting({ priceCents: 5000 }));
    expect(
      books.when(correctSale, correcting({ priceCents: 1 }, { expectedVersion: 1 })),
    ).toMatchObject({
      status: 409,
      code: "sale_changed",
      current: { version: 2, priceCents: 5000 },
    });
  });

  test("an unknown sale is not found", () => {
    expect(withSale().when(correctSale, correcting({}, { saleId: idOf(7) }))).toMatchObject({
      status: 404,
      code: "sale_not_found",
    });
  });
});

describe("correcting a partly refunded sale", () => {
  test.each([
    { changes: { priceCents: 1999 }, message: "$20.00 of the price" },
    { changes: { payoutCents: 874 }, message: "$8.75 of the payout" },
    { changes: { salesTaxCents: 49 }, message: "$0.50 of the tax" },
  ])("$changes is less than was refunded, and is refused", ({ changes, message }) => {
    const books = saleBooks();
    books.when(recordSale, selling({ salesTaxCents: 100 }));
    books.when(refundSale, refunding(1));
    expect(books.when(correctSale, correcting(changes))).toMatchObject({
      status: 409,
      code: "below_refunds",
      message: `Refunds already returned ${message} of this sale`,
    });
  });

  test("fewer units than were refunded are refused", () => {
    const books = withSale();
    books.when(refundSale, refunding(2));
    expect(books.when(correctSale, correcting({ units: 1 }))).toMatchObject({
      code: "below_refunds",
      message: "Refunds already returned 2 units of this sale",
    });
  });
});

/** The same sale, with both lamps refunded. */
function withRefundedSale() {
  const books = withSale();
  books.when(refundSale, refunding(2));
  return books;
}

describe("correcting a sale that was refunded in full", () => {
  test.each([{ payoutCents: 2000 }, { salesTaxCents: 1 }])(
    "%o would leave something that no refund can return, and is refused",
    (changes) => {
      expect(withRefundedSale().when(correctSale, correcting(changes))).toMatchObject({
        status: 409,
        code: "sale_refunded",
      });
    },
  );

  test("its shipping can be corrected, and the refunded payout stays", () => {
    const books = withRefundedSale();
    expect(books.when(correctSale, correcting({ shippingCents: 900 })).kind).toBe("accepted");
    expect(books.balanceOf(available)).toBe(0);
    expect(books.balanceOf("store:shipping")).toBe(900);
  });

  test("a higher price makes it a sale again, with a share for the consignor", () => {
    const books = withRefundedSale();
    books.when(correctSale, correcting({ priceCents: 6000 }));
    expect(books.balanceOf(available)).toBe(1000);
  });
});

describe("correcting other sales", () => {
  test("a stock-only sale of the store can be given its price", () => {
    const books = saleBooks();
    books.when(recordMasterSale, sellingMaster());
    const { added } = books.when(correctSale, correcting({ priceCents: 1500 }));
    expect(added[0]?.postings).toEqual([
      { from: "world:customers", to: "store:revenue", cents: 1500 },
    ]);
  });

  test("nobody is paid for the store's own item", () => {
    const books = saleBooks();
    books.when(recordMasterSale, sellingMaster());
    for (const changes of [{ payoutCents: 1 }, { consignorPercentage: 50 }]) {
      expect(books.when(correctSale, correcting(changes))).toMatchObject({ code: "nobody_to_pay" });
    }
    expect(books.when(correctSale, correcting({ payoutCents: 0 })).kind).toBe("accepted");
  });

  test.each([
    { changes: { priceCents: 2500, payoutCents: 1999 }, amount: 2500 },
    { changes: { priceCents: 1999, payoutCents: 2500 }, amount: 2500 },
    { changes: { priceCents: 2500, payoutCents: 2500, units: 1, shippingCents: 0 }, amount: 2500 },
  ])("a custom sale's amount is its price and its payout: $changes", ({ changes, amount }) => {
    const books = saleBooks();
    books.when(recordCustomSale, sellingCustom());
    books.when(correctSale, correcting(changes));
    expect(books.balanceOf(available)).toBe(amount);
    expect(books.balanceOf("store:revenue")).toBe(0);
  });

  test.each([
    { priceCents: 2500, payoutCents: 2600 },
    { units: 2 },
    { shippingCents: 1 },
    { salesTaxCents: 1 },
    { consignorPercentage: 50 },
  ])("a custom sale has one amount only: %o is refused", (changes) => {
    const books = saleBooks();
    books.when(recordCustomSale, sellingCustom());
    expect(books.when(correctSale, correcting(changes))).toMatchObject({
      status: 409,
      code: "one_amount_only",
    });
  });
});
