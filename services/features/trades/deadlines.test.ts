// Specs of what happens to trades by time: late, twice or on two workers, each deadline is met once.
import { describe, expect, test } from "vitest";
import { dueOf } from "#features/trades/deadlines.ts";
import {
  cancelOverdueTrade,
  completeTrade,
  expireOffer,
  remindTrade,
} from "#features/trades/decider-deadlines.ts";
import { offerIdOf } from "#features/trades/streams.ts";
import { idOf } from "#testing/shop/stock-room.ts";
import {
  byBuyer,
  buyer,
  hoursOn,
  otherSeller,
  seller,
  TradeFloor,
  tradeId,
} from "#testing/shop/trade-floor.ts";

const DAY = 24;

/** What a worker does that looks at the trade now; answers the kinds of deadline, in order. */
function sweep(floor: TradeFloor): string[] {
  return dueOf(tradeId, floor.trade, floor.now).map((due) => {
    meet(floor, due);
    return due.kind === "remind" ? `remind ${due.about} ${due.day}` : due.kind;
  });
}

function meet(floor: TradeFloor, due: ReturnType<typeof dueOf>[number]): void {
  const { dueAt } = due;
  if (due.kind === "expire") {
    floor.run(expireOffer, { offerId: due.offerId, expiresAt: dueAt });
  } else if (due.kind === "remind") {
    const { about, day, offerId } = due;
    floor.run(remindTrade, { tradeId, dueAt, about, day, offerId });
  } else {
    floor.run(due.kind === "cancel" ? cancelOverdueTrade : completeTrade, { tradeId, dueAt });
  }
}

function asked(given: { providesOwnShipping?: boolean } = {}) {
  const floor = new TradeFloor().give(buyer, 5_000);
  const items = [
    [seller, floor.stock(seller, 2)],
    [otherSeller, floor.stock(otherSeller, 5)],
  ] as const;
  floor.request(items, { quantity: 3, ...given });
  return floor;
}

function waiting(given: { providesOwnShipping?: boolean } = {}) {
  const floor = asked(given);
  floor.accept(1, seller);
  floor.accept(2, otherSeller);
  return floor;
}

function fulfilled() {
  const floor = waiting();
  floor.upload();
  floor.fulfill();
  return floor;
}

describe("offers", () => {
  test("remind their seller when 12 hours are left, once", () => {
    const floor = asked();
    expect(sweep(floor.at(35))).toEqual([]);
    expect(sweep(floor.at(36))).toEqual(["remind answer 0", "remind answer 0"]);
    expect(sweep(floor.at(37))).toEqual([]);
    expect(floor.offer(1).isReminded).toBe(true);
  });

  test("remind nobody while it is the buyer's turn, and again after a counter of the buyer", () => {
    const floor = asked();
    floor.at(30).counter(1, seller, 600);
    floor.decline(2, otherSeller);
    expect(sweep(floor.at(70))).toEqual([]);
    floor.counter(1, buyer, 550);
    expect(sweep(floor.at(106))).toEqual(["remind answer 0"]);
  });

  test("run out after 48 hours, all of a request by one command; then the trade has expired", () => {
    const floor = asked();
    expect(sweep(floor.at(48))).toEqual(["expire"]);
    expect(floor.trade.status).toBe("expired");
    expect([floor.offer(1).status, floor.offer(2).status]).toEqual(["expired", "expired"]);
    expect(sweep(floor)).toEqual([]);
  });

  test("that run out do not change what was accepted", () => {
    const floor = asked();
    floor.accept(1, seller);
    sweep(floor.at(48));
    expect(floor.trade.status).toBe("awaiting_shipping");
  });

  test("run out once, however often and late it is tried: each deadline has one key", () => {
    const floor = asked();
    const due = dueOf(tradeId, floor.trade, hoursOn(50)).find(({ kind }) => kind === "expire");
    expect(due?.key).toBe(`expire:${offerIdOf(tradeId, 1)}:${hoursOn(48)}`);
    const command = { offerId: offerIdOf(tradeId, 1), expiresAt: hoursOn(48) };
    expect(floor.at(47).run(expireOffer, command)).toMatchObject({ answer: { happened: false } });
    expect(floor.at(50).run(expireOffer, command)).toMatchObject({ answer: { happened: true } });
    expect(floor.run(expireOffer, command)).toMatchObject({
      answer: { happened: false },
      added: [],
    });
  });

  test("that were countered in time do not run out at the old deadline", () => {
    const floor = asked();
    floor.at(47).counter(1, seller, 600);
    floor.decline(2, otherSeller);
    const command = { offerId: offerIdOf(tradeId, 1), expiresAt: hoursOn(48) };
    expect(floor.at(49).run(expireOffer, command)).toMatchObject({ answer: { happened: false } });
  });
});

describe("a label that the buyer owes", () => {
  test("is asked for after 3 and 10 days; after 14 the trade is cancelled and everything goes back", () => {
    const floor = waiting({ providesOwnShipping: true });
    const happened = Array.from({ length: 16 }, (_, day) =>
      sweep(floor.at(day * DAY)).map((kind) => [day, kind]),
    );
    expect(happened.flat()).toEqual([
      [3, "remind label 3"],
      [10, "remind label 10"],
      [14, "cancel"],
    ]);
    expect([floor.trade.status, floor.held, floor.available(buyer)]).toEqual([
      "cancelled",
      0,
      5_000,
    ]);
  });

  test("cancels no trade whose buyer was not reminded", () => {
    const floor = waiting({ providesOwnShipping: true });
    const dueAt = hoursOn(14 * DAY);
    expect(floor.at(15 * DAY).run(cancelOverdueTrade, { tradeId, dueAt })).toMatchObject({
      answer: { happened: false },
    });
    expect(sweep(floor)).toEqual(["remind label 10"]);
    expect(sweep(floor)).toEqual(["cancel"]);
  });

  test("that came in time cancels nothing; after another address the days start again", () => {
    const floor = waiting({ providesOwnShipping: true });
    sweep(floor.at(3 * DAY));
    sweep(floor.at(10 * DAY));
    floor.at(13 * DAY).upload(byBuyer);
    floor.moveTo(idOf(901));
    expect(sweep(floor.at(14 * DAY))).toEqual([]);
    expect(sweep(floor.at(16 * DAY))).toEqual(["remind label 3"]);
    expect(sweep(floor.at(27 * DAY))).toEqual(["remind label 10"]);
    expect(sweep(floor)).toEqual(["cancel"]);
  });
});

describe("an order that waits for the store", () => {
  test("without its label reminds the store after 2 days, and daily from day 14; it is never cancelled", () => {
    const floor = waiting();
    const happened = Array.from({ length: 17 }, (_, day) => sweep(floor.at(day * DAY)));
    expect(happened.flat()).toEqual([
      "remind order 2",
      "remind order 14",
      "remind order 15",
      "remind order 16",
    ]);
    expect(sweep(floor.at(40 * DAY))).toEqual(["remind order 40"]);
    expect(floor.trade.status).toBe("awaiting_shipping");
  });

  test("with its label reminds the store once", () => {
    const floor = waiting({ providesOwnShipping: true });
    floor.at(DAY).upload(byBuyer);
    expect(sweep(floor.at(2 * DAY))).toEqual([]);
    expect(sweep(floor.at(3 * DAY))).toEqual(["remind order 2"]);
    expect(sweep(floor.at(40 * DAY))).toEqual([]);
  });

  test("reminds the store once a day, however many workers there are", () => {
    const floor = waiting().at(2 * DAY);
    const command = { tradeId, dueAt: hoursOn(2 * DAY), about: "order", day: 2 } as const;
    expect(floor.run(remindTrade, { ...command, offerId: null })).toMatchObject({
      answer: { happened: true },
    });
    expect(floor.run(remindTrade, { ...command, offerId: null })).toMatchObject({
      answer: { happened: false },
      added: [],
    });
  });
});

describe("a fulfilled trade", () => {
  test("completes after 7 days if nobody says anything; no money moves", () => {
    const floor = fulfilled();
    expect(sweep(floor.at(7 * DAY - 1))).toEqual([]);
    expect(sweep(floor.at(7 * DAY))).toEqual(["complete"]);
    expect(floor.books.events.at(-1)).toMatchObject({
      type: "TradeCompleted",
      data: { by: "time" },
      postings: [],
    });
    expect(sweep(floor)).toEqual([]);
  });

  test("does not complete while a report is open, and at once when it is settled after the 7 days", () => {
    const floor = fulfilled();
    floor.at(6 * DAY).report();
    expect(sweep(floor.at(20 * DAY))).toEqual([]);
    const early = { tradeId, dueAt: hoursOn(7 * DAY) };
    expect(floor.run(completeTrade, early)).toMatchObject({ answer: { happened: false } });
    floor.refund({ cents: 100, nth: 1 });
    expect(sweep(floor)).toEqual(["complete"]);
  });

  test("does not complete earlier because a report was settled early", () => {
    const floor = fulfilled();
    floor.at(DAY).report();
    floor.closeReport();
    expect(sweep(floor.at(2 * DAY))).toEqual([]);
    expect(sweep(floor.at(7 * DAY))).toEqual(["complete"]);
  });
});

test("deadlines of a trade that does not exist do nothing", () => {
  const floor = new TradeFloor();
  const dueAt = hoursOn(0);
  for (const answer of [
    floor.run(expireOffer, { offerId: offerIdOf(tradeId, 1), expiresAt: dueAt }),
    floor.run(cancelOverdueTrade, { tradeId, dueAt }),
    floor.run(completeTrade, { tradeId, dueAt }),
    floor.run(remindTrade, { tradeId, dueAt, about: "order", day: 2, offerId: null }),
  ]) {
    expect(answer).toMatchObject({ answer: { happened: false }, added: [] });
  }
});
