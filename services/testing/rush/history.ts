// The state of every item, account, sale, payout and trade at every position of the log: the judge's only source.
import type { Sql } from "postgres";
import { readRange } from "#ledger/log/read.ts";
import type { StoredEvent } from "#ledger/log/read.ts";
import type { TradeThen } from "#testing/rush/trade-history.ts";
import { tradeAfter, wrongWith } from "#testing/rush/trade-history.ts";

/** A value and the position from which it was valid. */
type Since<Value> = { readonly position: number; readonly value: Value };

export type SaleThen = {
  readonly itemId: string | null;
  readonly units: number;
  readonly refundedUnits: number;
};

/** The parts of an event that the judge needs. */
export type EventThere = { readonly position: number; readonly type: string };

export type LogHistory = {
  readonly units: ReadonlyMap<string, readonly Since<number>[]>;
  readonly accounts: ReadonlyMap<string, readonly Since<number>[]>;
  readonly sales: ReadonlyMap<string, readonly Since<SaleThen>[]>;
  readonly payouts: ReadonlyMap<string, readonly Since<string>[]>;
  readonly trades: ReadonlyMap<string, readonly Since<TradeThen>[]>;
  /** The events of a key, by `scope key`. */
  readonly byKey: ReadonlyMap<string, readonly EventThere[]>;
  /** Promises broken in the log itself: a gap, a negative holding. */
  readonly broken: readonly string[];
  readonly head: number;
};

/** The value at a position; undefined before the first one. */
export function valueAt<Value>(
  history: readonly Since<Value>[] | undefined,
  position: number,
): Value | undefined {
  return history?.findLast((entry) => entry.position <= position)?.value;
}

class Histories<Value> {
  readonly entries = new Map<string, Since<Value>[]>();

  last(name: string): Value | undefined {
    return this.entries.get(name)?.at(-1)?.value;
  }

  add(name: string, position: number, value: Value): void {
    const history = this.entries.get(name) ?? [];
    history.push({ position, value });
    this.entries.set(name, history);
  }
}

function field(data: unknown, name: string): unknown {
  return typeof data === "object" && data !== null ? Reflect.get(data, name) : undefined;
}

function text(data: unknown, name: string): string {
  const value = field(data, name);
  return typeof value === "string" ? value : "";
}

function number(data: unknown, name: string): number {
  const value = field(data, name);
  return typeof value === "number" ? value : 0;
}

/** Computes the books of a rush by hand, event by event. */
class HandBook {
  readonly units = new Histories<number>();
  readonly accounts = new Histories<number>();
  readonly sales = new Histories<SaleThen>();
  readonly payouts = new Histories<string>();
  readonly trades = new Histories<TradeThen>();
  readonly byKey = new Map<string, EventThere[]>();
  readonly broken: string[] = [];
  head = 0;

  add(event: StoredEvent): void {
    if (event.position !== this.head + 1) {
      this.broken.push(`position ${this.head + 1} is missing`);
    }
    this.head = event.position;
    const key = `${event.keyScope} ${event.commandKey}`;
    const { position, type } = event;
    this.byKey.set(key, [...(this.byKey.get(key) ?? []), { position, type }]);
    this.#move(event);
    this.#noteSale(event);
    this.#notePayout(event);
    this.#noteTrade(event);
  }

  #move(event: StoredEvent): void {
    for (const { from, to, units } of event.movements) {
      this.units.add(from, event.position, (this.units.last(from) ?? 0) - units);
      this.units.add(to, event.position, (this.units.last(to) ?? 0) + units);
      if (from.startsWith("item:") && (this.units.last(from) ?? 0) < 0) {
        this.broken.push(`${from} was oversold at ${event.position}`);
      }
    }
    for (const { from, to, cents } of event.postings) {
      this.accounts.add(from, event.position, (this.accounts.last(from) ?? 0) - cents);
      this.accounts.add(to, event.position, (this.accounts.last(to) ?? 0) + cents);
      if (event.type === "PayoutRequested" && (this.accounts.last(from) ?? 0) < 0) {
        this.broken.push(`a payout overdrew ${from} at ${event.position}`);
      }
      if (from.endsWith(":payouts") && (this.accounts.last(from) ?? 0) < 0) {
        this.broken.push(`${from} paid more than was requested at ${event.position}`);
      }
    }
  }

  #noteSale(event: StoredEvent): void {
    const saleId = text(event.data, "saleId");
    const before = this.sales.last(saleId);
    if (event.type === "SaleRecorded" || event.type === "MasterSaleRecorded") {
      this.sales.add(saleId, event.position, {
        itemId: text(event.data, "itemId"),
        units: number(event.data, "units"),
        refundedUnits: 0,
      });
    } else if (event.type === "SaleCorrected" && before !== undefined) {
      const units = number(field(event.data, "after"), "units");
      this.sales.add(saleId, event.position, { ...before, units });
    } else if (event.type === "SaleRefunded" && before !== undefined) {
      const refundedUnits = before.refundedUnits + number(event.data, "units");
      this.sales.add(saleId, event.position, { ...before, refundedUnits });
      if (refundedUnits > before.units) {
        this.broken.push(`more of sale ${saleId} was refunded than sold at ${event.position}`);
      }
    }
  }

  #noteTrade(event: StoredEvent): void {
    const after = tradeAfter(event, (tradeId) => this.trades.last(tradeId));
    if (after !== null) {
      const { tradeId, trade } = after;
      const held = {
        cents: this.accounts.last(`trade:${tradeId}:escrow`) ?? 0,
        units: this.units.last(`trade:${tradeId}:units`) ?? 0,
        buyerCents: this.accounts.last(`consignor:${trade.buyerUid}:available`) ?? 0,
      };
      this.broken.push(...wrongWith(event, tradeId, trade, this.trades.last(tradeId), held));
      this.trades.add(tradeId, event.position, trade);
    }
  }

  #notePayout(event: StoredEvent): void {
    const status = {
      PayoutRequested: "pending",
      PayoutPaid: "paid",
      PayoutDeleted: "deleted",
      PayoutReturned: "returned",
    }[event.type];
    if (status !== undefined) {
      const payoutId = text(event.data, "payoutId");
      const before = this.payouts.last(payoutId);
      if (status !== "pending" && before !== (status === "returned" ? "paid" : "pending")) {
        this.broken.push(
          `payout ${payoutId} was ${before} and became ${status} at ${event.position}`,
        );
      }
      this.payouts.add(payoutId, event.position, status);
    }
  }
}

/** Reads the whole log and computes its books by hand. */
export async function readHistory(sql: Sql): Promise<LogHistory> {
  const book = new HandBook();
  for (;;) {
    const events = await readRange(sql, book.head, book.head + 5_000);
    if (events.length === 0) {
      break;
    }
    events.forEach((event) => book.add(event));
  }
  return {
    units: book.units.entries,
    accounts: book.accounts.entries,
    sales: book.sales.entries,
    payouts: book.payouts.entries,
    trades: book.trades.entries,
    byKey: book.byKey,
    broken: book.broken,
    head: book.head,
  };
}
