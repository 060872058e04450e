// The requests of a rush: on few items, few accounts, few sales and few trades, so that callers conflict all the time.
import { withPrefix } from "#features/payouts/contract.ts";
import type { Draft, Random, RushGround, RushRequest } from "#testing/rush/draft.ts";
import { pick, whole } from "#testing/rush/draft.ts";
import { answerOffer, moveTrade, requestTrade } from "#testing/rush/trade-requests.ts";

function sell(random: Random, ground: RushGround): Draft | undefined {
  const item = pick(random, ground.items);
  if (item === undefined) {
    return undefined;
  }
  const units = whole(random, 1, 3);
  return {
    kind: "sell",
    caller: null,
    method: "POST",
    path: "/api/sales/record",
    body: {
      consignorID: item.uid,
      itemUID: item.itemId,
      salePrice: whole(random, 100, 5_000) / 100,
      shippingCost: whole(random, 0, 300) / 100,
      quantitySold: units,
      consignorPercentage: whole(random, 0, 100),
    },
    subject: item.itemId,
    asked: units,
  };
}

function sellMaster(random: Random, ground: RushGround): Draft | undefined {
  const master = pick(random, ground.masters);
  return master === undefined
    ? undefined
    : {
        kind: "sell-master",
        caller: null,
        method: "POST",
        path: "/api/inventory/master/sale",
        body: { masterItemID: master.itemId, quantitySold: 1, salePrice: 12.34, salesTax: 1.02 },
        subject: master.itemId,
        asked: 1,
      };
}

function allocate(random: Random, ground: RushGround): Draft | undefined {
  const master = pick(random, ground.masters);
  const uid = pick(random, ground.consignors);
  const units = whole(random, 1, 4);
  return master === undefined || uid === undefined
    ? undefined
    : {
        kind: "allocate",
        caller: null,
        method: "POST",
        path: "/api/inventory/allocate",
        body: { masterItemID: master.itemId, consignorID: uid, quantity: units, location: "R-1" },
        subject: master.itemId,
        asked: units,
      };
}

function requestPayout(random: Random, ground: RushGround): Draft | undefined {
  const uid = pick(random, ground.consignors);
  const cents = whole(random, 1, 4_000);
  const method = random() < 0.5 ? "cashapp" : "venmo";
  return uid === undefined
    ? undefined
    : {
        kind: "request-payout",
        // As an admin: consignors may not send as many requests as a rush does.
        caller: null,
        method: "POST",
        path: `/api/payouts/${uid}/request`,
        body: { amount: cents / 100, method, paymentUsername: withPrefix(method, "rusher") },
        subject: uid,
        asked: cents,
      };
}

function settlePayout(random: Random, ground: RushGround): Draft | undefined {
  const payout = pick(random, ground.payouts);
  if (payout === undefined) {
    return undefined;
  }
  const paid = random() < 0.5;
  const path = `/api/payouts/${payout.uid}/${payout.payoutId}`;
  return {
    kind: paid ? "mark-paid" : "delete-payout",
    caller: null,
    method: paid ? "PATCH" : "DELETE",
    path: paid ? `${path}/paid` : path,
    body: null,
    subject: payout.payoutId,
    asked: 0,
  };
}

function correct(random: Random, ground: RushGround): Draft | undefined {
  const saleId = pick(random, ground.sales);
  const units = whole(random, 1, 4);
  return saleId === undefined
    ? undefined
    : {
        kind: "correct",
        caller: null,
        method: "PUT",
        path: `/api/sales/${saleId}`,
        body: {
          soldQuantity: units,
          salePrice: whole(random, 100, 5_000) / 100,
          reason: "counted again",
        },
        subject: saleId,
        asked: units,
      };
}

function refund(random: Random, ground: RushGround): Draft | undefined {
  const saleId = pick(random, ground.sales);
  const units = whole(random, 1, 2);
  return saleId === undefined
    ? undefined
    : {
        kind: "refund",
        caller: null,
        method: "POST",
        path: `/api/sales/${saleId}/refund`,
        body: { quantity: units, restock: random() < 0.7, reason: "came back" },
        subject: saleId,
        asked: units,
      };
}

function setBalance(random: Random, ground: RushGround): Draft | undefined {
  const uid = pick(random, ground.consignors);
  return uid === undefined
    ? undefined
    : {
        kind: "set-balance",
        caller: null,
        method: "PUT",
        path: `/api/sales/balance/${uid}`,
        body: { balance: whole(random, -500, 9_000) / 100, reason: "recount" },
        subject: uid,
        asked: 0,
      };
}

type Draw = (random: Random, ground: RushGround) => Draft | undefined;

const SHARES: readonly (readonly [number, Draw])[] = [
  [0.25, sell],
  [0.03, sellMaster],
  [0.06, allocate],
  [0.13, requestPayout],
  [0.1, settlePayout],
  [0.09, correct],
  [0.09, refund],
  [0.01, setBalance],
  [0.04, requestTrade],
  [0.09, answerOffer],
  [0.11, moveTrade],
];

/** A caller's next request. If one is not possible yet (no sale to refund), it becomes a sale. */
export function nextRequest(random: Random, ground: RushGround, key: string): RushRequest {
  let left = random();
  for (const [share, draw] of SHARES) {
    left -= share;
    if (left <= 0) {
      const drawn = draw(random, ground);
      if (drawn !== undefined) {
        return { ...drawn, key };
      }
      break;
    }
  }
  const fallback = sell(random, ground);
  if (fallback === undefined) {
    throw new Error("A rush needs items");
  }
  return { ...fallback, key };
}
