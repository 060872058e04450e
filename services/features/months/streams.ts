// The streams of the closed months and of the remitted sales tax, each of which there is one, and what a closing changes.
import type { StreamDefinition } from "#ledger/decider.ts";
import { is } from "#ledger/event.ts";
import type { Cents } from "#ledger/money.ts";
import {
  MonthClosed,
  SalesTaxRemittanceReversed,
  SalesTaxRemitted,
} from "#features/months/events.ts";

export type ClosedMonth = {
  /** "2026-10" */
  readonly month: string;
  /** ISO 8601. */
  readonly from: string;
  readonly to: string;
};

/** Oldest first, without gaps. */
export type MonthsState = { readonly closed: readonly ClosedMonth[] };

/** There is one. */
export const MONTHS = "months";

export const monthsStream: StreamDefinition<MonthsState> = {
  category: MONTHS,
  stateVersion: 1,
  initial: { closed: [] },
  evolve: (state, event) => {
    if (!is(MonthClosed, event)) {
      return state;
    }
    const { month, from, to } = event.data;
    return { closed: [...state.closed, { month, from, to }] };
  },
};

export type Remittance = {
  readonly id: string;
  readonly month: string;
  readonly amountCents: Cents;
  readonly reversed: boolean;
};

/** Oldest first: a few a year. */
export type RemittancesState = { readonly remittances: readonly Remittance[] };

/** There is one. */
export const REMITTANCES = "remittances";

export const remittancesStream: StreamDefinition<RemittancesState> = {
  category: REMITTANCES,
  stateVersion: 1,
  initial: { remittances: [] },
  evolve: ({ remittances }, event) => {
    if (is(SalesTaxRemitted, event)) {
      const { remittanceId: id, month, amountCents } = event.data;
      return { remittances: [...remittances, { id, month, amountCents, reversed: false }] };
    }
    if (is(SalesTaxRemittanceReversed, event)) {
      const { remittanceId } = event.data;
      return {
        remittances: remittances.map((one) =>
          one.id === remittanceId ? { ...one, reversed: true } : one,
        ),
      };
    }
    return { remittances };
  },
};

/** Where remitted sales tax goes. */
export const TAX_AUTHORITY = "world:tax-authority";

/** "2026-12" → "2027-01" */
export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, "0")}`;
}

/** "2026-10" → "October 2026" */
export function monthName(month: string): string {
  const words = new Intl.DateTimeFormat("en-US", {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return words.format(new Date(`${month}-01T00:00:00Z`));
}

/**
 * SQL of a step: when each month ended that was closed before or in the range. Of those before it, the last one is
 * enough.
 */
export const closingsOfStep = `
  select c.position, (c.data ->> 'to')::timestamptz as ends_at
  from (
    (select s.position from {streams} s
      where s.stream_id = '${MONTHS}' and s.position <= $1::bigint order by s.version desc limit 1)
    union all
    select s.position from {streams} s
    where s.stream_id = '${MONTHS}' and s.position > $1::bigint and s.position <= $2::bigint) s
  join {events} c on c.position = s.position`;

/**
 * SQL: when an event happened, but not before the end of the last month that had been closed when it was recorded: what
 * is dated into a closed month belongs to the open one. `closings` are the rows of `closingsOfStep`.
 */
export function afterClosings(happenedAt: string, position: string): string {
  return `greatest(${happenedAt}, (
    select max(closing.ends_at) from closings closing where closing.position < ${position}))`;
}

/**
 * When months begin whose bounds a closing fixed: the closed ones, and the one after the last. Other months begin as the
 * store's time zone says.
 */
export function fixedBegins({ closed }: MonthsState): Readonly<Record<string, string>> {
  const last = closed.at(-1);
  return {
    ...Object.fromEntries(closed.map(({ month, from }) => [month, from])),
    ...(last === undefined ? {} : { [monthAfter(last.month)]: last.to }),
  };
}
