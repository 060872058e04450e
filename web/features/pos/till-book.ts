// Today's sales and all unsettled lines of this till, kept in memory for the screens and for counting stock.
import { whenForgotten } from "#web/shared/till/till-person.ts";
import { isAnswered } from "./catalogue.ts";
import { onPosChange, readBook, type PosBook } from "./pos-store.ts";
import type { TakenSale } from "./taken-sale.ts";

/** `from` is the start of the day that it was read on. */
export type TillBook = PosBook & { readonly from: Date; readonly isLoaded: boolean };

const unread: TillBook = { sales: [], lines: new Map(), from: new Date(0), isLoaded: false };
let book = unread;
const listeners = new Set<() => void>();

export function tillBook(): TillBook {
  return book;
}

whenForgotten(() => {
  book = unread;
});

export function startOfDay(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate());
}

/** Reads the queue again. Throws the browser's error if it cannot be read. */
export async function refreshBook(): Promise<void> {
  const from = startOfDay(new Date());
  book = { ...(await readBook(from)), from, isLoaded: true };
  for (const listener of listeners) {
    listener();
  }
}

/** The day that it is by now and its sales: a book that was read before midnight still has those of the day before. */
export function todayIn<Sale extends Pick<TakenSale, "soldAt">>(
  book: { readonly from: Date; readonly sales: readonly Sale[] },
  now: Date,
): { readonly day: Date; readonly sales: readonly Sale[] } {
  const today = startOfDay(now);
  const day = book.from > today ? book.from : today;
  return { day, sales: book.sales.filter(({ soldAt }) => new Date(soldAt) >= day) };
}

export function onTillBook(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Units that were sold here and that the ledger has not subtracted yet. */
export function unsentUnits(itemId: string): number {
  let units = 0;
  for (const { status, target, line, sendKey } of book.lines.values()) {
    const isUnsent = status === "waiting" && target.id === itemId && !isAnswered(sendKey);
    units += isUnsent ? line.units : 0;
  }
  return units;
}

/** Follows the queue until the returned function is called. */
export function followBook(): () => void {
  const refresh = (): void =>
    void refreshBook().catch((error: unknown) => {
      console.error("The till's sales cannot be read", error);
    });
  refresh();
  return onPosChange(refresh);
}
