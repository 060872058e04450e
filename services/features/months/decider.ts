// Decides closing a month: whole past months only, one after the other, each once.
import type { Decider, Rejection } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import { monthRefusals } from "#features/months/contract.ts";
import { MonthClosed } from "#features/months/events.ts";
import type { MonthTotals } from "#features/reports/contract-month.ts";
import type { MonthsState } from "#features/months/streams.ts";
import { monthAfter, monthName, MONTHS, monthsStream } from "#features/months/streams.ts";

export type CloseMonth = {
  /** "2026-10" */
  readonly month: string;
  /** Its bounds, ISO 8601. */
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  /** The position that the totals were read at. */
  readonly throughPosition: number;
  readonly totals: MonthTotals;
  readonly happenedAt: string;
};

export type MonthClosedAnswer = { readonly month: string };

/** Rejects 409 `month_closed`, `month_out_of_order` and `month_not_over`. The first one may be any past month. */
export function refuseClosing(
  { closed }: MonthsState,
  { month, from, to, happenedAt }: Pick<CloseMonth, "month" | "from" | "to" | "happenedAt">,
): Rejection | null {
  const [first, last] = [closed[0], closed.at(-1)];
  if (first !== undefined && last !== undefined) {
    if (month <= last.month) {
      const { status } = monthRefusals.month_closed;
      const message =
        month >= first.month
          ? `${monthName(month)} is closed already`
          : `${monthName(month)} was closed with ${monthName(first.month)}, the first month that was closed`;
      return reject(status, "month_closed", message);
    }
    const next = monthAfter(last.month);
    if (month !== next || from !== last.to) {
      const { status } = monthRefusals.month_out_of_order;
      const message = `Close ${monthName(next)} first`;
      return reject(status, "month_out_of_order", message, { month: next });
    }
  }
  if (Date.parse(to) > Date.parse(happenedAt)) {
    const { status } = monthRefusals.month_not_over;
    return reject(status, "month_not_over", `${monthName(month)} is not over yet`);
  }
  return null;
}

/** Rejects what `refuseClosing` does. */
export const closeMonth: Decider<CloseMonth, MonthClosedAnswer> = {
  type: "CloseMonth",
  streams: () => [MONTHS],
  decide: ({ happenedAt, ...command }, states) => {
    const { state } = states.get(monthsStream, MONTHS);
    const refusal = refuseClosing(state, { ...command, happenedAt });
    if (refusal !== null) {
      return refusal;
    }
    const event = emit(MonthClosed, command, { streams: [MONTHS], happenedAt });
    return accept([event], { month: command.month });
  },
};
