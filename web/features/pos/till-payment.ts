// Completes a sale at the till: the cart is stored as a sale in this browser and sent when there is a connection.
import { cartSums, emptyCart } from "./cart.ts";
import { parseDollars } from "#web/lib/amount.ts";
import { playGood } from "#web/shared/scan/sounds.ts";
import { sendNow } from "./outbox.ts";
import { keepSale } from "./pos-store.ts";
import { rememberPrices } from "./price-memory.ts";
import { isPayable, takeSale, type Payment } from "./taken-sale.ts";
import { refreshBook } from "./till-book.ts";
import { cart, PAID_ELSEWHERE } from "./till-cart.ts";
import { termsValue } from "./till-terms.ts";
import {
  cartValue,
  forgetNotice,
  resetField,
  say,
  scanning,
  set,
  tillState,
  type ShownReceipt,
} from "./till-state.ts";

/** The key or button that opened the payment completes nothing when it is pressed twice. */
const DEAF_MS = 400;
let deafTimer: ReturnType<typeof setTimeout> | undefined;

export function openPayment(): void {
  clearTimeout(deafTimer);
  deafTimer = setTimeout(() => set({ isDeaf: false }), DEAF_MS);
  set({ mode: { kind: "pay", saleId: cart().saleId }, notice: undefined, isDeaf: true });
}

/** `text` is the cash received; empty for the exact amount. */
export async function completeInCash(text: string): Promise<void> {
  const cash = text.trim() === "" ? null : parseDollars(text);
  if (cash === undefined) {
    say("bad", `“${text.trim()}” cannot be read as an amount`);
  } else if (cash !== null && cash < cartSums(cart(), termsValue.read()).totalCents) {
    say("bad", "The cash is less than the total");
  } else {
    await complete({ tender: "cash", cashCents: cash });
  }
}

/** Only while the payment is open. */
export async function complete(payment: Payment): Promise<void> {
  const paid = cart();
  const terms = termsValue.read();
  const { isTaking, mode } = tillState();
  if (isTaking || mode.kind !== "pay" || !isPayable(paid)) {
    return;
  }
  resetField();
  set({ isTaking: true });
  try {
    const sale = takeSale(paid, terms, new Date().toISOString(), payment);
    const isNew = await keepSale(sale);
    cartValue.write(emptyCart());
    await refreshBook();
    if (isNew) {
      rememberPrices(sale);
      set({ mode: scanning, shown: { kind: "taken", sale }, notice: undefined });
      playGood();
      void sendNow();
    } else {
      set({ mode: scanning });
      say("bad", PAID_ELSEWHERE);
    }
  } catch (error) {
    say("bad", `Error saving this sale: ${String(error)}. The cart is still here.`);
  } finally {
    set({ isTaking: false });
  }
}

/** Undefined closes it. */
export function showReceipt(shown: ShownReceipt | undefined): void {
  forgetNotice();
  set({ shown });
}
