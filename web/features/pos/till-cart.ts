// How keys and scans change the till's cart: units, prices, the share, and the next question.
import type { CatalogueItem } from "#features/inventory/contract-catalogue.ts";
import { parseDollars, parseWhole } from "#web/lib/amount.ts";
import { randomId } from "#web/lib/random-id.ts";
import {
  addUnit,
  emptyCart,
  INVALID_PRICE,
  lineOf,
  removeLine,
  setPrice,
  setUnits,
  unpricedLine,
  withCertificate,
  type Cart,
  type CartItem,
  type CartLine,
} from "./cart.ts";
import { unusualPrice } from "#web/shared/sale/unusual-price.ts";
import { knownItem } from "./catalogue.ts";
import { isKept } from "./pos-store.ts";
import { lastPrice } from "./price-memory.ts";
import {
  CART_KEY,
  cartValue,
  forgetBadNotice,
  resetField,
  say,
  scanning,
  set,
  tillState,
  type Mode,
} from "./till-state.ts";
import { onOtherTab } from "#web/lib/other-tab.ts";
import { isPayable } from "./taken-sale.ts";
import { unsentUnits } from "./till-book.ts";

export const PAID_ELSEWHERE = "This cart was already paid in another tab";

export function cart(): Cart {
  return cartValue.read();
}

/** Units that can still be sold here, including those in the cart. */
export function availableUnits(itemId: string): number {
  return (knownItem(itemId)?.quantity ?? 0) - unsentUnits(itemId);
}

/** Starts a new cart if this one was paid in a tab that closed before it could clear it. */
export async function clearPaidCart(): Promise<void> {
  const { saleId, lines } = cart();
  if (lines.length > 0 && (await isKept(saleId))) {
    cartValue.write(emptyCart());
  }
}

/** Asks for the next thing: a missing price, otherwise a scan. */
export function goOn(): void {
  const open = unpricedLine(cart());
  set({ mode: open === undefined ? scanning : { kind: "price", lineId: open.lineId } });
}

/** Whether what the field asks for is still about the cart, which another tab may have sold or changed. */
function isStillAsked(mode: Mode, now: Cart): boolean {
  if (mode.kind === "pay") {
    return now.saleId === mode.saleId && isPayable(now);
  }
  return (
    (mode.kind !== "price" && mode.kind !== "quantity") || lineOf(now, mode.lineId) !== undefined
  );
}

/** Leaves a question that another tab has answered, and says why. A sale that is just being stored finds out itself. */
async function leaveAnswered(): Promise<void> {
  const { mode, isTaking } = tillState();
  if (isTaking || isStillAsked(mode, cart())) {
    return;
  }
  resetField();
  goOn();
  const isPaid = mode.kind === "pay" && (await isKept(mode.saleId));
  say("bad", isPaid ? PAID_ELSEWHERE : "This cart was changed in another tab");
}

/** Follows the cart, which all tabs of this till share, until the returned function is called. */
export function followCart(): () => void {
  const look = (): void =>
    void leaveAnswered().catch((error: unknown) => {
      console.error("The till's sales cannot be read", error);
    });
  look();
  return onOtherTab(CART_KEY, look);
}

export function cartItemOf({
  id,
  consignorID,
  consignorDisplayName,
  itemName,
  barcode1,
  imageUrl,
}: CatalogueItem): CartItem {
  return { id, consignorID, consignorDisplayName, itemName, barcode1, imageUrl };
}

export function addToCart(item: CatalogueItem): void {
  // A cart gets its sale's id with its first line, so that no two carts ever share one, and starts with tax.
  const filled =
    cart().lines.length === 0
      ? { ...withCertificate(cart(), undefined), saleId: randomId() }
      : cart();
  const added = addUnit(filled, cartItemOf(item), availableUnits(item.id), item.tagPriceCents);
  if (added.kind === "short") {
    say("bad", `${item.itemName}: ${added.message}`);
    return;
  }
  cartValue.write(added.cart);
  set({ shown: undefined, offered: undefined });
  goOn();
  say(
    "good",
    added.line.units === 1 ? item.itemName : `${item.itemName}, ${added.line.units} units`,
  );
}

/** True, with a message, while an owner has to be chosen before anything else. */
export function sayWhose(): boolean {
  const { mode } = tillState();
  if (mode.kind === "choose") {
    say("bad", `${mode.items.length} owners have ${mode.code}. Whose is it?`);
  }
  return mode.kind === "choose";
}

/** The unusual price that was entered last: entered a second time, it is meant. */
let unusual: { readonly lineId: number; readonly cents: number } | undefined;

/** The question about a price, if there is one that was not answered yet. */
function askedAbout({ lineId, units, item }: CartLine, cents: number): string | undefined {
  const isMeant = unusual?.lineId === lineId && unusual.cents === cents;
  const known = [lastPrice(item.id), knownItem(item.id)?.tagPriceCents].filter(
    (one) => one !== undefined && one !== null,
  );
  const knownUnitCents = known.length === 0 ? undefined : Math.max(...known);
  const question = isMeant
    ? undefined
    : unusualPrice({ units, totalCents: units * cents, knownUnitCents });
  unusual = question === undefined ? undefined : { lineId, cents };
  return question;
}

/** False if it was not a price, or one that is asked about. */
export function enterPrice(lineId: number, text: string): boolean {
  const line = lineOf(cart(), lineId);
  const remembered = line === undefined ? undefined : lastPrice(line.item.id);
  const cents = text.trim() === "" ? (line?.unitPriceCents ?? remembered) : parseDollars(text);
  const next = setPrice(cart(), lineId, cents);
  if (next === undefined) {
    say("bad", INVALID_PRICE);
    return false;
  }
  const question = line === undefined || cents === undefined ? undefined : askedAbout(line, cents);
  if (question !== undefined) {
    say("bad", `${question} Enter it again to keep it.`);
    return false;
  }
  cartValue.write(next);
  set({ notice: undefined });
  goOn();
  return true;
}

/** False if it was not a quantity that can be sold. */
export function enterQuantity(lineId: number, text: string): boolean {
  if (text.trim() === "") {
    goOn();
    return true;
  }
  return changeUnits(lineId, parseWhole(text));
}

/** False if the units stay as they are. */
export function changeUnits(lineId: number, units: number | undefined): boolean {
  const line = lineOf(cart(), lineId);
  if (line === undefined || sayWhose()) {
    return false;
  }
  const next = setUnits(cart(), lineId, units, availableUnits(line.item.id));
  if (next === undefined || "kind" in next) {
    say("bad", next?.message ?? "Quantity must be greater than 0");
    return false;
  }
  cartValue.write(next);
  set({ notice: undefined });
  if (tillState().mode.kind === "quantity") {
    // A button answered what was being typed.
    resetField();
  }
  goOn();
  return true;
}

/** What is typed in answer to a question about a line counts, whatever key it is left by. False if it cannot count. */
export function enterTyped(mode: Mode, text: string): boolean {
  if (text.trim() === "" || (mode.kind !== "price" && mode.kind !== "quantity")) {
    return true;
  }
  const enter = mode.kind === "price" ? enterPrice : enterQuantity;
  return enter(mode.lineId, text);
}

export function takeOut(lineId: number): void {
  if (sayWhose()) {
    return;
  }
  const { mode } = tillState();
  cartValue.write(removeLine(cart(), lineId));
  set({ notice: undefined });
  if ("lineId" in mode && mode.lineId === lineId) {
    // What was typed for this line is not for the next one.
    resetField();
  }
  goOn();
}

/** Undefined charges the tax again. */
export function setCertificate(certificate: string | undefined): void {
  cartValue.write(withCertificate(cart(), certificate));
}

export function setShare(consignorShare: number): void {
  forgetBadNotice();
  cartValue.write({ ...cart(), consignorShare });
}
