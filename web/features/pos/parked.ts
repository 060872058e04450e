// Parked carts, for a customer who went back to get something while the next one pays.
import * as z from "zod/mini";
import { localValue } from "#web/lib/local-store.ts";
import { cartShape, emptyCart } from "./cart.ts";
import { sayCartIsEmpty, startCart } from "./till.ts";
import { cartValue } from "./till-state.ts";

const parkedCart = z.object({ parkedAt: z.string(), cart: cartShape });

export const parkedValue = localValue("posParked", z.array(parkedCart), []);

/** Parks the cart and starts a new one. */
export function park(): void {
  const cart = cartValue.read();
  if (cart.lines.length === 0) {
    sayCartIsEmpty();
    return;
  }
  parkedValue.write([...parkedValue.read(), { parkedAt: new Date().toISOString(), cart }]);
  startCart(emptyCart());
}

/** Resumes a parked cart. A cart that has lines is parked in exchange. */
export function resume(saleId: string): void {
  const chosen = parkedValue.read().find(({ cart }) => cart.saleId === saleId);
  if (chosen === undefined) {
    return;
  }
  if (cartValue.read().lines.length > 0) {
    park();
  }
  parkedValue.write(parkedValue.read().filter(({ cart }) => cart.saleId !== saleId));
  startCart(chosen.cart);
}
