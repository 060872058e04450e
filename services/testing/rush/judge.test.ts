// The judge of a rush must be able to find faults: it reports each promise that a hand-made history breaks.
import { describe, expect, it } from "vitest";
import type { LogHistory } from "#testing/rush/history.ts";
import type { RushAnswer } from "#testing/rush/judge.ts";
import type { OfferThen, TradeThen } from "#testing/rush/trade-history.ts";
import { wrongWith } from "#testing/rush/trade-history.ts";
import { judgeRush } from "#testing/rush/judge.ts";
import type { RushRequest } from "#testing/rush/draft.ts";

const tradeId = "11111111-1111-4111-8111-111111111111";

const offer: OfferThen = {
  offerId: `${tradeId}-1`,
  sellerUid: "c2",
  itemIds: ["i1"],
  status: "pending",
  quantityOffered: 2,
  pricePerItem: 500,
  counters: [],
  rounds: 0,
  acceptance: null,
};

/** Two units at $5.00 and $4.00 shipping. */
const asked: TradeThen = {
  buyerUid: "c1",
  status: "pending",
  quantity: 2,
  feeCents: 400,
  isFulfilled: false,
  offers: new Map([[offer.offerId, offer]]),
};

const acceptance = { units: 2, pricePerItem: 500, refundedUnits: 0, refundedCents: 0 };
const acceptedOffer = { ...offer, status: "accepted", acceptance };
const waiting: TradeThen = {
  ...asked,
  status: "awaiting_shipping",
  offers: new Map([[offer.offerId, acceptedOffer]]),
};

/** Ten units until position 3, two from then on; one sale at 3, half of it refunded at 5; 700 cents from 3 on; a trade. */
const history: LogHistory = {
  units: new Map([
    [
      "item:i1",
      [
        { position: 1, value: 10 },
        { position: 3, value: 2 },
      ],
    ],
  ]),
  accounts: new Map([["consignor:c1:available", [{ position: 3, value: 700 }]]]),
  sales: new Map([
    [
      "s1",
      [
        { position: 3, value: { itemId: "i1", units: 8, refundedUnits: 0 } },
        { position: 5, value: { itemId: "i1", units: 8, refundedUnits: 4 } },
      ],
    ],
  ]),
  payouts: new Map([
    [
      "p1",
      [
        { position: 4, value: "pending" },
        { position: 6, value: "paid" },
      ],
    ],
  ]),
  trades: new Map([
    [
      tradeId,
      [
        { position: 2, value: asked },
        { position: 4, value: waiting },
      ],
    ],
  ]),
  byKey: new Map([
    ["store k3", [{ position: 3, type: "SaleRecorded" }]],
    ["store k5", [{ position: 5, type: "SaleRefunded" }]],
  ]),
  broken: [],
  head: 6,
};

const requestOf = (
  kind: RushRequest["kind"],
  key: string,
  subject: string,
  asked: number,
): RushRequest => ({
  kind,
  key,
  caller: null,
  method: "POST",
  path: "/",
  body: null,
  subject,
  asked,
});

const sold: RushAnswer = {
  request: requestOf("sell", "k3", "i1", 8),
  scope: "store",
  status: 201,
  position: 3,
  code: null,
  body: { saleID: "s1" },
};

const refused = (of: RushRequest, code: string, position: number): RushAnswer => ({
  request: of,
  scope: "store",
  status: 409,
  position,
  code,
  body: { error: code },
});

describe("the judge of a rush", () => {
  it("finds nothing wrong with answers that the log confirms", () => {
    const answers = [
      sold,
      sold,
      refused(requestOf("sell", "n1", "i1", 3), "not_enough_stock", 4),
      refused(requestOf("request-payout", "n2", "c1", 701), "insufficient_balance", 3),
      refused(requestOf("refund", "n3", "s1", 5), "more_than_sold", 5),
      refused(requestOf("mark-paid", "n4", "p1", 0), "payout_already_paid", 6),
    ];
    expect(judgeRush(history, answers)).toEqual([]);
  });

  it.each([
    [
      "an accepted command that is not in the log",
      { ...sold, request: requestOf("sell", "lost", "i1", 8) },
      /is not in/u,
    ],
    [
      "an accepted command with a wrong position",
      { ...sold, position: 4 },
      /answered at 4 but is at SaleRecorded 3/u,
    ],
    [
      "a refused command that is in the log",
      refused(requestOf("sell", "k3", "i1", 8), "not_enough_stock", 3),
      /was refused .* but is in the log/u,
    ],
    [
      "too few units, when there were enough",
      refused(requestOf("sell", "n1", "i1", 3), "not_enough_stock", 2),
      /which was not true/u,
    ],
    [
      "too little money, when there was enough",
      refused(requestOf("request-payout", "n2", "c1", 700), "insufficient_balance", 3),
      /which was not true/u,
    ],
    [
      "more than sold, before it was refunded",
      refused(requestOf("refund", "n3", "s1", 5), "more_than_sold", 4),
      /which was not true/u,
    ],
    [
      "already paid, while it was pending",
      refused(requestOf("mark-paid", "n4", "p1", 0), "payout_already_paid", 5),
      /which was not true/u,
    ],
    [
      "a command given up",
      refused(requestOf("sell", "n5", "i1", 1), "contended", 6),
      /unexpected code/u,
    ],
    [
      "a failure",
      { ...refused(requestOf("sell", "n6", "i1", 1), "internal", 6), status: 500 },
      /answered 500/u,
    ],
  ] as const)("condemns %s", (_what, answer, sentence) => {
    expect(judgeRush(history, [answer]).join("\n")).toMatch(sentence);
  });

  it("reports two different answers to one key", () => {
    const other = { ...sold, body: { saleID: "s2" } };
    expect(judgeRush(history, [sold, other]).join("\n")).toMatch(/two different answers/u);
  });

  it("follows trades too", () => {
    const answers = [
      refused(requestOf("accept-offer", "t1", `${tradeId}-1`, 0), "offer_closed", 4),
      refused(requestOf("fulfill-trade", "t2", tradeId, 0), "no_label", 4),
    ];
    expect(judgeRush(history, answers)).toEqual([]);
    const untrue = answers.map((answer) => ({ ...answer, position: 3 }));
    expect(judgeRush(history, untrue.slice(0, 1)).join("\n")).toMatch(/which was not true/u);
    const paid = refused(requestOf("fulfill-trade", "t3", tradeId, 0), "already_fulfilled", 4);
    expect(judgeRush(history, [paid]).join("\n")).toMatch(/which was not true/u);
  });

  it.each([
    ["less money than was accepted", { cents: 900, units: 2 }, /holds 900 cents instead of 1400/u],
    ["fewer units", { cents: 1_400, units: 1 }, /holds 1 units instead of 2/u],
    ["its buyer's debt", { cents: 1_400, units: 2, buyerCents: -1 }, /overdrew its buyer/u],
  ])("reports a trade that holds %s", (_what, held, sentence) => {
    const accepted = { type: "OfferAccepted", position: 4 };
    const wrong = wrongWith(accepted, tradeId, waiting, asked, { buyerCents: 0, ...held });
    expect(wrong.join("\n")).toMatch(sentence);
    const right = { cents: 1_400, units: 2, buyerCents: 0 };
    expect(wrongWith(accepted, tradeId, waiting, asked, right)).toEqual([]);
  });

  it.each([
    ["twice, one after another", [3, 4], /did not happen once/u],
    ["twice, with others between", [3, 5], /do not stand together/u],
  ] as const)("reports a command that is in the log %s", (_what, positions, sentence) => {
    const own = positions.map((position) => ({ position, type: "SaleRecorded" }));
    const twice = { ...history, byKey: new Map([["store k3", own]]) };
    expect(judgeRush(twice, [{ ...sold, position: positions[1] }]).join("\n")).toMatch(sentence);
  });

  it("passes on what is broken in the log itself", () => {
    expect(judgeRush({ ...history, broken: ["position 4 is missing"] }, [])).toEqual([
      "position 4 is missing",
    ]);
  });
});
