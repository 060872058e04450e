// For any cart, the cart panel, the receipt, the export and the ledger agree to the cent, including refused lines.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recordMasterSaleRequest, recordSaleRequest } from "#features/sales/contract-commands.ts";
import { recordMasterSale, recordSale } from "#features/sales/decider-record.ts";
import { toCents } from "#ledger/money.ts";
import { ApiError } from "#web/lib/api-error.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";
import type { MemoryBooks } from "#testing/shop/memory-books.ts";
import { available, avery, idOf, itemAdded, noon } from "#testing/shop/sale-books.ts";
import { usualTerms } from "#web/shared/sale/selling-terms.ts";
import { addUnit, cartSums, emptyCart, setPrice, setUnits, withCertificate } from "./cart.ts";
import type { Cart } from "./cart.ts";
import { preTaxOf, sum, taxOfLines } from "./cart-sums.ts";
import { afterOutcome } from "./delivery.ts";
import { receiptOf } from "./receipt-lines.ts";
import { queuedLines, takeSale } from "./taken-sale.ts";
import type { QueuedLine, SealedLine } from "./taken-sale.ts";
import { todayCsv } from "./today-csv.ts";

type Good = {
  readonly priceCents: number;
  readonly units: number;
  readonly isConsigned: boolean;
  /** How many units fewer the ledger has than the till believes. */
  readonly missing: number;
};

const good: fc.Arbitrary<Good> = fc.record({
  priceCents: fc.oneof(
    fc.constant(1),
    fc.integer({ min: 1, max: 300 }),
    fc.integer({ min: 1, max: 9_999_999 }),
  ),
  units: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 60 })),
  isConsigned: fc.boolean(),
  missing: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2 })),
});
const RATE = usualTerms.taxRateBasisPoints;
const share = fc.integer({ min: 0, max: 100 });

const carts = fc.array(good, { minLength: 1, maxLength: 40 });

const oneCent: Good = { priceCents: 1, units: 1, isConsigned: true, missing: 0 };
const hundredCents = Array.from({ length: 100 }, () => oneCent);

function cartOf(goods: readonly Good[], consignorShare: number): Cart {
  let cart = emptyCart(idOf(900), consignorShare);
  for (const [index, { priceCents, units, isConsigned }] of goods.entries()) {
    const item = {
      id: idOf(index + 1),
      consignorID: isConsigned ? avery : null,
      consignorDisplayName: isConsigned ? "Avery" : null,
      itemName: `=Item, "${index}"`,
      barcode1: "B-1",
      imageUrl: "",
    };
    const added = addUnit(cart, item, units);
    if (added.kind === "short") {
      throw new Error(added.message);
    }
    const counted = setUnits(added.cart, added.line.lineId, units, units);
    if (counted === undefined || "kind" in counted) {
      throw new Error("the units do not fit");
    }
    cart = setPrice(counted, added.line.lineId, priceCents) ?? counted;
  }
  return cart;
}

function booksWith(goods: readonly Good[]): MemoryBooks {
  const books = memoryBooks();
  for (const [index, { units, isConsigned, missing }] of goods.entries()) {
    const inStock = Math.max(0, units - missing);
    books.given(itemAdded(idOf(index + 1), isConsigned ? avery : null, inStock));
  }
  return books;
}

/** What the sales routes do with a request, and the state of the line after it. */
function send(books: MemoryBooks, line: SealedLine): QueuedLine {
  const body: unknown = JSON.parse(line.request.body);
  const shared = { saleId: idOf(1000 + line.line.line), happenedAt: noon };
  const decided =
    line.request.path === "/sales/record"
      ? sendConsigned(books, recordSaleRequest.parse(body), shared)
      : sendMaster(books, recordMasterSaleRequest.parse(body), shared);
  const outcome =
    decided.kind === "rejected"
      ? {
          kind: "failed" as const,
          error: new ApiError(decided.status, decided.code, decided.message),
        }
      : { kind: "booked" as const, ledgerSaleId: shared.saleId };
  return afterOutcome(line, outcome).line;
}

type Shared = { readonly saleId: string; readonly happenedAt: string };

function sendConsigned(
  books: MemoryBooks,
  body: ReturnType<typeof recordSaleRequest.parse>,
  shared: Shared,
) {
  return books.when(recordSale, {
    ...shared,
    consignorId: body.consignorID,
    itemId: body.itemUID,
    barcode1: body.barcode1 ?? null,
    units: body.quantitySold,
    priceCents: toCents(body.salePrice),
    shippingCents: toCents(body.shippingCost),
    salesTaxCents: toCents(body.salesTax),
    taxRateBasisPoints: body.taxRateBasisPoints ?? null,
    consignorPercentage: body.consignorPercentage ?? null,
    channel: body.channel,
  });
}

function sendMaster(
  books: MemoryBooks,
  body: ReturnType<typeof recordMasterSaleRequest.parse>,
  shared: Shared,
) {
  return books.when(recordMasterSale, {
    ...shared,
    itemId: body.masterItemID,
    units: body.quantitySold,
    priceCents: body.salePrice === undefined ? null : toCents(body.salePrice),
    salesTaxCents: toCents(body.salesTax),
    taxRateBasisPoints: body.taxRateBasisPoints ?? null,
    channel: body.channel,
  });
}

const centsIn = (text: string): number => Math.round(Number(text.replaceAll(/[$,]/g, "")) * 100);

/** The fields of each row of a file in which only names are quoted. */
function rowsOf(csv: string): string[][] {
  return csv
    .trimEnd()
    .split("\r\n")
    .slice(1)
    .map((row) => row.replaceAll(/"(?:[^"]|"")*"/g, "name").split(","));
}

/** What each of them says about the same sale. `total` is the sum of the prices, without the tax for an exempt customer. */
function tellings(goods: readonly Good[], percent: number, isExempt: boolean) {
  const cart = withCertificate(cartOf(goods, percent), isExempt ? "TX-1" : undefined);
  const priced = sum(goods.map(({ priceCents, units }) => priceCents * units));
  const sums = cartSums(cart, usualTerms);
  const sale = takeSale(cart, usualTerms, noon, { tender: "card", cashCents: null });
  const receipt = receiptOf(sale, usualTerms.receipt);
  const books = booksWith(goods);
  const queued = queuedLines(sale).map((line) => send(books, line));
  const rows = rowsOf(todayCsv([sale], new Map(queued.map((line) => [line.lineKey, line]))));
  const column = (place: number) => sum(rows.map((row) => centsIn(row[place] ?? "")));
  const refused = queued.filter((line) => line.status === "refused").map(({ line }) => line);
  const refusedPart = (part: "grossCents" | "preTaxCents" | "taxCents" | "payoutCents") =>
    sum(refused.map((line) => line[part]));
  const taxIn = Math.min(priced - preTaxOf(priced, RATE), priced - goods.length);
  const taxCents = isExempt ? 0 : taxIn;
  const gross = priced - taxIn + taxCents;
  return {
    total: { gross, preTax: gross - taxCents, tax: taxCents, payout: sums.payoutCents },
    cart: {
      gross: sums.totalCents,
      preTax: sums.subtotalCents,
      tax: sums.taxCents,
      payout: sum(sums.lines.map((line) => line.payoutCents)),
    },
    receipt: {
      gross: centsIn(receipt.total),
      preTax: centsIn(receipt.subtotal),
      tax: centsIn(receipt.tax.amount),
    },
    receiptLines: sum(receipt.lines.map(({ amount }) => centsIn(amount))),
    file: { gross: column(9), preTax: column(10), tax: column(11), payout: column(13) },
    ledgerAndRefused: {
      gross: 0 - books.balanceOf("world:customers") + refusedPart("grossCents"),
      preTax:
        books.balanceOf("store:revenue") + books.balanceOf(available) + refusedPart("preTaxCents"),
      tax: books.balanceOf("store:sales-tax") + refusedPart("taxCents"),
      payout: books.balanceOf(available) + refusedPart("payoutCents"),
    },
    refusedLines: refused.length,
  };
}

describe("a sale at the point of sale", () => {
  test("is the same in cart, receipt, export and ledger, whatever the ledger refuses", () => {
    fc.assert(
      fc.property(carts, share, fc.boolean(), (goods, percent, isExempt) => {
        const { total, ...said } = tellings(goods, percent, isExempt);
        expect(said.receiptLines).toBe(total.gross);
        expect(said.cart).toEqual(total);
        expect(said.receipt).toEqual({ gross: total.gross, preTax: total.preTax, tax: total.tax });
        expect(said.file).toEqual(total);
        expect(said.ledgerAndRefused).toEqual(total);
        expect(said.refusedLines).toBe(goods.filter(({ missing }) => missing > 0).length);
      }),
      {
        numRuns: 200,
        examples: [
          [hundredCents, 50, false],
          [hundredCents, 0, true],
        ],
      },
    );
  });

  test("rounds the tax once and leaves every line at least a cent", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 120 }),
        (gross) => {
          const taxes = taxOfLines(gross, RATE);
          const total = sum(gross);
          expect(gross.every((cents, index) => cents - (taxes[index] ?? 0) >= 1)).toBe(true);
          expect(taxes.every((tax) => tax >= 0)).toBe(true);
          const room = total - gross.length;
          expect(sum(taxes)).toBe(Math.min(total - preTaxOf(total, RATE), room));
        },
      ),
      { numRuns: 300 },
    );
  });

  test("books a hundred lines of one cent as one dollar", () => {
    const sums = cartSums(cartOf(hundredCents, 50), usualTerms);
    expect(sums.totalCents).toBe(100);
    // Every line is at the minimum of one cent, so there is no room for tax.
    expect(sums).toMatchObject({ subtotalCents: 100, taxCents: 0 });
    // 100 × round_half_up(1 ¢ × 50%), as the ledger rounds each line.
    expect(sums.payoutCents).toBe(100);
  });

  test("takes 8.25% out of the price: $10.00 is $9.24 and $0.76 tax", () => {
    expect(preTaxOf(1000, RATE)).toBe(924);
    expect(taxOfLines([500, 500], RATE)).toEqual([38, 38]);
    expect(taxOfLines([1, 999], RATE)).toEqual([0, 76]);
  });
});
