// Completes a sale at the till: the cart is stored as a sale in this browser and sent when there is a connection.
import { cartSums, emptyCart, type Cart } from "./cart.ts";
import type { Cents } from "#ledger/money.ts";
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
import { unlikelyCash } from "./unlikely-cash.ts";

/** The key or button that opened the payment, or led to its question, completes nothing when it is pressed twice. */
const DEAF_MS = 400;
let deafTimer: ReturnType<typeof setTimeout> | undefined;

function openDeaf(askedCents?: Cents): void {
  clearTimeout(deafTimer);
  deafTimer = setTimeout(() => set({ isDeaf: false }), DEAF_MS);
  const asked = askedCents === undefined ? {} : { askedCents };
  set({
    mode: { kind: "pay", saleId: cart().saleId, ...asked },
    notice: undefined,
    isDeaf: true,
  });
}

export function openPayment(): void {
  openDeaf();
}

/** The cash that the payment asks about once more. */
export function askedCash(): Cents | undefined {
  const { mode } = tillState();
  return mode.kind === "pay" ? mode.askedCents : undefined;
}

/** Something else was typed, or the question was left: the payment is open as before it. */
export function forgetAsked(): void {
  const { mode } = tillState();
  if (mode.kind === "pay" && mode.askedCents !== undefined) {
    set({ mode: { kind: "pay", saleId: mode.saleId }, notice: undefined });
  }
}

/**
 * `text` is the cash received; empty for the exact amount. While an amount is asked about, nothing but empty text
 * confirms it: a scanner that types the same digits again only leads to the question again.
 */
export async function completeInCash(text: string): Promise<void> {
  const confirmed = text.trim() === "" ? askedCash() : undefined;
  if (confirmed !== undefined && tillState().isDeaf) {
    return;
  }
  const cash = text.trim() === "" ? (confirmed ?? null) : parseDollars(text);
  const { totalCents } = cartSums(cart(), termsValue.read());
  const question =
    cash === null || cash === undefined || confirmed !== undefined
      ? undefined
      : unlikelyCash(totalCents, cash);
  if (cash === undefined) {
    say("bad", `“${text.trim()}” cannot be read as an amount`);
  } else if (cash !== null && cash < totalCents) {
    say("bad", "The cash is less than the total");
  } else if (cash !== null && question !== undefined) {
    resetField();
    openDeaf(cash);
    say("bad", question);
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
