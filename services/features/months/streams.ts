// The streams of the closed months and of the remitted sales tax, each of which there is one.
import type { DayBegin, ZoneSpan } from "#http/store-days.ts";
import { onlyZone } from "#http/store-days.ts";
import { dayIn } from "#ledger/day-text.ts";
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
  /** The store's time zone when it was closed. */
  readonly timeZone: string;
};

/** Oldest first, without gaps. */
export type MonthsState = { readonly closed: readonly ClosedMonth[] };

/** There is one. */
export const MONTHS = "months";

export const monthsStream: StreamDefinition<MonthsState> = {
  category: MONTHS,
  onlyId: MONTHS,
  extendedBy: [MonthClosed.type],
  stateVersion: 2,
  initial: { closed: [] },
  evolve: (state, event) => {
    if (!is(MonthClosed, event)) {
      return state;
    }
    const { month, from, to, timeZone } = event.data;
    return { closed: [...state.closed, { month, from, to, timeZone }] };
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
  onlyId: REMITTANCES,
  extendedBy: [SalesTaxRemitted.type, SalesTaxRemittanceReversed.type],
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

/** What was remitted for the months of these days and not taken back. */
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

/** "2027-01" → "2026-12" */
export function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, "0")}`;
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
 * When these days of the store begin. Months that were closed keep the bounds of their closing, and their days its time
 * zone; so do those before the first closing, which were closed with it. The month after the last closed one begins
 * where that ended. All other days begin at midnight of the store's present time zone.
 */
export function beginsOf(
  days: readonly string[],
  timeZone: string,
  { closed }: MonthsState,
): readonly DayBegin[] {
  const [first, last] = [closed[0], closed.at(-1)];
  return days.map((day) => {
    const month = day.slice(0, 7);
    const own = closed.find((one) => one.month === month);
    const isBefore = first !== undefined && month < first.month;
    const begin = last !== undefined && month === monthAfter(last.month) ? last.to : own?.from;
    return {
      day,
      timeZone: isBefore ? first.timeZone : (own?.timeZone ?? timeZone),
      fixed: day.endsWith("-01") ? (begin ?? null) : null,
    };
  });
}

/** The time zones of all days by the rules of `beginsOf`: closed months of one time zone are one span. */
export function zoneSpansOf(timeZone: string, { closed }: MonthsState): readonly ZoneSpan[] {
  const last = closed.at(-1);
  if (last === undefined) {
    return onlyZone(timeZone);
  }
  const open = { month: monthAfter(last.month), from: last.to, timeZone };
  const turns = [...closed, open].filter(
    (one, index, all) => index === 0 || one.timeZone !== all[index - 1]?.timeZone,
  );
  return turns.map((one, index) => {
    const next = turns[index + 1];
    return {
      timeZone: one.timeZone,
      from: index === 0 ? null : one.from,
      to: next?.from ?? null,
      firstMonth: index === 0 ? null : one.month,
      lastMonth: next === undefined ? null : monthBefore(next.month),
    };
  });
}

/** The time zones that a period's days belong to. */
export type DayZones = {
  readonly timeZone: string;
  /** The period's closed months, oldest first, if not all of its days are of one time zone. */
  readonly closedZones: { month: string; timeZone: string }[];
};

/** The time zones of a period's days, by the rules of `beginsOf`. */
export function zonesOf(
  { from, to }: { readonly from: string; readonly to: string },
  timeZone: string,
  { closed }: MonthsState,
): DayZones {
  const [first, last] = [closed[0], closed.at(-1)];
  if (first === undefined || last === undefined) {
    return { timeZone, closedZones: [] };
  }
  const [begin, end] = [from.slice(0, 7), to.slice(0, 7)];
  const own =
    end < first.month ? [first] : closed.filter(({ month }) => month >= begin && month <= end);
  const newest = end > last.month ? timeZone : (own.at(-1)?.timeZone ?? timeZone);
  return {
    timeZone: newest,
    closedZones: own.every((one) => one.timeZone === newest)
      ? []
      : own.map((one) => ({ month: one.month, timeZone: one.timeZone })),
  };
}

/** The time zone of a month's days. Months before the first closed one have its time zone. */
export function zoneAt(month: string, { timeZone, closedZones }: DayZones): string {
  return closedZones.find((one) => month <= one.month)?.timeZone ?? timeZone;
}

/** "Asia/Tokyo", or "Asia/Tokyo; closed months keep the time zone of their closing, America/Chicago" */
export function zonesText({ timeZone, closedZones }: DayZones): string {
  const others = new Set(closedZones.map((one) => one.timeZone).filter((one) => one !== timeZone));
  return others.size === 0
    ? timeZone
    : `${timeZone}; closed months keep the time zone of their closing, ${[...others].join(" or ")}`;
}

/** The last day of a month: "2026-11-30" */
export function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

/** The store's month that an instant is in, by the same rules. */
export function monthAt(at: Date, timeZone: string, months: MonthsState): string {
  return dayAt(at, timeZone, months).slice(0, 7);
}

/** The store's day that an instant is in, by the same rules. */
export function dayAt(at: Date, timeZone: string, { closed }: MonthsState): string {
  const [first, last] = [closed[0], closed.at(-1)];
  if (first === undefined || last === undefined) {
    return dayIn(at, timeZone);
  }
  if (at.getTime() < Date.parse(first.from)) {
    // The day of the closing's time zone, unless that is of the closed month already.
    const [day, end] = [dayIn(at, first.timeZone), lastDayOf(monthBefore(first.month))];
    return day < end ? day : end;
  }
  const own = closed.findLast(({ from }) => Date.parse(from) <= at.getTime());
  if (own !== undefined && at.getTime() < Date.parse(own.to)) {
    const [day, begin, end] = [dayIn(at, own.timeZone), `${own.month}-01`, lastDayOf(own.month)];
    return day < begin ? begin : day < end ? day : end;
  }
  const [day, begin] = [dayIn(at, timeZone), `${monthAfter(last.month)}-01`];
  return day > begin ? day : begin;
}
