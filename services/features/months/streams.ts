// The streams of the closed months and of the remitted sales tax, each of which there is one.
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

/** What is remitted for the months of these days, as far as it was not taken back. */
export function remittedFor(
  remittances: readonly Remittance[],
  { from, to }: { readonly from: string; readonly to: string },
): Cents {
  return remittances.reduce<Cents>(
    (sum, { month, reversed, amountCents }) =>
      !reversed && month >= from.slice(0, 7) && month <= to.slice(0, 7) ? sum + amountCents : sum,
    0,
  );
}

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
