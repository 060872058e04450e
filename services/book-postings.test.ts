// Money and units move only as an event says: whatever else somebody with the application's database role appends, verify finds.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bookChecks, events, features, projections, streams } from "./features.ts";
import {
  availableAccount,
  consignorStreamId,
  payoutsAccount,
  STORE_ADJUSTMENTS,
} from "#features/accounts/streams.ts";
import { UnitsReceived } from "#features/inventory/events.ts";
import { ADJUSTED, itemHolding, RECEIVED } from "#features/inventory/streams.ts";
import { OPENING_BALANCES } from "#features/migration/streams.ts";
import { SalesTaxRemitted } from "#features/months/events.ts";
import { PayoutPaid, PayoutRequested, PayoutReturned } from "#features/payouts/events.ts";
import { PAID_BY, payoutStreamId } from "#features/payouts/streams.ts";
import { SaleRefunded } from "#features/sales/events.ts";
import { STORE_REVENUE, STORE_SALES_TAX } from "#features/sales/streams.ts";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import type { AnyEvent, NewEvent } from "#ledger/event.ts";
import { upcast } from "#ledger/event.ts";
import type { Posting } from "#ledger/posting.ts";
import { move, moveUnits } from "#ledger/posting.ts";
import { collectFindings } from "#ledger/verify/findings.ts";
import { checkEventRules, eventRulesOf } from "#ledger/verify/event-rules.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { eventFixtures } from "#testing/shop/event-fixtures.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { AVERY, BLAKE } from "#testing/shop/money-steps.ts";
import { openOrdinaryShop, shopChecks } from "#testing/shop/ordinary-shop.ts";

const rules = eventRulesOf(bookChecks);

function findingsOf(event: AnyEvent): string[] {
  const findings = collectFindings(undefined);
  checkEventRules(rules, event, 1, findings);
  return findings.listed().map(({ message }) => message);
}

/** Every stored version of every event, in its current version. */
const stored = features.flatMap(({ name, events: own }) =>
  eventFixtures(new URL(`./features/${name}/fixtures/`, import.meta.url)).flatMap((fixture) => {
    const definition = own.find(({ type }) => type === fixture.type);
    return definition === undefined
      ? []
      : [{ ...fixture, data: upcast(definition, fixture.version, fixture.data) }];
  }),
);

/** An event with the units that its data says it moves, and no postings. */
function withItsUnits(type: string, data: unknown): AnyEvent {
  const happenedAt = "2026-11-27T10:00:00.000Z";
  const event = { type, data, postings: [], movements: [], happenedAt };
  const [movements = []] = rules.movements.get(type)?.ways(event) ?? [];
  return { ...event, movements };
}

describe("every stored event", () => {
  it.each(stored)("$file posts nothing beyond what it says", ({ type, data }) => {
    const facts = withItsUnits(type, data);
    const [said = []] = rules.postings.get(type)?.ways({ ...facts, postings: [] }) ?? [];
    expect(findingsOf({ ...facts, postings: said })).toEqual([]);
    expect(findingsOf({ ...facts, postings: said.toReversed() }), "in any order").toEqual([]);
    const extra = move(STORE_ADJUSTMENTS, availableAccount.of("thief"), 1);
    expect(findingsOf({ ...facts, postings: [...said, ...extra] })).toEqual([
      expect.stringMatching(new RegExp(`^${type} says .*, but posts .*thief`, "u")),
    ]);
    const other = said.map((posting) => ({ ...posting, to: availableAccount.of("thief") }));
    expect(findingsOf({ ...facts, postings: other })).toHaveLength(said.length === 0 ? 0 : 1);
  });

  it.each(stored)("$file moves no units beyond what it says", ({ type, data }) => {
    const own = withItsUnits(type, data);
    const [postings = []] = rules.postings.get(type)?.ways(own) ?? [];
    const facts = { ...own, postings };
    const { movements } = facts;
    expect(findingsOf({ ...facts, movements: movements.toReversed() })).toEqual([]);
    const extra = moveUnits(ADJUSTED, itemHolding.of(randomUUID()), 1);
    expect(findingsOf({ ...facts, movements: [...movements, ...extra] })).toEqual([
      expect.stringMatching(new RegExp(`^${type} says .*, but moves .*world:adjusted`, "u")),
    ]);
    const fewer = movements.slice(1);
    expect(findingsOf({ ...facts, movements: fewer })).toHaveLength(movements.length === 0 ? 0 : 1);
  });

  it("of these types moves units, and of no other", () => {
    const moving = stored.filter(({ type, data }) => withItsUnits(type, data).movements.length > 0);
    expect([...new Set(moving.map(({ type }) => type))].toSorted()).toEqual([
      "AcceptanceCancelled",
      "ItemCountAdjusted",
      "MasterSaleRecorded",
      "OfferAccepted",
      "SaleCorrected",
      "SaleRecorded",
      "SaleRefunded",
      "TradeCancelled",
      "TradeFulfilled",
      "TradeRefunded",
      "UnitsAllocated",
      "UnitsReceived",
      "UnitsRemoved",
    ]);
  });
});

let shop: MoneyShop;

beforeAll(async () => {
  shop = await openOrdinaryShop();
});

afterAll(() => shop.close());

const bothStreams = [consignorStreamId(AVERY), consignorStreamId(BLAKE)];

type Forged = Omit<NewEvent, "streams" | "happenedAt"> & { readonly streams?: readonly string[] };

/** Appends an event as the application does, whatever it posts and moves: its hash and its streams are right. */
const forge: Decider<Forged, null> = {
  type: "Forge",
  streams: ({ streams: own = bothStreams }) => own,
  decide: ({ streams: own = bothStreams, ...forged }) => {
    const happenedAt = "2024-06-01T00:00:00.000Z";
    return accept([{ ...forged, happenedAt, streams: own }], null);
  },
};

const payoutId = randomUUID();
const ofAvery = { payoutId, consignorId: AVERY, amountCents: 2, method: "cashapp" };

/** What the newest fixture of this type says, with something else in it. */
function sayingAs(type: string, other: object): object {
  return { ...Object(stored.findLast((fixture) => fixture.type === type)?.data), ...other };
}

const toAvery = availableAccount.of(AVERY);

it.each<readonly [string, Pick<NewEvent, "type" | "schemaVersion">, object, readonly Posting[]]>([
  [
    "a returned payout that says 2 cents and posts $999",
    PayoutReturned,
    sayingAs("PayoutReturned", ofAvery),
    move(PAID_BY.cashapp, toAvery, 99_900),
  ],
  [
    "a payout that is said to be sent, and is given to another consignor",
    PayoutPaid,
    sayingAs("PayoutPaid", { ...ofAvery, amountCents: 15_000 }),
    move(payoutsAccount.of(AVERY), availableAccount.of(BLAKE), 15_000),
  ],
  [
    "a refund that says one cent and gives its consignor $777",
    SaleRefunded,
    sayingAs("SaleRefunded", {
      consignorId: AVERY,
      priceCents: 1,
      salesTaxCents: 0,
      payoutCents: 1,
    }),
    move(STORE_REVENUE, toAvery, 77_700),
  ],
  [
    "remitted sales tax that goes to a consignor",
    SalesTaxRemitted,
    sayingAs("SalesTaxRemitted", { amountCents: 1 }),
    move(STORE_SALES_TAX, toAvery, 8_800),
  ],
])("finds %s", async (_what, { type, schemaVersion }, data, postings) => {
  await shop.execute(forge, { type, schemaVersion, data, postings, movements: [] });
  expect(await lastProblem("balances")).toMatchObject({
    message: expect.stringMatching(new RegExp(`^${type} says \\d+ cents? from .+, but posts`, "u")),
  });
});

it("finds a payout request paid for by the old app where no migration counts it", async () => {
  const data = sayingAs("PayoutRequested", ofAvery);
  const postings = move(OPENING_BALANCES, payoutsAccount.of(AVERY), 2);
  const { type, schemaVersion } = PayoutRequested;
  const own = [payoutStreamId(payoutId), consignorStreamId(AVERY)];
  await shop.execute(forge, { type, schemaVersion, data, postings, movements: [], streams: own });
  expect(await lastProblem("balances")).toMatchObject({
    message: `payout ${payoutId} of ${AVERY} is paid for by the old app, but no migration before it counts it`,
  });
});

it("finds a delivery that says one unit and puts a hundred into the inventory", async () => {
  const itemId = randomUUID();
  const data = sayingAs("UnitsReceived", { itemId, ownerUid: AVERY, units: 1 });
  const { type, schemaVersion } = UnitsReceived;
  const movements = moveUnits(RECEIVED, itemHolding.of(itemId), 100);
  await shop.execute(forge, { type, schemaVersion, data, postings: [], movements });
  const item = itemHolding.of(itemId);
  expect(await lastProblem("units")).toMatchObject({
    message: `UnitsReceived says 1 unit from world:received to ${item}, but moves 100 units from world:received to ${item}`,
  });
});

/** What a check of verify says about the newest event. */
async function lastProblem(name: "balances" | "units") {
  const { sql } = shop.database;
  const books = { sql, events, streams, projections, checks: shopChecks, heads: [] };
  const { problems, position } = await verifyBooks({ ...books, withoutReplay: true });
  return problems.find(({ check, position: at }) => check === name && at === position);
}
