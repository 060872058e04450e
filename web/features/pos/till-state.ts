// What the till is doing now, for the screen to paint: what it asks for, what it last said, the cart, the sale just taken.
import type { CatalogueItem } from "#features/inventory/contract.ts";
import { localValue } from "#web/lib/local-store.ts";
import { cartShape, emptyCart } from "./cart.ts";
import { playBad, playGood } from "#web/shared/scan/sounds.ts";
import type { TakenSale } from "./taken-sale.ts";

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
  /** What words in the field have found, to choose from. */
  readonly offered: readonly CatalogueItem[] | undefined;
  /** Scans that wait until somebody has chosen. */
  readonly waitingScans: number;
  /** The sale that was just taken, until the next scan. */
  readonly taken: TakenSale | undefined;
  readonly isTaking: boolean;
};

export const scanning: Mode = { kind: "scan" };

let state: TillState = {
  mode: scanning,
  notice: undefined,
  offered: undefined,
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

export function set(changes: Partial<TillState>): void {
  state = { ...state, ...changes };
  for (const listener of listeners) {
    listener();
  }
}

const fieldListeners = new Set<() => void>();

/** Calls back when what stands in the field is no longer wanted; answers the function that ends it. */
export function onFieldReset(listener: () => void): () => void {
  fieldListeners.add(listener);
  return () => fieldListeners.delete(listener);
}

/** Somebody asked for something else. Never called for a scan: the next one may stand in the field already. */
export function resetField(): void {
  for (const listener of fieldListeners) {
    listener();
  }
}

/** Asks once more for what it asks for, so that the field takes the focus. */
export function askAgain(): void {
  set({ mode: { ...state.mode } });
}

let notices = 0;

/** Says it in words, and by a tone whether it is good or bad. */
export function say(kind: Notice["kind"], text: string): void {
  notices += 1;
  set({ notice: { kind, text, id: notices } });
  if (kind === "good") {
    playGood();
  } else {
    playBad();
  }
}

/** What was said has been answered or left. Whose an item is stays asked until somebody has chosen. */
export function forgetNotice(): void {
  if (state.notice !== undefined && state.mode.kind !== "choose") {
    set({ notice: undefined });
  }
}

/** Something else is typed: what was wrong with the text before is wrong no longer. */
export function forgetBadNotice(): void {
  if (state.notice?.kind === "bad") {
    forgetNotice();
  }
}

/** The cart outlives a reload and a closed browser; another tab of this till shows the same one. */
export const cartValue = localValue("posCart", cartShape, emptyCart());
