// The till between keyboard and cart: handles scans, text and keys in their order, and decides what to ask for next.
import type { CatalogueItem } from "#features/inventory/contract-catalogue.ts";
import { receiptNumberPattern } from "#features/sales/contract-receipt.ts";
import { findReceipt } from "#web/shared/receipt/receipt-api.ts";
import { parseDollars } from "#web/lib/amount.ts";
import { whenForgotten } from "#web/shared/till/till-person.ts";
import { INVALID_PRICE, type Cart } from "./cart.ts";
import { findByBarcode, findByWords, knownItem } from "./catalogue.ts";
import { saleByReceipt } from "./pos-store.ts";
import { isPayable } from "./taken-sale.ts";
import {
  addToCart,
  cart,
  enterPrice,
  enterQuantity,
  enterTyped,
  goOn,
  sayWhose,
} from "./till-cart.ts";
import { askedCash, complete, completeInCash, forgetAsked, openPayment } from "./till-payment.ts";
import {
  cartValue,
  fieldText,
  forgetBadNotice,
  resetField,
  say,
  scanning,
  set,
  tillState,
  type ShownReceipt,
} from "./till-state.ts";
import { codeInTurn, codesBehind, turnsSoFar } from "./till-turns.ts";

/** A shorter number is read as a price without a barcode lookup. */
const shortestBarcode = 6;

/** Rather a price than a part of a barcode: it chooses no item that only contains it. */
export function isShortNumber(text: string): boolean {
  return text.length < shortestBarcode && parseDollars(text) !== undefined;
}

let choosing: ((item: CatalogueItem | undefined) => void) | undefined;

/** Queues a code. None is lost or overtaken while another is looked up, however many arrive at once. */
export function scan(code: string): Promise<void> {
  return codeInTurn(code, async () => takeItems(code, await findByBarcode(code)));
}

async function takeItems(code: string, found: readonly CatalogueItem[]): Promise<void> {
  const items = found.filter(({ archived }) => !archived);
  // Units that are on their way to the ledger may be left out of its count already: subtracted twice, they would decide
  // whose the item is, and nobody would be asked.
  const inStock = items.filter(({ id }) => (knownItem(id)?.quantity ?? 0) > 0);
  const [only] = inStock.length === 0 ? items : inStock;
  if (only === undefined) {
    const shown = await receiptOfCode(code);
    if (shown === undefined) {
      say("bad", `No item has the barcode ${code}`);
    } else {
      set({ shown, mode: scanning });
      say("good", "Receipt found");
    }
    return;
  }
  const item = inStock.length > 1 ? await choose(code, inStock) : only;
  if (item !== undefined) {
    addToCart(item);
  }
}

/** This till's own receipts are there without the server; those of other tills are not. */
async function receiptOfCode(code: string): Promise<ShownReceipt | undefined> {
  const sale = await saleByReceipt(code);
  if (sale !== undefined) {
    return { kind: "taken", sale };
  }
  if (!receiptNumberPattern.test(code)) {
    return undefined;
  }
  const receipt = await findReceipt(code);
  return receipt === undefined ? undefined : { kind: "found", receipt };
}

/** By the owner's name, the store's own last: in the same place each time, whatever was sold in between. */
function byOwner(one: CatalogueItem, other: CatalogueItem): number {
  const [a, b] = [one.consignorDisplayName, other.consignorDisplayName];
  return (
    Number(a === null) - Number(b === null) ||
    (a ?? "").localeCompare(b ?? "") ||
    one.id.localeCompare(other.id)
  );
}

function choose(code: string, found: readonly CatalogueItem[]): Promise<CatalogueItem | undefined> {
  const items = found.toSorted(byOwner);
  set({ mode: { kind: "choose", code, items }, waitingScans: codesBehind() });
  sayWhose();
  return new Promise((resolve) => {
    choosing = resolve;
  });
}

/** An owner or a search result was chosen. */
export function pick(item: CatalogueItem): void {
  if (choosing === undefined) {
    addToCart(item);
    return;
  }
  choosing(item);
  choosing = undefined;
}

/** Enter in the field, with its text and the part that a scanner typed. */
export function enter(text: string, scanned?: string): void {
  const { mode } = tillState();
  const code = text.trim();
  const isCode = scanned !== undefined || mode.kind === "scan" || mode.kind === "choose";
  if (isCode || (mode.kind === "price" && code !== "" && parseDollars(code) === undefined)) {
    if (code !== "") {
      enterCode(code, scanned?.trim());
    }
  } else if (mode.kind === "pay") {
    void completeInCash(text);
  } else if (mode.kind === "quantity") {
    enterQuantity(mode.lineId, text);
  } else if (code.length < shortestBarcode) {
    enterPrice(mode.lineId, code);
  } else {
    const { lineId } = mode;
    void codeInTurn(code, async () => {
      const items = await findByBarcode(code);
      await (items.length === 0 ? enterPrice(lineId, code) : takeItems(code, items));
    });
  }
}

/** A code or text. While an owner is chosen, codes wait; text does not answer that question. */
function enterCode(code: string, scanned: string | undefined): void {
  if (scanned !== undefined || tillState().mode.kind !== "choose") {
    void codeInTurn(code, () => takeText(code, scanned));
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

async function takeText(text: string, scanned: string | undefined): Promise<void> {
  const items = await findByBarcode(text);
  if (items.length > 0) {
    await takeItems(text, items);
  } else if (scanned !== undefined) {
    // A person typed something before the scan.
    await takeItems(scanned, scanned === text ? items : await findByBarcode(scanned));
    const typed = text.endsWith(scanned) ? text.slice(0, -scanned.length).trim() : "";
    if (typed !== "" && parseDollars(typed) !== undefined && tillState().mode.kind !== "choose") {
      const { notice } = tillState();
      const problem = notice?.kind === "bad" ? `${notice.text}. ` : "";
      say("bad", `${problem}${typed} was not entered: press Enter before you scan the next item`);
    }
  } else {
    await (isShortNumber(text) ? takeItems(text, []) : takeWords(text));
  }
}

async function takeWords(words: string): Promise<void> {
  const offered = (await findByWords(words)).filter(({ archived }) => !archived);
  const [only] = offered;
  if (only === undefined) {
    await takeItems(words, []);
  } else if (offered.length === 1) {
    addToCart(only);
  } else {
    set({ offered });
  }
}

export function askPrice(lineId: number): void {
  if (sayWhose()) {
    return;
  }
  resetField();
  set({ mode: { kind: "price", lineId }, notice: undefined });
}

/** Changes the quantity of this line, or of the newest. */
export function askQuantity(lineId = cart().lines.at(-1)?.lineId): void {
  if (lineId === undefined) {
    say("bad", "Cart is empty");
  } else if (!sayWhose()) {
    resetField();
    set({ mode: { kind: "quantity", lineId }, notice: undefined });
  }
}

/**
 * Before the field asks for something else, what is typed in it counts as the answer to its question. False, with the
 * reason said, if it cannot: text that was to find an item is not dropped either.
 */
export function settleTyped(text = fieldText()): boolean {
  const { mode } = tillState();
  if (mode.kind === "scan" && text.trim() !== "") {
    say("bad", `${text.trim()} was not entered: press Enter, or Esc to clear it`);
    return false;
  }
  return enterTyped(mode, text);
}

/** A click asks for something else. */
export function askInstead(ask: () => void): void {
  if (settleTyped()) {
    ask();
  }
}

/** F4, with the text in the field. */
export function changeQuantity(text: string): void {
  if (settleTyped(text)) {
    askQuantity();
  }
}

function giveUpChoosing(): void {
  choosing?.(undefined);
  choosing = undefined;
}

whenForgotten(() => {
  giveUpChoosing();
  set({ mode: scanning, notice: undefined, offered: undefined, shown: undefined });
});

/** The text was edited: earlier choices, errors and questions no longer apply. Enter empties the field, and may be the answer. */
export function typeAnew(text: string): void {
  if (askedCash() !== undefined && text === "") {
    return;
  }
  forgetAsked();
  forgetBadNotice();
  clearOffered();
}

export function clearOffered(): void {
  if (tillState().offered !== undefined) {
    set({ offered: undefined });
  }
}

/** F2: search by text or code, even while a price is missing. */
export function askScan(): void {
  resetField();
  giveUpChoosing();
  set({ mode: scanning, notice: undefined });
}

/** Esc: one step back. The cart stays as it is. */
export function stepBack(): void {
  if (tillState().mode.kind === "choose") {
    giveUpChoosing();
    set({ notice: undefined });
    goOn();
  } else if (askedCash() !== undefined) {
    forgetAsked();
  } else if (tillState().mode.kind === "scan") {
    set({ notice: undefined, shown: undefined });
  } else {
    askScan();
  }
}

/** F9, with the text in the field: opens the payment. Completing it takes another key. */
export async function pay(text: string): Promise<void> {
  const { mode } = tillState();
  if (mode.kind === "pay") {
    return;
  }
  if (sayWhose() || !settleTyped(text)) {
    return;
  }
  resetField();
  // What was scanned before the key belongs to this sale.
  await turnsSoFar();
  if (cart().lines.length === 0) {
    say("bad", "Cart is empty");
  } else if (isPayable(cart())) {
    openPayment();
  } else {
    goOn();
    say("bad", INVALID_PRICE);
  }
}

/** F7 and F8, with the text in the field: completes the sale if the payment is open, and opens it otherwise. */
export async function payBy(tender: "card" | "other", text: string): Promise<void> {
  if (tillState().mode.kind !== "pay") {
    await pay(text);
  } else if (!tillState().isDeaf) {
    await complete({ tender, cashCents: null });
  }
}

/** Starts another cart, or resumes a parked one. */
export function startCart(next: Cart): void {
  giveUpChoosing();
  resetField();
  cartValue.write(next);
  set({ notice: undefined, shown: undefined });
  goOn();
}

export function sayCartIsEmpty(): void {
  say("bad", "Cart is empty");
}
