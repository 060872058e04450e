// Decides closing a day of the till: what should be in the drawer, and by how much the count differs.
import type { Decider, Rejection } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import type { Cents } from "#ledger/money.ts";
import { formatCents } from "#ledger/money.ts";
import { expectedInDrawer, tillRefusals } from "#features/till/contract.ts";
import type { TillPayment } from "#features/till/events.ts";
import { TillDayClosed } from "#features/till/events.ts";
import { tillStream, tillStreamId } from "#features/till/streams.ts";

export type CloseTillDay = {
  readonly day: string;
  /** The day's bounds, ISO 8601. */
  readonly from: string;
  readonly to: string;
  /** What the tables say about the day, up to a position of the log. */
  readonly throughPosition: number;
  readonly payments: readonly TillPayment[];
  readonly openingCents: Cents;
  readonly paidInCents: Cents;
  readonly paidOutCents: Cents;
  readonly countedCents: Cents;
  readonly leftCents: Cents;
  /** What the admin saw as expected; null if the caller does not check. */
  readonly seenExpectedCents: Cents | null;
  /** How often the day had been counted when the form was loaded; null if the caller does not check. */
  readonly expectedVersion: number | null;
  readonly noteId: string | null;
  readonly happenedAt: string;
};

export type TillDayClosedAnswer = {
  readonly version: number;
  readonly expectedCents: Cents;
  readonly differenceCents: Cents;
};

/** 409 `more_left_than_counted` if more is said to stay in the drawer than was in it. */
export function refuseMoreLeft({
  countedCents,
  leftCents,
}: Pick<CloseTillDay, "countedCents" | "leftCents">): Rejection | null {
  if (leftCents <= countedCents) {
    return null;
  }
  const { status } = tillRefusals.more_left_than_counted;
  const message = `Only ${formatCents(countedCents)} was counted`;
  return reject(status, "more_left_than_counted", message, { countedCents });
}

/** Rejects 409 `day_counted`, `payments_changed`, `more_left_than_counted` and `note_required`. */
export const closeTillDay: Decider<CloseTillDay, TillDayClosedAnswer> = {
  type: "CloseTillDay",
  streams: ({ day }) => [tillStreamId(day)],
  decide: ({ seenExpectedCents, expectedVersion, happenedAt, ...command }, states) => {
    const { version } = states.get(tillStream, tillStreamId(command.day));
    if (expectedVersion !== null && expectedVersion !== version) {
      const { status, message } = tillRefusals.day_counted;
      return reject(status, "day_counted", message, { version });
    }
    const { openingCents, paidInCents, paidOutCents, countedCents } = command;
    const cash = command.payments.find(({ tender }) => tender === "cash");
    const expectedCents = expectedInDrawer({
      openingCents,
      paidInCents,
      paidOutCents,
      cashSoldCents: cash?.soldCents ?? 0,
      cashRefundedCents: cash?.refundedCents ?? 0,
    });
    if (seenExpectedCents !== null && seenExpectedCents !== expectedCents) {
      const { status, message } = tillRefusals.payments_changed;
      return reject(status, "payments_changed", message, { expectedCents });
    }
    const tooMuch = refuseMoreLeft(command);
    if (tooMuch !== null) {
      return tooMuch;
    }
    if (countedCents !== expectedCents && command.noteId === null) {
      const { status, message } = tillRefusals.note_required;
      return reject(status, "note_required", message, { expectedCents });
    }
    const event = emit(
      TillDayClosed,
      { ...command, payments: [...command.payments], expectedCents },
      { streams: [tillStreamId(command.day)], happenedAt },
    );
    const differenceCents = countedCents - expectedCents;
    return accept([event], { version: version + 1, expectedCents, differenceCents });
  },
};
