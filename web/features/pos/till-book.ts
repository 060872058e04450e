// Today's sales and all unsettled lines of this till, kept in memory for the screens and for counting stock.
import { whenForgotten } from "#web/shared/till/till-person.ts";
import { onPosChange, readBook, type PosBook } from "./pos-store.ts";

export type TillBook = PosBook & { readonly isLoaded: boolean };

const unread: TillBook = { sales: [], lines: new Map(), isLoaded: false };
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
  book = { ...(await readBook(startOfDay(new Date()))), isLoaded: true };
  for (const listener of listeners) {
    listener();
  }
}

export function onTillBook(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Units that were sold here and that the ledger has not subtracted yet. */
export function unsentUnits(itemId: string): number {
  let units = 0;
  for (const { status, target, line } of book.lines.values()) {
    units += status === "waiting" && target.id === itemId ? line.units : 0;
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
