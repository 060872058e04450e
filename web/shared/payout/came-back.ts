// What is said of a handle at which the last transfer failed: to who enters it, and to who sends money there.
import { withPrefix, type PayoutView, type PendingPayout } from "#features/payouts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatDay, formatMoney } from "#web/lib/formats.ts";
import type { HandleDraft } from "./handle-draft.ts";

type Sent = Pick<
  PayoutView,
  "amount" | "method" | "handle" | "status" | "settledAt" | "returnedAt"
>;

/** About the newest payout that came back from the entered handle; undefined if there is none, or if one was paid there since. */
export function cameBackText(
  { method, handles }: HandleDraft,
  payouts: readonly Sent[],
  now: Date,
): string | undefined {
  if (method === "") {
    return undefined;
  }
  // CashApp and Venmo make no difference between large and small letters.
  const handle = withPrefix(method, handles[method]).toLowerCase();
  const there = payouts.filter(
    (payout) => payout.method === method && payout.handle?.toLowerCase() === handle,
  );
  const [last] = there
    .flatMap(({ amount, returnedAt }) => (returnedAt === null ? [] : [{ amount, at: returnedAt }]))
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
  if (last === undefined) {
    return undefined;
  }
  const wasPaidSince = there.some(
    ({ status, settledAt }) =>
      status === "paid" && settledAt !== null && Date.parse(settledAt) > Date.parse(last.at),
  );
  return wasPaidSince ? undefined : returnText({ amount: last.amount, returnedAt: last.at }, now);
}

/** "$65.00 to this handle came back on 8 Dec." */
export function returnText(
  { amount, returnedAt }: NonNullable<PendingPayout["lastReturn"]>,
  now: Date,
): string {
  return `${formatMoney(toCents(amount))} to this handle came back on ${formatDay(new Date(returnedAt), now)}.`;
}
