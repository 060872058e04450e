// Specs of recording sales: what a sale posts and moves, and what the ledger refuses to sell.
import { describe, expect, test } from "vitest";
import { archiveItem } from "#features/inventory/decider-archive.ts";
import { agreeShare, changeRates } from "#features/settings/decider.ts";
import { DEFAULT_RATES } from "#features/settings/streams.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";
import type { RecordSale } from "#features/sales/decider-record.ts";
import { recordCustomSale, recordMasterSale, recordSale } from "#features/sales/decider-record.ts";
import {
  available,
  avery,
  blake,
  idOf,
  itemAdded,
  lamp,
  lampId,
  masterId,
  noon,
  saleBooks,
  selling,
  sellingCustom,
  sellingMaster,
} from "#testing/shop/sale-books.ts";

describe("a sale of a consignor's item", () => {
  test("posts price, shipping and payout, moves the units and stores what decided the split", () => {
    const books = saleBooks();
    const { added, ...decision } = books.when(recordSale, selling({ salesTaxCents: 330 }));
    expect(decision).toMatchObject({
      kind: "accepted",
      answer: { saleId: idOf(1), payoutCents: 1750, remainingUnits: 3 },
    });
    expect(added).toMatchObject([
      {
        type: "SaleRecorded",
        data: {
          saleId: idOf(1),
          consignorId: avery,
          itemId: lampId,
          itemName: "Desk lamp",
          barcode1: "B-1",
          units: 2,
          priceCents: 4000,
          shippingCents: 500,
          salesTaxCents: 330,
          taxRate: null,
          consignorPercentage: 50,
          payoutCents: 1750,
          rounding: "half_up",
          channel: "online",
        },
        streams: [`sale-${idOf(1)}`, `item-${lampId}`, `consignor-${avery}`],
        postings: [
          { from: "world:customers", to: "store:revenue", cents: 4000 },
          { from: "world:customers", to: "store:sales-tax", cents: 330 },
          { from: "store:revenue", to: "store:shipping", cents: 500 },
          { from: "store:revenue", to: available, cents: 1750 },
        ],
        movements: [{ from: lamp, to: "world:sold", units: 2 }],
        happenedAt: noon,
      },
    ]);
  });

  test("says the usual share if another one was given, and nothing if it was the usual one", () => {
    const usualAt = (saleNumber: number, consignorPercentage: number | null) => {
      const sale = selling({ saleId: idOf(saleNumber), units: 1, consignorPercentage });
      const [event] = books.when(recordSale, sale).added;
      return Reflect.get(Object(event?.data), "usualPercentage") as unknown;
    };
    const books = saleBooks();
    expect([usualAt(1, 100), usualAt(2, 50), usualAt(3, null)]).toEqual([50, undefined, undefined]);
    books.when(agreeShare, { uid: avery, percentage: 70, happenedAt: noon });
    expect([usualAt(4, 70), usualAt(5, 50)]).toEqual([undefined, 70]);
  });

  test("says the store's lowest default share of the week before if the sale's is the default and higher", () => {
    const raised = (default_: number, happenedAt: string) => ({
      rates: { ...DEFAULT_RATES, defaultConsignorPercentage: default_ },
      expectedVersion: null,
      happenedAt,
    });
    const books = saleBooks();
    const lowerAt = (saleNumber: number, given: Partial<RecordSale>) => {
      const sale = selling({ saleId: idOf(saleNumber), units: 1, ...given });
      const [event] = books.when(recordSale, sale).added;
      return Reflect.get(Object(event?.data), "lowerDefaultPercentage") as unknown;
    };
    const day = (number: number) => `2024-03-${String(number).padStart(2, "0")}T12:00:00.000Z`;
    const own = { consignorPercentage: null };
    expect(lowerAt(1, { ...own, happenedAt: day(1) })).toBeUndefined();
    books.when(changeRates, raised(100, day(2)));
    expect(lowerAt(2, { ...own, happenedAt: day(2) })).toBe(50);
    expect(lowerAt(3, { consignorPercentage: 100, happenedAt: day(2) })).toBe(50);
    // Dated back, it is not older than the change.
    expect(lowerAt(4, { ...own, happenedAt: day(1) })).toBe(50);
    expect(lowerAt(5, { ...own, happenedAt: day(8) })).toBe(50);
    expect(lowerAt(6, { ...own, happenedAt: day(9) })).toBeUndefined();
    books.when(changeRates, raised(50, day(10)));
    expect(lowerAt(7, { ...own, happenedAt: day(10) })).toBeUndefined();
    books.when(changeRates, raised(60, day(11)));
    books.when(agreeShare, { uid: avery, percentage: 70, happenedAt: day(11) });
    expect(lowerAt(8, { ...own, happenedAt: day(11) })).toBeUndefined();
  });

  test.each([
    { price: 1001, shipping: 0, percentage: 50, payout: 501, why: "half a cent is rounded up" },
    { price: 333, shipping: 0, percentage: 33, payout: 110, why: "less than half is rounded down" },
    {
      price: 500,
      shipping: 800,
      percentage: 50,
      payout: 0,
      why: "the store pays for expensive shipping",
    },
    { price: 4000, shipping: 500, percentage: 0, payout: 0, why: "the share may be nothing" },
    { price: 4000, shipping: 500, percentage: 100, payout: 3500, why: "the share may be all" },
  ])("$price ¢ − $shipping ¢ at $percentage % pays $payout ¢: $why", (row) => {
    const books = saleBooks();
    books.when(
      recordSale,
      selling({
        priceCents: row.price,
        shippingCents: row.shipping,
        consignorPercentage: row.percentage,
      }),
    );
    expect(books.balanceOf(available)).toBe(row.payout);
    expect(books.balanceOf("store:revenue")).toBe(row.price - row.shipping - row.payout);
  });

  test("a sale that pays nothing is still a line of the consignor's ledger", () => {
    const { added } = saleBooks().when(recordSale, selling({ consignorPercentage: 0 }));
    expect(added[0]?.streams).toContain(`consignor-${avery}`);
  });

  test("all units can be sold, but not one more, and the second sale of the last one is refused", () => {
    const books = saleBooks(2);
    expect(books.when(recordSale, selling({ units: 3 }))).toMatchObject({
      kind: "rejected",
      status: 409,
      code: "not_enough_stock",
      message: "Only 2 available in inventory",
      current: { available: 2 },
      added: [],
    });
    expect(books.when(recordSale, selling()).kind).toBe("accepted");
    expect(books.when(recordSale, selling({ saleId: idOf(2), units: 1 }))).toMatchObject({
      code: "not_enough_stock",
      message: "Only 0 available in inventory",
    });
  });

  test("an unknown item and another owner's item are not found", () => {
    const books = saleBooks();
    for (const wrong of [{ itemId: idOf(999) }, { consignorId: blake }, { itemId: masterId }]) {
      expect(books.when(recordSale, selling(wrong))).toMatchObject({
        status: 404,
        code: "item_not_found",
      });
    }
  });

  test("a scanned barcode must be the item's, but scanning is optional", () => {
    const books = saleBooks();
    expect(books.when(recordSale, selling({ barcode1: "b-1" }))).toMatchObject({
      code: "barcode_mismatch",
      current: { barcode1: "B-1" },
    });
    expect(books.when(recordSale, selling({ barcode1: null })).kind).toBe("accepted");
  });

  test("a deleted item cannot be sold", () => {
    const books = memoryBooks();
    books.given(itemAdded(lampId, avery, 5));
    books.when(archiveItem, { itemId: lampId, ownerUid: avery, happenedAt: noon });
    expect(books.when(recordSale, selling())).toMatchObject({ status: 409, code: "item_archived" });
  });

  test("a used sale id is refused", () => {
    const books = saleBooks();
    books.when(recordSale, selling());
    for (const decision of [
      books.when(recordSale, selling()),
      books.when(recordMasterSale, sellingMaster()),
      books.when(recordCustomSale, sellingCustom()),
    ]) {
      expect(decision).toMatchObject({ status: 409, code: "sale_exists" });
    }
  });
});

describe("a sale of the store's own item", () => {
  test("without a price only moves stock", () => {
    const { added } = saleBooks().when(recordMasterSale, sellingMaster());
    expect(added).toMatchObject([
      {
        type: "MasterSaleRecorded",
        data: { priceCents: null },
        streams: [`sale-${idOf(1)}`, `item-${masterId}`],
        postings: [],
        movements: [{ from: `item:${masterId}`, to: "world:sold", units: 1 }],
      },
    ]);
  });

  test("with a price is the store's revenue and the state's tax, and nobody is paid", () => {
    const { added, ...decision } = saleBooks().when(
      recordMasterSale,
      sellingMaster({ priceCents: 1000, salesTaxCents: 83 }),
    );
    expect(decision).toMatchObject({ answer: { payoutCents: 0, remainingUnits: 2 } });
    expect(added[0]?.postings).toEqual([
      { from: "world:customers", to: "store:revenue", cents: 1000 },
      { from: "world:customers", to: "store:sales-tax", cents: 83 },
    ]);
  });

  test("is refused for a consignor's item, and for more units than there are", () => {
    const books = saleBooks();
    expect(books.when(recordMasterSale, sellingMaster({ itemId: lampId }))).toMatchObject({
      code: "item_not_found",
    });
    expect(books.when(recordMasterSale, sellingMaster({ units: 4 }))).toMatchObject({
      message: "Only 3 available in inventory",
    });
  });
});

test("a custom sale gives the consignor the full amount and moves no stock", () => {
  const { added, ...decision } = saleBooks().when(recordCustomSale, sellingCustom());
  expect(decision).toMatchObject({ answer: { payoutCents: 1999, remainingUnits: null } });
  expect(added).toMatchObject([
    {
      type: "CustomSaleRecorded",
      streams: [`sale-${idOf(1)}`, `consignor-${avery}`],
      postings: [{ from: "world:customers", to: available, cents: 1999 }],
      movements: [],
    },
  ]);
});

describe("the tax rate that a till charged", () => {
  const from = "2024-05-30T12:00:00.000Z";
  const before = "2024-05-30T11:59:00.000Z";

  /** A store that had 8.25 % until the day before the sale, and has 9 % since. */
  function booksWithNewRate() {
    const books = saleBooks();
    const rates = { ...DEFAULT_RATES, taxRateBasisPoints: 900 };
    books.when(changeRates, { rates, expectedVersion: null, happenedAt: from });
    return books;
  }

  test.each([
    ["the store's", { taxRateBasisPoints: 900 }, { basisPoints: 900, outdated: false }],
    ["replaced before the sale", { taxRateBasisPoints: 825 }, { basisPoints: 825, outdated: true }],
    [
      "replaced after the sale, which is sent late",
      { taxRateBasisPoints: 825, happenedAt: before },
      { basisPoints: 825, outdated: false },
    ],
    [
      "not yet the store's when it was sold",
      { taxRateBasisPoints: 900, happenedAt: before },
      { basisPoints: 900, outdated: true },
    ],
    ["not named", {}, null],
  ])("%s", (_which, given, taxRate) => {
    const consigned = booksWithNewRate().when(
      recordSale,
      selling({ salesTaxCents: 330, ...given }),
    );
    expect(consigned.added).toMatchObject([{ data: { taxRate, salesTaxCents: 330 } }]);
    const own = { priceCents: 4000, salesTaxCents: 330, ...given };
    const master = booksWithNewRate().when(recordMasterSale, sellingMaster(own));
    expect(master.added).toMatchObject([{ data: { taxRate, salesTaxCents: 330 } }]);
  });

  test("decides no amount: what was charged is booked", () => {
    const postings = (given: Partial<RecordSale>) =>
      booksWithNewRate().when(recordSale, selling({ salesTaxCents: 330, ...given })).added[0]
        ?.postings;
    expect(postings({ taxRateBasisPoints: 825 })).toEqual(postings({}));
  });
});

describe("a sale that names no share", () => {
  const sellingAtUsualShare = selling({ consignorPercentage: null });
  const rates = { ...DEFAULT_RATES, defaultConsignorPercentage: 55 };

  test.each([
    ["the store's default", null, 55],
    ["the share agreed with the consignor", 70, 70],
    ["an agreed share of nothing", 0, 0],
  ])("is split by %s, which the event keeps", (_which, agreed, consignorPercentage) => {
    const books = saleBooks();
    books.when(changeRates, { rates, expectedVersion: null, happenedAt: noon });
    books.when(agreeShare, { uid: avery, percentage: agreed, happenedAt: noon });
    expect(books.when(recordSale, sellingAtUsualShare).added).toMatchObject([
      { data: { consignorPercentage, payoutCents: (3500 * consignorPercentage) / 100 } },
    ]);
  });

  test("moves no money when the share changes later", () => {
    const books = saleBooks();
    books.when(recordSale, sellingAtUsualShare);
    const before = books.balanceOf(available);
    books.when(changeRates, { rates, expectedVersion: null, happenedAt: noon });
    books.when(agreeShare, { uid: avery, percentage: 90, happenedAt: noon });
    expect(books.balanceOf(available)).toBe(before);
  });
});
