// The till between keyboard and cart: what is scanned, typed or pressed, in its order, and what is asked for next.
import type { CatalogueItem } from "#features/inventory/contract.ts";
import { parseDollars, parseWhole } from "#web/lib/amount.ts";
import { localValue } from "#web/lib/local-store.ts";
import { randomId } from "#web/lib/random-id.ts";
import {
  addUnit,
  cartShape,
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
import { playBad, playGood } from "./sounds.ts";
import { isPayable, takeSale, type TakenSale } from "./taken-sale.ts";
import { refreshBook, unsentUnits } from "./till-book.ts";

/** What the one field asks for now. */
export type Mode =
  | { readonly kind: "scan" }
  | { readonly kind: "price"; readonly lineId: number }
  | { readonly kind: "quantity"; readonly lineId: number }
  | { readonly kind: "pay" }
  /** A barcode of several owners: somebody says whose it is. */
  | { readonly kind: "choose"; readonly code: string; readonly items: readonly CatalogueItem[] };

export type Notice = { readonly kind: "good" | "bad"; readonly text: string; readonly id: number };

export type TillState = {
  readonly mode: Mode;
  readonly notice: Notice | undefined;
  /** Scans that wait until somebody has chosen. */
  readonly waitingScans: number;
  /** The sale that was just taken, until the next scan. */
  readonly taken: TakenSale | undefined;
  readonly isTaking: boolean;
};

const scanning: Mode = { kind: "scan" };

let state: TillState = {
  mode: scanning,
  notice: undefined,
  waitingScans: 0,
  taken: undefined,
  isTaking: false,
};
const listeners = new Set<() => void>();

export function tillState(): TillState {
  return state;
}

export function onTill(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(changes: Partial<TillState>): void {
  state = { ...state, ...changes };
  for (const listener of listeners) {
    listener();
  }
}

let notices = 0;

function say(kind: Notice["kind"], text: string): void {
  notices += 1;
  set({ notice: { kind, text, id: notices } });
  if (kind === "good") {
    playGood();
  } else {
    playBad();
  }
}

/** The cart outlives a reload and a closed browser; another tab of this till shows the same one. */
export const cartValue = localValue("posCart", cartShape, emptyCart(randomId()));

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
    cartValue.write(emptyCart(randomId()));
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
  const added = addUnit(cart(), cartItemOf(item), availableUnits(item.id));
  if (added.kind === "short") {
    say("bad", `${item.itemName}: ${added.message}`);
    return;
  }
  cartValue.write(added.cart);
  set({ taken: undefined });
  goOn();
  say(
    "good",
    added.line.units === 1 ? item.itemName : `${item.itemName}, ${added.line.units} units`,
  );
}

/** Scans in the order they came; each waits for the one before. */
let scans: Promise<void> = Promise.resolve();
let choosing: ((item: CatalogueItem | undefined) => void) | undefined;

/** Takes a code, however many come at once; none is lost while another is looked up. */
export function scan(code: string): Promise<void> {
  set({ waitingScans: state.waitingScans + 1 });
  scans = scans
    .then(() => takeCode(code))
    .catch((error: unknown) => say("bad", `Error finding ${code}: ${String(error)}`))
    .finally(() => set({ waitingScans: state.waitingScans - 1 }));
  return scans;
}

async function takeCode(code: string): Promise<void> {
  const items = (await findByBarcode(code)).filter(({ archived }) => !archived);
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
  set({ mode: { kind: "choose", code, items } });
  sayWhose();
  return new Promise((resolve) => {
    choosing = resolve;
  });
}

/** True, and said, while nothing else goes on because an owner has to be chosen. */
function sayWhose(): boolean {
  const { mode } = state;
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

/** Enter in the field, with what stands in it; `isScan` where a scanner typed it. Answers results to choose from, if any. */
export async function enter(
  text: string,
  isScan: boolean,
): Promise<readonly CatalogueItem[] | undefined> {
  const { mode } = state;
  if (isScan || mode.kind === "scan" || mode.kind === "choose") {
    return enterCode(text, isScan);
  }
  if (mode.kind === "pay") {
    await complete(text);
  } else if (mode.kind === "quantity") {
    enterQuantity(mode.lineId, text);
  } else if (text === "" || parseDollars(text) !== undefined) {
    const holders = text.length < 6 ? [] : await findByBarcode(text);
    if (holders.length === 0) {
      enterPrice(mode.lineId, text);
    } else {
      await scan(text);
    }
  } else {
    return enterCode(text, false);
  }
  return undefined;
}

async function enterCode(
  text: string,
  isScan: boolean,
): Promise<readonly CatalogueItem[] | undefined> {
  const code = text.trim();
  if (code === "") {
    return undefined;
  }
  if (isScan || (await findByBarcode(code)).length > 0) {
    void scan(code);
    return undefined;
  }
  if (sayWhose()) {
    return undefined;
  }
  const found = (await findByWords(code)).filter(({ archived }) => !archived);
  const [only] = found;
  if (only === undefined) {
    void scan(code);
  } else if (found.length === 1) {
    add(only);
  }
  return found.length > 1 ? found : undefined;
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
  set({ mode: { kind: "price", lineId }, notice: undefined });
}

/** F4: of this line, or of the newest. */
export function askQuantity(lineId = cart().lines.at(-1)?.lineId): void {
  if (lineId === undefined) {
    say("bad", "Cart is empty");
  } else if (!sayWhose()) {
    set({ mode: { kind: "quantity", lineId }, notice: undefined });
  }
}

function giveUpChoosing(): void {
  choosing?.(undefined);
  choosing = undefined;
}

/** F2: words or a code, even while a price is missing. */
export function askScan(): void {
  giveUpChoosing();
  set({ mode: scanning, notice: undefined });
}

/** Esc: one step back; the cart stays as it is. */
export function stepBack(): void {
  if (state.mode.kind === "choose") {
    giveUpChoosing();
    goOn();
  } else if (state.mode.kind === "scan") {
    set({ notice: undefined, taken: undefined });
  } else {
    askScan();
  }
}

/** F9, with what stands in the field: to the payment, and there to its end. */
export async function pay(text: string): Promise<void> {
  const { mode } = state;
  if (mode.kind === "pay") {
    await complete(text);
    return;
  }
  if (sayWhose()) {
    return;
  }
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
  if (state.isTaking || !isPayable(paid)) {
    return;
  }
  if (cash === undefined || (cash !== null && cash < cartSums(paid).totalCents)) {
    say("bad", "The cash is less than the total");
    return;
  }
  set({ isTaking: true });
  try {
    const sale = takeSale(paid, new Date().toISOString(), cash);
    await keepSale(sale);
    rememberPrices(sale);
    cartValue.write(emptyCart(randomId()));
    await refreshBook();
    set({ mode: scanning, taken: sale, notice: undefined });
    playGood();
    void sendNow();
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
