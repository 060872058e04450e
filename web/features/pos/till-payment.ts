// Completes a sale at the till: the cart is stored as a sale in this browser and sent when there is a connection.
import { cartSums, emptyCart, type Cart } from "./cart.ts";
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
import { inTurn, isLookingUp } from "./till-turns.ts";

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
  const { isTaking, mode } = tillState();
  if (isTaking || mode.kind !== "pay" || !isPayable(cart())) {
    return;
  }
  if (isLookingUp()) {
    // What was scanned before the key belongs to this sale, and changes its total.
    say("bad", "A scan is still being looked up. Nothing is completed: check the total, then pay");
    return;
  }
  resetField();
  set({ isTaking: true });
  const paid = cart();
  // What is scanned from now on is the next customer's, and waits until this cart is out of the way.
  await inTurn(() => take(paid, payment));
}

async function take(paid: Cart, payment: Payment): Promise<void> {
  try {
    const sale = takeSale(paid, termsValue.read(), new Date().toISOString(), payment);
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
