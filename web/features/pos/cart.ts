// The cart as pure steps: the result of a scan, a price, a quantity or a removal. Stock and people are passed in.
import type { Cents } from "#ledger/money.ts";
import { MAX_AMOUNT_CENTS } from "#ledger/money.ts";
import * as z from "zod/mini";
import { agreedShareOf, type SellingTerms } from "#web/shared/sale/selling-terms.ts";
import { sumsOf, withoutTax, type SaleSums } from "./cart-sums.ts";

/** A copy of the item's facts, so that the line shows and sells the same without a connection. */
export const cartItem = z.object({
  id: z.string(),
  /** Null for the store's own item. */
  consignorID: z.nullable(z.string()),
  consignorDisplayName: z.nullable(z.string()),
  itemName: z.string(),
  barcode1: z.string(),
  imageUrl: z.string(),
});
export type CartItem = z.infer<typeof cartItem>;

const cartLine = z.object({
  /** A number that is unique within the cart and grows. */
  lineId: z.int(),
  item: cartItem,
  units: z.int().check(z.gte(1)),
  /** With tax, for one unit; null until it was entered. */
  unitPriceCents: z.nullable(z.int()),
});
export type CartLine = z.infer<typeof cartLine>;

export const cartShape = z.object({
  /** A UUID as soon as there is a line. The sale keeps it, so that no cart becomes two sales. */
  saleId: z.string(),
  /** In the order of scanning. */
  lines: z.array(cartLine),
  /** The slider's value; null until someone moves it: the store's default. */
  consignorShare: z.nullable(z.int().check(z.gte(0), z.lte(100))),
  /** The number of the certificate of a customer who pays no tax; missing for everybody else. */
  certificate: z.optional(z.string()),
});
export type Cart = z.infer<typeof cartShape>;

export function emptyCart(saleId = "", consignorShare: number | null = null): Cart {
  return { saleId, lines: [], consignorShare };
}

export type StockShort = { readonly kind: "short"; readonly message: string };
export type CartChanged = {
  readonly kind: "changed";
  readonly cart: Cart;
  readonly line: CartLine;
};

/** The specification's sentence. */
export function shortOf(available: number): StockShort {
  return { kind: "short", message: `Only ${Math.max(0, available)} available in inventory` };
}

export function unitsInCart(cart: Cart, itemId: string): number {
  return cart.lines.reduce((sum, line) => sum + (line.item.id === itemId ? line.units : 0), 0);
}

/** Adds one unit. An item that is already in the cart gets one more and becomes the newest line; a new one has its tag's price. */
export function addUnit(
  cart: Cart,
  item: CartItem,
  available: number,
  tagPriceCents: Cents | null = null,
): CartChanged | StockShort {
  if (unitsInCart(cart, item.id) + 1 > available) {
    return shortOf(available);
  }
  const known = cart.lines.find((line) => line.item.id === item.id);
  const line: CartLine =
    known === undefined
      ? { lineId: nextLineId(cart), item, units: 1, unitPriceCents: tagPriceCents }
      : { ...known, item, units: known.units + 1 };
  const others = cart.lines.filter((other) => other !== known);
  return { kind: "changed", cart: { ...cart, lines: [...others, line] }, line };
}

function nextLineId(cart: Cart): number {
  return cart.lines.reduce((highest, line) => Math.max(highest, line.lineId), 0) + 1;
}

function changeLine(cart: Cart, lineId: number, changes: Partial<CartLine>): Cart {
  const lines = cart.lines.map((line) => (line.lineId === lineId ? { ...line, ...changes } : line));
  return { ...cart, lines };
}

export const INVALID_PRICE = "Please enter a valid price";

/** Whether a line with this many units can have this price. */
export function isValidPrice(unitPriceCents: Cents | undefined, units: number): boolean {
  return (
    unitPriceCents !== undefined && unitPriceCents > 0 && unitPriceCents * units <= MAX_AMOUNT_CENTS
  );
}

/** Undefined if the price is not valid. */
export function setPrice(
  cart: Cart,
  lineId: number,
  unitPriceCents: Cents | undefined,
): Cart | undefined {
  const line = lineOf(cart, lineId);
  return line !== undefined &&
    unitPriceCents !== undefined &&
    isValidPrice(unitPriceCents, line.units)
    ? changeLine(cart, lineId, { unitPriceCents })
    : undefined;
}

/** Undefined if it is not a quantity. */
export function setUnits(
  cart: Cart,
  lineId: number,
  units: number | undefined,
  available: number,
): Cart | StockShort | undefined {
  const line = lineOf(cart, lineId);
  if (line === undefined || units === undefined || units < 1) {
    return undefined;
  }
  const elsewhere = unitsInCart(cart, line.item.id) - line.units;
  if (units + elsewhere > available) {
    return shortOf(available);
  }
  return changeLine(cart, lineId, { units });
}

/** The exemption ends with the last line: the next customer pays tax. */
export function removeLine(cart: Cart, lineId: number): Cart {
  const left = { ...cart, lines: cart.lines.filter((line) => line.lineId !== lineId) };
  return left.lines.length === 0 ? withCertificate(left, undefined) : left;
}

export function lineOf(cart: Cart, lineId: number): CartLine | undefined {
  return cart.lines.find((line) => line.lineId === lineId);
}

/** The newest line without a valid price. */
export function unpricedLine(cart: Cart): CartLine | undefined {
  return cart.lines.findLast((line) => !isPriced(line));
}

export function isPriced(line: CartLine): boolean {
  return isValidPrice(line.unitPriceCents ?? undefined, line.units);
}

export function grossOf(line: CartLine): Cents {
  return (line.unitPriceCents ?? 0) * line.units;
}

/** The share of lines whose consignor has no agreed share. */
export function sliderShare(cart: Cart, terms: SellingTerms): number {
  return cart.consignorShare ?? terms.defaultConsignorPercentage;
}

/** The share agreed with the line's consignor, else the slider's; null for the store's own item. */
export function shareOfLine(cart: Cart, { item }: CartLine, terms: SellingTerms): number | null {
  return item.consignorID === null
    ? null
    : (agreedShareOf(terms, item.consignorID) ?? sliderShare(cart, terms));
}

/** Undefined charges the tax again. */
export function withCertificate(cart: Cart, certificate: string | undefined): Cart {
  const { certificate: _, ...taxed } = cart;
  return certificate === undefined ? taxed : { ...taxed, certificate };
}

/** In the order of the cart's lines. A line without a price counts as zero. */
export function cartSums(cart: Cart, terms: SellingTerms): SaleSums {
  const sums = sumsOf(
    cart.lines.map((line) => ({
      grossCents: grossOf(line),
      consignorShare: shareOfLine(cart, line, terms),
    })),
    terms.taxRateBasisPoints,
  );
  return cart.certificate === undefined ? sums : withoutTax(sums);
}
