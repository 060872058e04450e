// Money moves only as an event says: whatever else somebody with the application's database role appends, verify finds.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bookChecks, events, features, projections, streams } from "./features.ts";
import {
  availableAccount,
  consignorStreamId,
  payoutsAccount,
  STORE_ADJUSTMENTS,
} from "#features/accounts/streams.ts";
import { OPENING_BALANCES } from "#features/migration/streams.ts";
import { SalesTaxRemitted } from "#features/months/events.ts";
import { PayoutPaid, PayoutRequested, PayoutReturned } from "#features/payouts/events.ts";
import { PAID_BY } from "#features/payouts/streams.ts";
import { SaleRefunded } from "#features/sales/events.ts";
import { STORE_REVENUE, STORE_SALES_TAX } from "#features/sales/streams.ts";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import type { AnyEvent, NewEvent } from "#ledger/event.ts";
import { upcast } from "#ledger/event.ts";
import type { Posting } from "#ledger/posting.ts";
import { move } from "#ledger/posting.ts";
import { collectFindings } from "#ledger/verify/findings.ts";
import { checkPostings, postingRulesOf } from "#ledger/verify/posting-check.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { eventFixtures } from "#testing/shop/event-fixtures.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { AVERY, BLAKE } from "#testing/shop/money-steps.ts";
import { openOrdinaryShop, shopChecks } from "#testing/shop/ordinary-shop.ts";

const rules = postingRulesOf(bookChecks);

function findingsOf(event: AnyEvent): string[] {
  const findings = collectFindings(undefined);
  checkPostings(rules, event, 1, findings);
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

describe("every stored event", () => {
  it.each(stored)("$file posts nothing beyond what it says", ({ type, data }) => {
    const facts = { type, data, movements: [], happenedAt: "2026-11-27T10:00:00.000Z" };
    const [said = []] = rules.get(type)?.ways({ ...facts, postings: [] }) ?? [];
    expect(findingsOf({ ...facts, postings: said })).toEqual([]);
    expect(findingsOf({ ...facts, postings: said.toReversed() }), "in any order").toEqual([]);
    const extra = move(STORE_ADJUSTMENTS, availableAccount.of("thief"), 1);
    expect(findingsOf({ ...facts, postings: [...said, ...extra] })).toEqual([
      expect.stringMatching(new RegExp(`^${type} says .*, but posts .*thief`, "u")),
    ]);
    const other = said.map((posting) => ({ ...posting, to: availableAccount.of("thief") }));
    expect(findingsOf({ ...facts, postings: other })).toHaveLength(said.length === 0 ? 0 : 1);
  });
});

let shop: MoneyShop;

beforeAll(async () => {
  shop = await openOrdinaryShop();
});

afterAll(() => shop.close());

const bothStreams = [consignorStreamId(AVERY), consignorStreamId(BLAKE)];

/** Appends an event as the application does, with whatever postings: its hash and its streams are right. */
const forge: Decider<Pick<NewEvent, "type" | "schemaVersion" | "data" | "postings">, null> = {
  type: "Forge",
  streams: () => bothStreams,
  decide: (forged) => {
    const facts = { movements: [], happenedAt: "2024-06-01T00:00:00.000Z" };
    return accept([{ ...forged, ...facts, streams: bothStreams }], null);
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
  await shop.execute(forge, { type, schemaVersion, data, postings });
  expect(await lastProblem()).toMatchObject({
    check: "balances",
    message: expect.stringMatching(new RegExp(`^${type} says \\d+ cents from .+, but posts`, "u")),
  });
});

it("finds a payout request paid for by the old app where no migration counts it", async () => {
  const data = sayingAs("PayoutRequested", ofAvery);
  const postings = move(OPENING_BALANCES, payoutsAccount.of(AVERY), 2);
  const { type, schemaVersion } = PayoutRequested;
  await shop.execute(forge, { type, schemaVersion, data, postings });
  expect(await lastProblem()).toMatchObject({
    check: "balances",
    message: `payout ${payoutId} of ${AVERY} is paid for by the old app, but no migration before it counts it`,
  });
});

/** What verify says about the newest event. */
async function lastProblem() {
  const { sql } = shop.database;
  const books = { sql, events, streams, projections, checks: shopChecks, heads: [] };
  const { problems, position } = await verifyBooks({ ...books, withoutReplay: true });
  return problems.find(({ check, position: at }) => check === "balances" && at === position);
}
