// The till's current state, for the screen to show: its question, its last message, the cart, the last sale.
import type { CatalogueItem } from "#features/inventory/contract-catalogue.ts";
import type { ReceiptView } from "#features/sales/contract-receipt.ts";
import type { Cents } from "#ledger/money.ts";
import { localValue } from "#web/lib/local-store.ts";
import { cartShape, emptyCart } from "./cart.ts";
import { playBad, playGood } from "#web/shared/scan/sounds.ts";
import type { TakenSale } from "./taken-sale.ts";

/** What the field asks for. */
export type Mode =
  | { readonly kind: "scan" }
  | { readonly kind: "price"; readonly lineId: number }
  | { readonly kind: "quantity"; readonly lineId: number }
  /** `saleId` is the cart's when the payment was opened, `askedCents` the cash that is asked about once more. */
  | { readonly kind: "pay"; readonly saleId: string; readonly askedCents?: Cents }
  /** A barcode with several owners: a person has to choose one. */
  | { readonly kind: "choose"; readonly code: string; readonly items: readonly CatalogueItem[] };

export type Notice = { readonly kind: "good" | "bad"; readonly text: string; readonly id: number };

export type ShownReceipt =
  | { readonly kind: "taken"; readonly sale: TakenSale }
  /** Of another till, or of one that has erased it since. */
  | { readonly kind: "found"; readonly receipt: ReceiptView };

export type TillState = {
  readonly mode: Mode;
  readonly notice: Notice | undefined;
  /** The search results to choose from. */
  readonly offered: readonly CatalogueItem[] | undefined;
  /** Scans that wait until an owner is chosen. */
  readonly waitingScans: number;
  /** The last sale, or a receipt that was looked up, until the next scan. */
  readonly shown: ShownReceipt | undefined;
  readonly isTaking: boolean;
  /** For a moment after the payment was opened, or asked a question, its keys and buttons complete nothing. */
  readonly isDeaf: boolean;
};

export const scanning: Mode = { kind: "scan" };

let state: TillState = {
  mode: scanning,
  notice: undefined,
  offered: undefined,
  waitingScans: 0,
  shown: undefined,
  isTaking: false,
  isDeaf: false,
};
const listeners = new Set<() => void>();

export function tillState(): TillState {
  return state;
}

export function onTill(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function set(changes: Partial<TillState>): void {
  state = { ...state, ...changes };
  for (const listener of listeners) {
    listener();
  }
}

type Field = { readonly text: () => string; readonly clear: () => void };

const fields = new Set<Field>();

/** The field, while it is shown: until the returned function is called. */
export function followField(field: Field): () => void {
  fields.add(field);
  return () => fields.delete(field);
}

/** What is typed in the field. */
export function fieldText(): string {
  return [...fields].map(({ text }) => text()).join("");
}

/** Called when something else is asked for. Never called for a scan, because the next one may already be in the field. */
export function resetField(): void {
  for (const { clear } of fields) {
    clear();
  }
}

/** Asks the same question again, so that the field takes the focus. */
export function askAgain(): void {
  set({ mode: { ...state.mode } });
}

let notices = 0;

/** Shows a message, with a tone for good or bad. */
export function say(kind: Notice["kind"], text: string): void {
  notices += 1;
  set({ notice: { kind, text, id: notices } });
  if (kind === "good") {
    playGood();
  } else {
    playBad();
  }
}

/** Clears a message that was answered or left. The choice of an owner stays until it is made. */
export function forgetNotice(): void {
  if (state.notice !== undefined && state.mode.kind !== "choose") {
    set({ notice: undefined });
  }
}

/** The text was edited, so an error about the old text no longer applies. */
export function forgetBadNotice(): void {
  if (state.notice?.kind === "bad") {
    forgetNotice();
  }
}

/** The cart survives a reload and a closed browser. Another tab of this till shows the same one. */
export const CART_KEY = "posCart";
export const cartValue = localValue(CART_KEY, cartShape, emptyCart());
