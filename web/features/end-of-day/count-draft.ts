// The form in which the drawer is counted, before it is sent: what is expected, and by how much the count differs. Pure.
import type { CloseTillDayRequest, TillDayResponse } from "#features/till/contract.ts";
import { expectedInDrawer } from "#features/till/contract.ts";
import type { Cents } from "#ledger/money.ts";
import { toCents, toDollars } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { dollarsText, dollarsToSend, parseDollars } from "#web/lib/amount.ts";

export type CountDraft = {
  readonly opening: string;
  readonly paidIn: string;
  readonly paidOut: string;
  readonly counted: string;
  /** Empty while it follows the opening amount. */
  readonly left: string;
  readonly note: string;
};

/**
 * A day that is counted again starts from what was entered before: everything but the count itself, its note, and the
 * opening amount if the day before was counted again in the meantime.
 */
export function draftOf({ closing, leftBefore }: TillDayResponse): CountDraft {
  const text = (dollars: number) => dollarsText(toCents(dollars));
  return {
    opening: text(closing?.newOpening?.amount ?? closing?.openingAmount ?? leftBefore ?? 0),
    paidIn: closing === null || closing.paidInAmount === 0 ? "" : text(closing.paidInAmount),
    paidOut: closing === null || closing.paidOutAmount === 0 ? "" : text(closing.paidOutAmount),
    counted: "",
    left: closing === null ? "" : text(closing.leftAmount),
    note: "",
  };
}

/**
 * Payments may still change while somebody counts, and the form shows them. Everything else stays as it was when the form
 * was opened, because the draft began with it: so the server can refuse a day that somebody else has counted meanwhile.
 */
export function dayBeingCounted(
  opened: TillDayResponse,
  now: TillDayResponse | undefined,
): TillDayResponse {
  return now === undefined ? opened : { ...opened, payments: now.payments, today: now.today };
}

function centsOr(text: string, otherwise: Cents): Cents | undefined {
  return text.trim() === "" ? otherwise : parseDollars(text);
}

/** Undefined while an amount cannot be read. */
export function expectedOf(
  { payments }: Pick<TillDayResponse, "payments">,
  draft: CountDraft,
): Cents | undefined {
  const cash = payments.find(({ tender }) => tender === "cash");
  const openingCents = centsOr(draft.opening, 0);
  const paidInCents = centsOr(draft.paidIn, 0);
  const paidOutCents = centsOr(draft.paidOut, 0);
  return openingCents === undefined || paidInCents === undefined || paidOutCents === undefined
    ? undefined
    : expectedInDrawer({
        openingCents,
        paidInCents,
        paidOutCents,
        cashSoldCents: toCents(cash?.soldAmount ?? 0),
        cashRefundedCents: toCents(cash?.refundedAmount ?? 0),
      });
}

/** A smaller difference than this is not asked about, however little was expected. */
const SMALL_DIFFERENCE: Cents = 10_000;

/** What is asked about before a count is saved: more taken out than there was, or a difference above all that was expected. */
export function unlikelyCount(
  day: Pick<TillDayResponse, "payments">,
  draft: CountDraft,
): string | undefined {
  const expected = expectedOf(day, draft);
  const before = expectedOf(day, { ...draft, paidOut: "" });
  const counted = parseDollars(draft.counted);
  if (expected === undefined || before === undefined || counted === undefined) {
    return undefined;
  }
  const takenOut = before - expected;
  const most = Math.max(before, 0);
  if (takenOut > most) {
    return `${formatMoney(takenOut)} was taken out, more than the ${formatMoney(most)} that can have been in the drawer.`;
  }
  const difference = Math.abs(counted - expected);
  return difference > Math.max(expected, SMALL_DIFFERENCE)
    ? `The count differs by ${formatMoney(difference)}, and ${formatMoney(expected)} was expected.`
    : undefined;
}

/** What stays in the drawer unless somebody says otherwise: as much as was there in the morning, if there is as much. */
export function usualLeft(draft: CountDraft): Cents {
  return Math.min(parseDollars(draft.opening) ?? 0, parseDollars(draft.counted) ?? 0);
}

export function requestOf(day: TillDayResponse, draft: CountDraft): CloseTillDayRequest {
  const expected = expectedOf(day, draft);
  return {
    day: day.day,
    openingAmount: draft.opening.trim() === "" ? 0 : dollarsToSend(draft.opening),
    paidInAmount: draft.paidIn.trim() === "" ? 0 : dollarsToSend(draft.paidIn),
    paidOutAmount: draft.paidOut.trim() === "" ? 0 : dollarsToSend(draft.paidOut),
    countedAmount: dollarsToSend(draft.counted),
    leftAmount: draft.left.trim() === "" ? toDollars(usualLeft(draft)) : dollarsToSend(draft.left),
    note: draft.note,
    expectedVersion: day.version,
    ...(expected === undefined ? {} : { expectedAmount: toDollars(expected) }),
  };
}
