// Parked carts, for a customer who went back to get something while the next one pays.
import * as z from "zod/mini";
import { localValue } from "#web/lib/local-store.ts";
import { cartShape, emptyCart } from "./cart.ts";
import { sayCartIsEmpty, settleTyped, startCart } from "./till.ts";
import { cartValue } from "./till-state.ts";

const parkedCart = z.object({ parkedAt: z.string(), cart: cartShape });

export const parkedValue = localValue("posParked", z.array(parkedCart), []);

/** Parks the cart, with the price that is being typed, and starts a new one. */
export function park(): void {
  if (cartValue.read().lines.length === 0) {
    sayCartIsEmpty();
    return;
  }
  if (!settleTyped()) {
    return;
  }
  putAside();
  startCart(emptyCart());
}

function putAside(): void {
  const cart = cartValue.read();
  parkedValue.write([...parkedValue.read(), { parkedAt: new Date().toISOString(), cart }]);
}

/** Resumes a parked cart. A cart that has lines is parked in exchange. */
export function resume(saleId: string): void {
  const chosen = parkedValue.read().find(({ cart }) => cart.saleId === saleId);
  if (chosen === undefined || !settleTyped()) {
    return;
  }
  if (cartValue.read().lines.length > 0) {
    putAside();
  }
  parkedValue.write(parkedValue.read().filter(({ cart }) => cart.saleId !== saleId));
  startCart(chosen.cart);
}
