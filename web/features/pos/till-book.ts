// Today's sales and all unsettled lines as this till sees them now, kept in memory for screens and for counting stock.
import { onPosChange, readBook, type PosBook } from "./pos-store.ts";

export type TillBook = PosBook & { readonly isLoaded: boolean };

let book: TillBook = { sales: [], lines: new Map(), isLoaded: false };
const listeners = new Set<() => void>();

export function tillBook(): TillBook {
  return book;
}

export function startOfDay(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate());
}

/** Reads the queue anew. Throws what the browser says when it cannot be read. */
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

/** Units that were sold here and that the ledger has not taken off yet. */
export function unsentUnits(itemId: string): number {
  let units = 0;
  for (const { status, target, line } of book.lines.values()) {
    units += status === "waiting" && target.id === itemId ? line.units : 0;
  }
  return units;
}

/** Follows the queue until the function it answers is called. */
export function followBook(): () => void {
  const refresh = (): void =>
    void refreshBook().catch((error: unknown) => {
      console.error("The till's sales cannot be read", error);
    });
  refresh();
  return onPosChange(refresh);
}
