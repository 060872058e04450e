// Verify names an event of a trade that says other amounts, prices or sellers than its trade has, whoever appended it.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  availableAccount,
  consignorStreamId,
  STORE_ADJUSTMENTS,
} from "#features/accounts/streams.ts";
import { ADJUSTED, itemHolding, itemStreamId } from "#features/inventory/streams.ts";
import type { Offer } from "#features/trades/events.ts";
import {
  AcceptanceCancelled,
  OfferAccepted,
  OfferCountered,
  TradeCancelled,
  TradeFulfilled,
  TradeRaised,
  TradeRefunded,
  TradeReminded,
} from "#features/trades/events.ts";
import { readTrade } from "#features/trades/look-ups.ts";
import {
  escrowAccount,
  offerIdOf,
  TRADED,
  tradeHolding,
  traderStreamId,
  tradeStreamId,
} from "#features/trades/streams.ts";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import type { NewEvent } from "#ledger/event.ts";
import { emit } from "#ledger/event.ts";
import { move, moveUnits } from "#ledger/posting.ts";
import type { Requested, TradeShop } from "#testing/shop/trade-shop.ts";
import { offerPath, openTradeShop } from "#testing/shop/trade-shop.ts";

let market: TradeShop;

beforeAll(async () => {
  market = await openTradeShop();
});

afterAll(() => market.close());

const forge: Decider<NewEvent, null> = {
  type: "Forge",
  streams: ({ streams }) => streams,
  decide: (forged) => accept([forged], null),
};

type Asked = Pick<Requested, "tradeId" | "buyer" | "seller">;

/** What verify says about the newest event, after this one was appended as the application does. */
async function saidAbout(forged: NewEvent): Promise<readonly string[]> {
  const { ledger } = market.shop.deps;
  const context = { actor: "system:test", scope: "store", key: randomUUID(), requestHash: "00" };
  const outcome = await ledger.execute(forge, forged, context);
  const at = outcome.kind === "accepted" ? outcome.position : 0;
  const found = (await market.wrongInBooks({ withoutReplay: true })).map(Object);
  return found
    .filter((problem) => Reflect.get(problem, "position") === at)
    .map((problem) => String(Reflect.get(problem, "message")));
}

async function outcomeOf({ tradeId, buyer }: Asked) {
  const trade = await readTrade(market.shop.deps, tradeId);
  return {
    tradeId,
    buyerUid: buyer.uid,
    itemName: trade?.itemName ?? "",
    status: trade?.status ?? "pending",
    offers: [],
  };
}

function factsOf({ tradeId, buyer, seller }: Asked) {
  return {
    streams: [
      tradeStreamId(tradeId),
      traderStreamId(seller.uid),
      consignorStreamId(buyer.uid),
      itemStreamId(seller.itemId),
    ],
    happenedAt: market.shop.deps.clock().toISOString(),
  };
}

const backTo = ({ tradeId, buyer }: Asked, cents: number) =>
  move(escrowAccount.of(tradeId), availableAccount.of(buyer.uid), cents);

it("finds an acceptance at another price than is on the table", async () => {
  const asked = await market.requested();
  const { tradeId, buyer, seller } = asked;
  const offerId = offerIdOf(tradeId, 1);
  const rows = [{ itemId: seller.itemId, units: 2 }];
  const said = await saidAbout(
    emit(
      OfferAccepted,
      {
        ...(await outcomeOf(asked)),
        offerId,
        sellerUid: seller.uid,
        by: "seller",
        units: 2,
        pricePerItem: 4_000,
        shippingFeeCents: 0,
        rows,
      },
      {
        ...factsOf(asked),
        postings: move(availableAccount.of(buyer.uid), escrowAccount.of(tradeId), 8_000),
        movements: moveUnits(itemHolding.of(seller.itemId), tradeHolding.of(tradeId), 2),
      },
    ),
  );
  expect(said).toContainEqual(expect.stringContaining("it says pricePerItem 4000 instead of 500"));
});

it("finds a cancelled acceptance that gives back more than was held for it", async () => {
  const asked = await market.accepted();
  const own = { offerId: offerIdOf(asked.tradeId, 1), sellerUid: asked.seller.uid };
  const said = await saidAbout(
    emit(
      AcceptanceCancelled,
      {
        ...(await outcomeOf(asked)),
        ...own,
        units: 1,
        as: "lost",
        returnedCents: 900,
        returnedFeeCents: 0,
        rows: [],
        noteId: null,
      },
      {
        ...factsOf(asked),
        postings: backTo(asked, 900),
        movements: moveUnits(tradeHolding.of(asked.tradeId), ADJUSTED, 1),
      },
    ),
  );
  expect(said).toContainEqual(expect.stringContaining("it says returnedCents 900 instead of 500"));
});

it("finds a cancelled trade that gives back less than it held", async () => {
  const asked = await market.accepted();
  const said = await saidAbout(
    emit(
      TradeCancelled,
      {
        ...(await outcomeOf(asked)),
        by: "time",
        returnedCents: 1,
        returnedFeeCents: 0,
        rows: [],
        noteId: null,
      },
      { ...factsOf(asked), postings: backTo(asked, 1) },
    ),
  );
  expect(said).toContainEqual(expect.stringContaining("it says returnedCents 1 instead of 1000"));
});

it("finds a fulfilled trade that pays somebody who sold nothing", async () => {
  const asked = await market.accepted();
  const { tradeId, buyer } = asked;
  await market.upload(market.admin, tradeId);
  const payment = { offerId: offerIdOf(tradeId, 1), sellerUid: buyer.uid, units: 2 };
  const cents = { priceCents: 1_000, commissionCents: 0, payoutCents: 1_000 };
  const said = await saidAbout(
    emit(
      TradeFulfilled,
      {
        ...(await outcomeOf(asked)),
        payments: [{ ...payment, ...cents }],
        shippingFeeCents: 0,
        rounding: "half_up",
      },
      {
        ...factsOf(asked),
        postings: backTo(asked, 1_000),
        movements: moveUnits(tradeHolding.of(tradeId), TRADED, 2),
      },
    ),
  );
  expect(said).toContainEqual(expect.stringMatching(/says payments .* instead of /u));
});

it("finds a refund of more than was paid, and an event that makes room for one", async () => {
  const asked = await market.accepted();
  const { tradeId, buyer, seller } = asked;
  await market.upload(market.admin, tradeId);
  await market.post(market.admin, `${tradeId}/fulfill`);
  const own = { offerId: offerIdOf(tradeId, 1), sellerUid: seller.uid };
  const outcome = await outcomeOf(asked);
  const said = await saidAbout(
    emit(
      TradeRefunded,
      {
        ...outcome,
        ...own,
        units: 0,
        cents: 90_000,
        borneBy: "store",
        rows: [],
        settledReport: false,
        noteId: null,
      },
      {
        ...factsOf(asked),
        postings: move(STORE_ADJUSTMENTS, availableAccount.of(buyer.uid), 90_000),
      },
    ),
  );
  expect(said).toContainEqual(expect.stringContaining("of what was paid can still be refunded"));
  const trade = await readTrade(market.shop.deps, tradeId);
  const offers = (trade?.offers ?? []).map((offer) => ({
    ...offer,
    acceptance: offer.acceptance && { ...offer.acceptance, refundedCents: 77 },
  }));
  const reminded = await saidAbout(
    emit(
      TradeReminded,
      { ...outcome, offers, about: "order", day: 2, dueAt: factsOf(asked).happenedAt },
      factsOf(asked),
    ),
  );
  expect(reminded).toContainEqual(expect.stringContaining('"refundedCents":77'));
});

/** What verify says about a reminder that gives these to an offer on which the seller's counter is on the table. */
async function saidAboutReminder(changes: Partial<Offer>): Promise<string> {
  const asked = await market.requested();
  await market.post(asked.seller, offerPath(asked.tradeId, 1, "counter"), { counterPrice: 850 });
  const trade = await readTrade(market.shop.deps, asked.tradeId);
  const offers = (trade?.offers ?? []).map((offer) => ({ ...offer, ...changes }));
  const dueAt = factsOf(asked).happenedAt;
  const said = { ...(await outcomeOf(asked)), offers, about: "answer" as const, day: 0, dueAt };
  return (await saidAbout(emit(TradeReminded, said, factsOf(asked)))).join();
}

it.each([
  [{ pricePerItem: 1 }, "it says pricePerItem 1 instead of 500"],
  [{ counters: [{ by: "seller", pricePerItem: 1, quantity: 1 }] }, "it says counters"],
  [{ counters: [] }, "it says counters [] instead of"],
  [{ rounds: 0 }, "it says rounds 0 instead of 1"],
  [{ status: "withdrawn" }, 'it says status "withdrawn" instead of "countered"'],
  [{ expiresAt: "2027-12-30T00:00:00.000Z" }, "it says expiresAt"],
] as const satisfies [Partial<Offer>, string][])(
  "finds a reminder that changes an offer: %j",
  async (changes, finding) => {
    expect(await saidAboutReminder(changes)).toContain(finding);
  },
);

it("finds an event that makes another status of its trade", async () => {
  const asked = await market.requested();
  const outcome = { ...(await outcomeOf(asked)), status: "shipping_uploaded" as const };
  const said = { ...outcome, about: "order" as const, day: 2, dueAt: factsOf(asked).happenedAt };
  expect(await saidAbout(emit(TradeReminded, said, factsOf(asked)))).toContainEqual(
    expect.stringContaining('it says status "shipping_uploaded" instead of "pending"'),
  );
});

it("finds a raise that starts from another price, and a counter by whose turn it is not", async () => {
  const asked = await market.requested();
  const { tradeId, seller } = asked;
  const outcome = await outcomeOf(asked);
  const raised = emit(TradeRaised, { ...outcome, before: 1, after: 2 }, factsOf(asked));
  expect((await saidAbout(raised)).join()).toContain("it says before 1 instead of 500");
  const terms = { by: "buyer" as const, pricePerItem: 1, quantity: 1 };
  const own = { ...outcome, offerId: offerIdOf(tradeId, 1), sellerUid: seller.uid };
  expect(
    (await saidAbout(emit(OfferCountered, { ...own, ...terms }, factsOf(asked)))).join(),
  ).toContain('it says by "buyer" instead of "seller"');
});

it("finds nothing wrong with counters that are taken back, raises, refusals and closed offers", async () => {
  const haggled = await market.requested();
  const nth = (what: string) => offerPath(haggled.tradeId, 1, what);
  const answers = [
    await market.post(haggled.seller, nth("counter"), { counterPrice: 850 }),
    await market.shop.call("DELETE", `/api/trades/${nth("counter")}`, { as: haggled.seller }),
    await market.post(haggled.buyer, `${haggled.tradeId}/raise`, { pricePerItem: 600 }),
    await market.post(haggled.seller, nth("counter"), { counterPrice: 900, quantity: 1 }),
    await market.post(haggled.buyer, nth("counter"), { counterPrice: 700 }),
    await market.post(haggled.seller, nth("decline"), {}),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  const expired = await market.requested();
  market.shop.advance(3 * 86_400_000);
  await market.post(expired.seller, offerPath(expired.tradeId, 1, "accept"), {});
  const messages = (await market.wrongInBooks({ withoutReplay: true })).map((problem) =>
    String(Reflect.get(Object(problem), "message")),
  );
  const ids = [haggled.tradeId, expired.tradeId];
  expect(messages.filter((message) => ids.some((id) => message.includes(id)))).toEqual([]);
});

it("finds nothing wrong with what deciders wrote", async () => {
  const accepted = await market.requested();
  await market.post(accepted.seller, offerPath(accepted.tradeId, 1, "accept"), { quantity: 1 });
  const messages = (await market.wrongInBooks({ withoutReplay: true })).map((problem) =>
    String(Reflect.get(Object(problem), "message")),
  );
  expect(messages.filter((message) => message.includes(accepted.tradeId))).toEqual([]);
});
