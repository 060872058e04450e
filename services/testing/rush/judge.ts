// Checks every answer of a rush against the log: each accepted command happened once, each refusal was right at its position.
import type { EventThere, LogHistory } from "#testing/rush/history.ts";
import { canonicalJson } from "#ledger/log/chain.ts";
import { valueAt } from "#testing/rush/history.ts";
import type { RushRequest } from "#testing/rush/draft.ts";
import { wasTradeRefused } from "#testing/rush/trade-refusals.ts";

/** An answer as the caller saw it. */
export type RushAnswer = {
  readonly request: RushRequest;
  readonly scope: string;
  readonly status: number;
  readonly position: number | null;
  /** The stable code of a refusal; null if accepted. */
  readonly code: string | null;
  readonly body: unknown;
};

type Refusal = (history: LogHistory, request: RushRequest, position: number) => boolean;

const unitsOf = (history: LogHistory, itemId: string, position: number) =>
  valueAt(history.units.get(`item:${itemId}`), position) ?? 0;

/** For each code, whether the request was really not possible at that position. */
const TRUE_REFUSALS: Record<string, Refusal> = {
  not_enough_stock: (history, request, position) => {
    if (request.kind !== "correct") {
      return unitsOf(history, request.subject, position) < request.asked;
    }
    const sale = valueAt(history.sales.get(request.subject), position);
    return (
      sale?.itemId != null && unitsOf(history, sale.itemId, position) < request.asked - sale.units
    );
  },
  insufficient_balance: (history, request, position) =>
    (valueAt(history.accounts.get(`consignor:${request.subject}:available`), position) ?? 0) <
    request.asked,
  payout_already_paid: (history, request, position) =>
    valueAt(history.payouts.get(request.subject), position) === "paid",
  payout_already_deleted: (history, request, position) =>
    valueAt(history.payouts.get(request.subject), position) === "deleted",
  more_than_sold: (history, request, position) => {
    const sale = valueAt(history.sales.get(request.subject), position);
    return sale !== undefined && sale.refundedUnits + request.asked > sale.units;
  },
  // A fully refunded price with units left: the sale's own tests check these refusals exactly.
  more_than_paid: (history, request, position) =>
    valueAt(history.sales.get(request.subject), position) !== undefined,
  below_refunds: (history, request, position) => {
    const sale = valueAt(history.sales.get(request.subject), position);
    return sale !== undefined && sale.refundedUnits > 0;
  },
};

/** The one event of an accepted request. */
const EVENT_OF: Record<RushRequest["kind"], string> = {
  sell: "SaleRecorded",
  "sell-master": "MasterSaleRecorded",
  allocate: "UnitsAllocated",
  "request-payout": "PayoutRequested",
  "mark-paid": "PayoutPaid",
  "delete-payout": "PayoutDeleted",
  correct: "SaleCorrected",
  refund: "SaleRefunded",
  "set-balance": "BalanceSet",
  "request-trade": "TradeRequested",
  "accept-offer": "OfferAccepted",
  "decline-offer": "OfferDeclined",
  "counter-offer": "OfferCountered",
  "cancel-trade": "TradeCancelled",
  "cancel-acceptance": "AcceptanceCancelled",
  "upload-label": "TradeLabelUploaded",
  "fulfill-trade": "TradeFulfilled",
  "confirm-trade": "TradeCompleted",
  "refund-trade": "TradeRefunded",
};

/** Whether an accepted request happened once: its event and, for an allocation, the item edited or added for it. */
function happenedOnce({ kind }: RushRequest, own: readonly EventThere[]): boolean {
  const others = own.filter(({ type }) => type !== EVENT_OF[kind]).map(({ type }) => type);
  const mayCome = kind === "allocate" ? ["ItemEdited", "ItemAdded"] : [];
  return (
    own.length - others.length === 1 &&
    others.length <= 1 &&
    others.every((type) => mayCome.includes(type))
  );
}

const written = (events: readonly EventThere[]) =>
  events.map(({ position, type }) => `${type} ${position}`).join(", ");

function judgeOne(history: LogHistory, answer: RushAnswer): string | undefined {
  const { request, status, position, code, scope } = answer;
  const own = history.byKey.get(`${scope} ${request.key}`) ?? [];
  if (status === 200 || status === 201) {
    if (own.length === 0) {
      const unchanged = request.kind === "correct" || request.kind === "set-balance";
      return unchanged
        ? undefined
        : `${request.kind} ${request.key} was acknowledged and is not in the log`;
    }
    if (!happenedOnce(request, own)) {
      return `${request.kind} ${request.key} did not happen once: ${written(own)}`;
    }
    return own.at(-1)?.position === position
      ? undefined
      : `${request.kind} ${request.key} was answered at ${position} but is at ${written(own)}`;
  }
  if (code === "no_stock" && own.length === 1 && own[0]?.type === "OfferClosed") {
    // Taken by the ledger: the offer of a seller who has none left is closed.
    return undefined;
  }
  if (own.length > 0) {
    return `${request.kind} ${request.key} was refused (${code}) but is in the log at ${written(own)}`;
  }
  const isDefinite = status === 409 || (status === 404 && code === "offer_not_found");
  if (!isDefinite || code === null || position === null) {
    return `${request.kind} ${request.key} was answered ${status} ${code}`;
  }
  const isTrue = wasRefused(history, request, code, position);
  if (isTrue === null) {
    return `${request.kind} ${request.key} was refused with the unexpected code ${code}`;
  }
  return isTrue
    ? undefined
    : `${request.kind} ${request.key} was refused with ${code} at ${position}, which was not true`;
}

/** Null for a code that no request of a rush can get. */
function wasRefused(
  history: LogHistory,
  request: RushRequest,
  code: string,
  position: number,
): boolean | null {
  const isOfTrade = /trade|offer|acceptance|label/u.test(request.kind);
  return isOfTrade
    ? wasTradeRefused(history, request, code, position)
    : (TRUE_REFUSALS[code]?.(history, request, position) ?? null);
}

/** Every broken promise: in the log itself, of each answer, and different answers to the same key. */
export function judgeRush(history: LogHistory, answers: readonly RushAnswer[]): string[] {
  const broken = [...history.broken];
  const byKey = new Map<string, RushAnswer>();
  for (const answer of answers) {
    const found = judgeOne(history, answer);
    if (found !== undefined) {
      broken.push(found);
    }
    const key = `${answer.scope} ${answer.request.key}`;
    const first = byKey.get(key);
    if (first === undefined) {
      byKey.set(key, answer);
    } else if (
      first.status !== answer.status ||
      canonicalJson(first.body) !== canonicalJson(answer.body)
    ) {
      broken.push(
        `${answer.request.kind} ${key} was given two different answers: ${JSON.stringify(first.body)} and ${JSON.stringify(answer.body)}`,
      );
    }
  }
  for (const [key, own] of history.byKey) {
    const first = own[0]?.position ?? 0;
    if (own.some(({ position }, index) => position !== first + index)) {
      broken.push(`the events of ${key} do not stand together: ${written(own)}`);
    }
  }
  return broken;
}
