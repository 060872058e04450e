// What the streams of trades know: escrow and units by what moved, and which trades bind whom.
import { expect, it } from "vitest";
import type { StreamDefinition } from "#ledger/decider.ts";
import type { AnyEvent } from "#ledger/event.ts";
import { upcast } from "#ledger/event.ts";
import { tradeEvents } from "#features/trades/events.ts";
import {
  escrowAccount,
  offerIdOf,
  openTradesOf,
  STORE_TRADE_COMMISSION,
  TRADED,
  tradeHolding,
  traderStream,
  traderStreamId,
  tradeStream,
  tradeStreamId,
} from "#features/trades/streams.ts";
import { eventFixtures } from "#testing/shop/event-fixtures.ts";

const tradeId = "11111111-1111-4111-8111-111111111111";
const buyer = "sample-buyer-000000001";
const seller = "sample-seller-00000001";

const stored = new Map(
  eventFixtures(new URL("./fixtures/", import.meta.url)).map(({ type, version, data }) => [
    type,
    { version, data },
  ]),
);

/** The fixture of a type, with what it moves. */
function happened(type: string, moved: Partial<AnyEvent> = {}): AnyEvent {
  const definition = tradeEvents.find((event) => event.type === type);
  const fixture = stored.get(type);
  if (definition === undefined || fixture === undefined) {
    throw new Error(`There is no ${type}`);
  }
  const data: unknown = upcast<unknown>(definition, fixture.version, fixture.data);
  return {
    type,
    data,
    postings: [],
    movements: [],
    happenedAt: "2024-05-31T12:00:00.000Z",
    ...moved,
  };
}

function fold<State>(definition: StreamDefinition<State>, id: string, events: AnyEvent[]): State {
  return events.reduce((state, event) => definition.evolve(state, event, id), definition.initial);
}

function boundBy(uid: string, events: AnyEvent[]): readonly string[] {
  const state = fold(traderStream, traderStreamId(uid), events);
  return openTradesOf(
    { has: () => true, get: () => ({ version: events.length, state: state as never }) },
    uid,
  );
}

const accepted = happened("OfferAccepted", {
  postings: [{ from: `consignor:${buyer}:available`, to: escrowAccount.of(tradeId), cents: 1400 }],
  movements: [{ from: "item:x", to: tradeHolding.of(tradeId), units: 2 }],
});
const fulfilled = happened("TradeFulfilled", {
  postings: [{ from: escrowAccount.of(tradeId), to: STORE_TRADE_COMMISSION, cents: 1400 }],
  movements: [{ from: tradeHolding.of(tradeId), to: TRADED, units: 2 }],
});

it("escrow and units are what moved into the trade and out of it", () => {
  const events = [happened("TradeRequested"), accepted];
  expect(fold(tradeStream, tradeStreamId(tradeId), events)).toMatchObject({
    heldCents: 1400,
    heldUnits: 2,
    trade: { status: "pending", feeCents: 400, fulfilledAt: null },
  });
  expect(fold(tradeStream, tradeStreamId(tradeId), [...events, fulfilled])).toMatchObject({
    heldCents: 0,
    heldUnits: 0,
    trade: { status: "fulfilled", feeCents: 400, fulfilledAt: "2024-05-31T12:00:00.000Z" },
  });
});

it("an event replaces the offers it changed and leaves the others", () => {
  const { trade } = fold(tradeStream, tradeStreamId(tradeId), [
    happened("TradeRequested"),
    accepted,
    happened("OfferCountered"),
  ]);
  expect(trade?.offers.map(({ offerId, status }) => [offerId, status])).toEqual([
    [offerIdOf(tradeId, 1), "countered"],
    [offerIdOf(tradeId, 2), "pending"],
  ]);
});

it("a void label does not count, and the trade waits again", () => {
  const later = { happenedAt: "2024-06-02T12:00:00.000Z" };
  const { trade } = fold(tradeStream, tradeStreamId(tradeId), [
    happened("TradeRequested"),
    happened("TradeReminded"),
    happened("TradeLabelUploaded"),
    happened("TradeAddressChanged", later),
  ]);
  expect(trade).toMatchObject({
    status: "awaiting_shipping",
    statusSince: later.happenedAt,
    labelId: null,
    addressId: "22222222-2222-4222-8222-000000000006",
  });
});

it("a buyer is bound until the trade is over, a seller until it is fulfilled", () => {
  const events = [happened("TradeRequested")];
  expect([boundBy(buyer, events), boundBy(seller, events)]).toEqual([[tradeId], []]);
  events.push(accepted);
  expect([boundBy(buyer, events), boundBy(seller, events)]).toEqual([[tradeId], [tradeId]]);
  events.push(fulfilled);
  expect([boundBy(buyer, events), boundBy(seller, events)]).toEqual([[tradeId], []]);
  events.push(happened("TradeCompleted"));
  expect(boundBy(buyer, events)).toEqual([]);
});

it("a cancelled acceptance binds its seller no longer", () => {
  const events = [happened("TradeRequested"), accepted, happened("TradeCancelled")];
  expect([boundBy(buyer, events), boundBy(seller, events)]).toEqual([[], []]);
});
