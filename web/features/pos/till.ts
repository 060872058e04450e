// The till between keyboard and cart: what is scanned, typed or pressed, in its order, and what is asked for next.
import type { CatalogueItem } from "#features/inventory/contract.ts";
import { parseDollars, parseWhole } from "#web/lib/amount.ts";
import { randomId } from "#web/lib/random-id.ts";
import {
  addUnit,
  cartSums,
  emptyCart,
  INVALID_PRICE,
  lineOf,
  removeLine,
  setPrice,
  setUnits,
  unpricedLine,
  type Cart,
  type CartItem,
} from "./cart.ts";
import { findByBarcode, findByWords, knownItem } from "./catalogue.ts";
import { sendNow } from "./outbox.ts";
import { isKept, keepSale, saleByReceipt } from "./pos-store.ts";
import { lastPrice, rememberPrices } from "./price-memory.ts";
import { playGood } from "#web/features/scan/sounds.ts";
import { isPayable, takeSale, type TakenSale } from "./taken-sale.ts";
import { cartValue, resetField, say, scanning, set, tillState } from "./till-state.ts";
import { refreshBook, unsentUnits } from "./till-book.ts";

function cart(): Cart {
  return cartValue.read();
}

/** Units that can still be sold here, those in the cart included. */
export function availableUnits(itemId: string): number {
  return (knownItem(itemId)?.quantity ?? 0) - unsentUnits(itemId);
}

/** Where a cart was paid in a tab that closed before it could clear it, a new one begins. */
export async function clearPaidCart(): Promise<void> {
  const { saleId, lines } = cart();
  if (lines.length > 0 && (await isKept(saleId))) {
    cartValue.write(emptyCart());
  }
}

/** The next thing to ask for: a price that is missing, else a scan. */
function goOn(): void {
  const open = unpricedLine(cart());
  set({ mode: open === undefined ? scanning : { kind: "price", lineId: open.lineId } });
}

function cartItemOf({
  id,
  consignorID,
  consignorDisplayName,
  itemName,
  barcode1,
  imageUrl,
}: CatalogueItem): CartItem {
  return { id, consignorID, consignorDisplayName, itemName, barcode1, imageUrl };
}

export { cartItemOf };

function add(item: CatalogueItem): void {
  // A cart gets its sale's id with its first line, so that no two carts ever share one.
  const filled = cart().lines.length === 0 ? { ...cart(), saleId: randomId() } : cart();
  const added = addUnit(filled, cartItemOf(item), availableUnits(item.id));
  if (added.kind === "short") {
    say("bad", `${item.itemName}: ${added.message}`);
    return;
  }
  cartValue.write(added.cart);
  set({ taken: undefined, offered: undefined });
  goOn();
  say(
    "good",
    added.line.units === 1 ? item.itemName : `${item.itemName}, ${added.line.units} units`,
  );
}

/** Scans in the order they came; each waits for the one before. */
let scans: Promise<void> = Promise.resolve();
let waitingScans = 0;
/** A shorter number is a price without looking it up. */
const shortestBarcode = 6;
let choosing: ((item: CatalogueItem | undefined) => void) | undefined;

/** How many are waiting is only shown while an owner is chosen. */
function countScans(change: number): void {
  waitingScans += change;
  if (tillState().mode.kind === "choose") {
    set({ waitingScans: waitingScans - 1 });
  }
}

/** One step after the other, in the order of the keys. */
function inTurn(code: string, step: () => Promise<void>): Promise<void> {
  countScans(1);
  scans = scans
    .then(step)
    .catch((error: unknown) => say("bad", `Error finding ${code}: ${String(error)}`))
    .finally(() => countScans(-1));
  return scans;
}

/** Takes a code, however many come at once; none is lost or overtaken while another is looked up. */
export function scan(code: string): Promise<void> {
  return inTurn(code, async () => takeItems(code, await findByBarcode(code)));
}

async function takeItems(code: string, found: readonly CatalogueItem[]): Promise<void> {
  const items = found.filter(({ archived }) => !archived);
  const inStock = items.filter(({ id }) => availableUnits(id) > 0);
  const [only] = inStock.length === 0 ? items : inStock;
  if (only === undefined) {
    const sale = await saleByReceipt(code);
    if (sale === undefined) {
      say("bad", `No item has the barcode ${code}`);
    } else {
      set({ taken: sale, mode: scanning });
      say("good", "Receipt found");
    }
    return;
  }
  const item = inStock.length > 1 ? await choose(code, inStock) : only;
  if (item !== undefined) {
    add(item);
  }
}

function choose(code: string, items: readonly CatalogueItem[]): Promise<CatalogueItem | undefined> {
  set({ mode: { kind: "choose", code, items }, waitingScans: waitingScans - 1 });
  sayWhose();
  return new Promise((resolve) => {
    choosing = resolve;
  });
}

/** True, and said, while nothing else goes on because an owner has to be chosen. */
function sayWhose(): boolean {
  const { mode } = tillState();
  if (mode.kind === "choose") {
    say("bad", `${mode.items.length} owners have ${mode.code}. Whose is it?`);
  }
  return mode.kind === "choose";
}

/** Somebody has said whose it is, or picked a search result. */
export function pick(item: CatalogueItem): void {
  if (choosing === undefined) {
    add(item);
    return;
  }
  choosing(item);
  choosing = undefined;
}

/** Enter in the field, with what stands in it; `isScan` where a scanner typed it. */
export function enter(text: string, isScan: boolean): void {
  const { mode } = tillState();
  const code = text.trim();
  const isCode = isScan || mode.kind === "scan" || mode.kind === "choose";
  if (isCode || (mode.kind === "price" && code !== "" && parseDollars(code) === undefined)) {
    if (code !== "") {
      enterCode(code, isScan);
    }
  } else if (mode.kind === "pay") {
    void complete(text);
  } else if (mode.kind === "quantity") {
    enterQuantity(mode.lineId, text);
  } else if (code.length < shortestBarcode) {
    enterPrice(mode.lineId, code);
  } else {
    const { lineId } = mode;
    void inTurn(code, async () => {
      const items = await findByBarcode(code);
      await (items.length === 0 ? enterPrice(lineId, code) : takeItems(code, items));
    });
  }
}

/** A code or words. While an owner is chosen, only codes wait; words are no answer to that question. */
function enterCode(code: string, isScan: boolean): void {
  if (isScan || tillState().mode.kind !== "choose") {
    void inTurn(code, () => takeText(code, isScan));
    return;
  }
  void (async () => {
    if ((await findByBarcode(code)).length > 0) {
      await scan(code);
    } else {
      sayWhose();
    }
  })();
}

async function takeText(text: string, isScan: boolean): Promise<void> {
  const items = await findByBarcode(text);
  const found = isScan || items.length > 0 ? [] : await findByWords(text);
  const offered = found.filter(({ archived }) => !archived);
  const [only] = offered;
  if (only === undefined) {
    await takeItems(text, items);
  } else if (offered.length === 1) {
    add(only);
  } else {
    set({ offered });
  }
}

/** False where it was no price. */
function enterPrice(lineId: number, text: string): boolean {
  const line = lineOf(cart(), lineId);
  const remembered = line === undefined ? undefined : lastPrice(line.item.id);
  const cents = text.trim() === "" ? (line?.unitPriceCents ?? remembered) : parseDollars(text);
  const next = setPrice(cart(), lineId, cents);
  if (next === undefined) {
    say("bad", INVALID_PRICE);
    return false;
  }
  cartValue.write(next);
  set({ notice: undefined });
  goOn();
  return true;
}

function enterQuantity(lineId: number, text: string): void {
  if (text.trim() === "") {
    goOn();
    return;
  }
  changeUnits(lineId, parseWhole(text));
}

export function changeUnits(lineId: number, units: number | undefined): void {
  const line = lineOf(cart(), lineId);
  if (line === undefined || sayWhose()) {
    return;
  }
  const next = setUnits(cart(), lineId, units, availableUnits(line.item.id));
  if (next === undefined) {
    say("bad", "Quantity must be greater than 0");
  } else if ("kind" in next) {
    say("bad", next.message);
  } else {
    cartValue.write(next);
    set({ notice: undefined });
    goOn();
  }
}

export function takeOut(lineId: number): void {
  if (sayWhose()) {
    return;
  }
  cartValue.write(removeLine(cart(), lineId));
  set({ notice: undefined });
  goOn();
}

export function setShare(consignorShare: number): void {
  cartValue.write({ ...cart(), consignorShare });
}

export function askPrice(lineId: number): void {
  if (sayWhose()) {
    return;
  }
  resetField();
  set({ mode: { kind: "price", lineId }, notice: undefined });
}

/** F4: of this line, or of the newest. */
export function askQuantity(lineId = cart().lines.at(-1)?.lineId): void {
  if (lineId === undefined) {
    say("bad", "Cart is empty");
  } else if (!sayWhose()) {
    resetField();
    set({ mode: { kind: "quantity", lineId }, notice: undefined });
  }
}

function giveUpChoosing(): void {
  choosing?.(undefined);
  choosing = undefined;
}

/** What was offered is no longer of interest: something else is typed. */
export function clearOffered(): void {
  if (tillState().offered !== undefined) {
    set({ offered: undefined });
  }
}

/** F2: words or a code, even while a price is missing. */
export function askScan(): void {
  resetField();
  giveUpChoosing();
  set({ mode: scanning, notice: undefined });
}

/** Esc: one step back; the cart stays as it is. */
export function stepBack(): void {
  if (tillState().mode.kind === "choose") {
    giveUpChoosing();
    goOn();
  } else if (tillState().mode.kind === "scan") {
    set({ notice: undefined, taken: undefined });
  } else {
    askScan();
  }
}

/** F9, with what stands in the field: to the payment, and there to its end. */
export async function pay(text: string): Promise<void> {
  resetField();
  const { mode } = tillState();
  if (mode.kind === "pay") {
    await complete(text);
    return;
  }
  if (sayWhose()) {
    return;
  }
  // What was scanned before the key belongs into this sale.
  await scans;
  if (mode.kind === "price" && text.trim() !== "" && !enterPrice(mode.lineId, text)) {
    return;
  }
  if (cart().lines.length === 0) {
    say("bad", "Cart is empty");
  } else if (isPayable(cart())) {
    set({ mode: { kind: "pay" }, notice: undefined });
  } else {
    goOn();
    say("bad", INVALID_PRICE);
  }
}

/** `text` is the cash that was handed over; empty for the exact amount or a card. */
export async function complete(text: string): Promise<void> {
  const paid = cart();
  const cash = text.trim() === "" ? null : parseDollars(text);
  if (tillState().isTaking || !isPayable(paid)) {
    return;
  }
  if (cash === undefined || (cash !== null && cash < cartSums(paid).totalCents)) {
    say("bad", "The cash is less than the total");
    return;
  }
  resetField();
  set({ isTaking: true });
  try {
    const sale = takeSale(paid, new Date().toISOString(), cash);
    const isNew = await keepSale(sale);
    cartValue.write(emptyCart());
    await refreshBook();
    if (isNew) {
      rememberPrices(sale);
      set({ mode: scanning, taken: sale, notice: undefined });
      playGood();
      void sendNow();
    } else {
      set({ mode: scanning });
      say("bad", "This cart was paid in another tab already");
    }
  } catch (error) {
    say("bad", `Error keeping this sale: ${String(error)}. The cart is still here.`);
  } finally {
    set({ isTaking: false });
  }
}

export function showTaken(sale: TakenSale | undefined): void {
  set({ taken: sale });
}

/** Begins with another cart, or goes on with one that was parked. */
export function startCart(next: Cart): void {
  giveUpChoosing();
  cartValue.write(next);
  set({ notice: undefined, taken: undefined });
  goOn();
}

export function sayCartIsEmpty(): void {
  say("bad", "Cart is empty");
}
