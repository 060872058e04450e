// Specs of closing months and of the sales tax that goes to the authority: what is accepted, what is refused, what is posted.
import { describe, expect, test } from "vitest";
import { memoryBooks } from "#testing/shop/memory-books.ts";
import { idOf } from "#testing/shop/sale-books.ts";
import { noTotals } from "#testing/shop/month-totals.ts";
import type { CloseMonth } from "#features/months/decider.ts";
import { closeMonth } from "#features/months/decider.ts";
import {
  beginsOf,
  monthAfter,
  dayAt,
  monthAt,
  zoneAt,
  zonesOf,
  zonesText,
} from "#features/months/streams.ts";
import type { RemitSalesTax } from "#features/months/decider-tax.ts";
import { remitSalesTax, reverseRemittance } from "#features/months/decider-tax.ts";

/** November is the month after the closed ones. */
function closing(month: string, given: Partial<CloseMonth> = {}): CloseMonth {
  return {
    month,
    from: `${month}-01T05:00:00.000Z`,
    to: `${monthAfter(month)}-01T05:00:00.000Z`,
    timeZone: "America/Chicago",
    throughPosition: 12,
    totals: noTotals,
    happenedAt: noon,
    ...given,
  };
}

describe("closing a month", () => {
  test("fixes its bounds, its totals and their position, and moves nothing", () => {
    const { kind, added } = memoryBooks().when(closeMonth, closing("2026-09"));
    expect(kind).toBe("accepted");
    expect(added).toMatchObject([
      {
        type: "MonthClosed",
        data: {
          month: "2026-09",
          from: "2026-09-01T05:00:00.000Z",
          to: "2026-10-01T05:00:00.000Z",
          throughPosition: 12,
          totals: noTotals,
        },
        streams: ["months"],
        postings: [],
        movements: [],
      },
    ]);
  });

  test("goes month by month, across the end of a year, and begins where the last one ended", () => {
    const books = memoryBooks();
    expect(books.when(closeMonth, closing("2025-12")).kind).toBe("accepted");
    expect(books.when(closeMonth, closing("2026-02"))).toMatchObject({
      status: 409,
      code: "month_out_of_order",
      message: "Close January 2026 first",
      current: { month: "2026-01" },
    });
    const gap = closing("2026-01", { from: "2026-01-01T06:00:00.000Z" });
    expect(books.when(closeMonth, gap)).toMatchObject({ code: "month_out_of_order" });
    expect(books.when(closeMonth, closing("2026-01")).kind).toBe("accepted");
  });

  test("is refused for one that is closed, was closed with the first one, or is not over", () => {
    const books = memoryBooks();
    expect(books.when(closeMonth, closing("2026-11"))).toMatchObject({
      status: 409,
      code: "month_not_over",
      message: "November 2026 is not over yet",
    });
    books.when(closeMonth, closing("2026-09"));
    expect(books.when(closeMonth, closing("2026-09"))).toMatchObject({
      status: 409,
      code: "month_closed",
      message: "September 2026 is closed already",
    });
    expect(books.when(closeMonth, closing("2026-08"))).toMatchObject({
      code: "month_closed",
      message: "August 2026 was closed with September 2026, the first month that was closed",
    });
  });
});

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

test("months before the first closing keep its time zone, and the open ones follow the store's", () => {
  const state = {
    closed: [
      {
        month: "2026-06",
        from: "2026-06-01T05:00:00.000Z",
        to: "2026-07-01T05:00:00.000Z",
        timeZone: "America/Chicago",
      },
    ],
  };
  const days = ["2026-05-01", "2026-06-01", "2026-06-10", "2026-07-01", "2026-07-02", "2026-08-01"];
  const begins = beginsOf(days, "Asia/Tokyo", state);
  expect(begins.map(({ timeZone, fixed }) => fixed ?? timeZone)).toEqual([
    "America/Chicago",
    "2026-06-01T05:00:00.000Z",
    "America/Chicago",
    "2026-07-01T05:00:00.000Z",
    "Asia/Tokyo",
    "Asia/Tokyo",
  ]);
  const at = (iso: string) => dayAt(new Date(iso), "Asia/Tokyo", state);
  // By Tokyo's midnight these would be in the month after.
  expect(at("2026-04-30T20:00:00Z")).toBe("2026-04-30");
  expect(at("2026-05-31T20:00:00Z")).toBe("2026-05-31");
  expect(at("2026-06-30T20:00:00Z")).toBe("2026-06-30");
  expect(at("2026-07-31T20:00:00Z")).toBe("2026-08-01");
  expect(monthAt(new Date("2026-06-30T20:00:00Z"), "Asia/Tokyo", state)).toBe("2026-06");
  // Tokyo's 1st of July had begun long before the closing ended June.
  expect(at("2026-07-01T05:00:00Z")).toBe("2026-07-01");
});

test("a period of one time zone has that one, and one of several says so", () => {
  const october = {
    month: "2026-10",
    from: "2026-10-01T05:00:00.000Z",
    to: "2026-11-01T05:00:00.000Z",
    timeZone: "America/Chicago",
  };
  const zones = (from: string, to: string) =>
    zonesOf({ from: `${from}-01`, to: `${to}-28` }, "Asia/Tokyo", { closed: [october] });
  for (const [from, to] of [
    ["2026-10", "2026-10"],
    ["2026-01", "2026-09"],
    ["2026-08", "2026-10"],
  ] as const) {
    expect(zonesText(zones(from, to))).toBe("America/Chicago");
  }
  expect(zonesText(zones("2026-11", "2026-12"))).toBe("Asia/Tokyo");
  const year = zones("2026-01", "2026-12");
  expect(zonesText(year)).toBe(
    "Asia/Tokyo; closed months keep the time zone of their closing, America/Chicago",
  );
  expect(["2026-05", "2026-10", "2026-11"].map((month) => zoneAt(month, year))).toEqual([
    "America/Chicago",
    "America/Chicago",
    "Asia/Tokyo",
  ]);
});
