// Who paid for what, by hand: an account as a queue of money, first in, first out. The oracle of fundings.
import type { FoldedLine } from "#testing/shop/account-fold.ts";

type Held = { readonly line: number; readonly saleId: unknown; left: number };

export type QueueResult = {
  /** By the line that took money, then by the line that paid: cents. */
  readonly paid: ReadonlyMap<number, ReadonlyMap<number, number>>;
  /** By line: what a refund or a correction took from its own sale. */
  readonly own: ReadonlyMap<number, number>;
  /** By credit: what its own refunds and corrections took from it. */
  readonly reduced: ReadonlyMap<number, number>;
  /** By credit: what is left. */
  readonly left: ReadonlyMap<number, number>;
  /** By line: what nothing has paid for yet. */
  readonly owed: ReadonlyMap<number, number>;
};

const takesBack = new Set(["SaleRefunded", "SaleCorrected", "TradeRefunded"]);

export function queueMoney(lines: readonly FoldedLine[]): QueueResult {
  const queue: Held[] = [];
  const debts: { readonly line: number; left: number }[] = [];
  const paid = new Map<number, Map<number, number>>();
  const own = new Map<number, number>();
  const reduced = new Map<number, number>();
  const pay = (debit: number, credit: number, cents: number) => {
    const parts = paid.get(debit) ?? new Map<number, number>();
    parts.set(credit, (parts.get(credit) ?? 0) + cents);
    paid.set(debit, parts);
  };
  for (const { line, type, available, event } of lines) {
    const saleId: unknown = Reflect.get(Object(event.data), "saleId");
    if (available > 0) {
      const held = { line, saleId, left: available };
      for (const debt of debts) {
        const some = Math.min(debt.left, held.left);
        if (some > 0) {
          pay(debt.line, line, some);
          debt.left -= some;
          held.left -= some;
        }
      }
      queue.push(held);
      continue;
    }
    let wanted = -available;
    if (takesBack.has(type)) {
      for (const held of queue.toReversed()) {
        const some = held.saleId === saleId ? Math.min(wanted, held.left) : 0;
        held.left -= some;
        wanted -= some;
        own.set(line, (own.get(line) ?? 0) + some);
        reduced.set(held.line, (reduced.get(held.line) ?? 0) + some);
      }
    }
    for (const held of queue) {
      const some = Math.min(wanted, held.left);
      if (some > 0) {
        pay(line, held.line, some);
        held.left -= some;
        wanted -= some;
      }
    }
    debts.push({ line, left: wanted });
  }
  return {
    paid,
    own,
    reduced,
    left: new Map(queue.map(({ line, left }) => [line, left])),
    owed: new Map(debts.map(({ line, left }) => [line, left])),
  };
}
