// An event says only what its stream allows, and extends the streams of all that it moves: verify finds others, whoever appends them.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { events, projections, streams } from "./features.ts";
import { setBalance } from "#features/accounts/decider.ts";
import { BalanceSet } from "#features/accounts/events.ts";
import {
  availableAccount,
  consignorStreamId,
  payoutsAccount,
  STORE_ADJUSTMENTS,
} from "#features/accounts/streams.ts";
import { ItemCountAdjusted, ItemRestored } from "#features/inventory/events.ts";
import { ADJUSTED, itemHolding, itemStreamId, REMOVED } from "#features/inventory/streams.ts";
import { claimPayout } from "#features/payouts/decider-claim.ts";
import { correctPayoutHandle } from "#features/payouts/decider-handle.ts";
import { deletePayout, markPayoutPaid, requestPayout } from "#features/payouts/decider.ts";
import {
  PayoutClaimed,
  PayoutDeleted,
  PayoutPaid,
  PayoutRequested,
  PayoutReturned,
} from "#features/payouts/events.ts";
import { PAID_BY, payoutStreamId } from "#features/payouts/streams.ts";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import { SaleCorrected, SaleRefunded } from "#features/sales/events.ts";
import { correctionPostings, refundPostings } from "#features/sales/legs.ts";
import { customTerms, saleStreamId } from "#features/sales/streams.ts";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import type { NewEvent } from "#ledger/event.ts";
import { emit } from "#ledger/event.ts";
import { move, moveUnits } from "#ledger/posting.ts";
import type { Problem } from "#ledger/verify/problem.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { AVERY, BLAKE } from "#testing/shop/money-steps.ts";
import { openOrdinaryShop, shopChecks } from "#testing/shop/ordinary-shop.ts";

const happenedAt = "2026-11-27T10:00:00.000Z";
const inTenMinutes = "2026-11-27T10:10:00.000Z";
const hash = (digit: string) => digit.repeat(64);

/** Appends an event as the application does, whatever it says: its hash and its versions are right. */
const forge: Decider<NewEvent, null> = {
  type: "Forge",
  streams: (forged) => forged.streams,
  decide: (forged) => accept([forged], null),
};

let shop: MoneyShop;
/** What verify finds before and after the forged events. */
let before: readonly Problem[];
let problems: readonly Problem[];
/** The reason for each forged event, by its position. */
const expected = new Map<number, RegExp>();

async function head(): Promise<number> {
  const [row] = await shop.database.sql<{ position: number }[]>`
    select max(position) as position from log.events`;
  return row?.position ?? 0;
}

async function forged(event: NewEvent, reason: RegExp): Promise<void> {
  await shop.execute(forge, event);
  expected.set(await head(), reason);
}

/** A request of Avery's, by cashapp. */
async function requested(amountCents: number) {
  const named = { payoutId: randomUUID(), consignorId: AVERY };
  const handle = { method: "cashapp", handleId: randomUUID(), handleHash: hash("a") } as const;
  await shop.execute(requestPayout, { ...named, ...handle, amountCents, happenedAt });
  const streamsOf = [payoutStreamId(named.payoutId), consignorStreamId(AVERY)];
  return { named, handle, facts: { streams: streamsOf, happenedAt } };
}

const paidBy = (method: "cashapp" | "venmo", cents: number) =>
  move(payoutsAccount.of(AVERY), PAID_BY[method], cents);
const givenBack = (cents: number) =>
  move(payoutsAccount.of(AVERY), availableAccount.of(AVERY), cents);

async function truePayouts(): Promise<void> {
  const corrected = await requested(300);
  const handle = { method: "venmo", handleId: randomUUID(), handleHash: hash("b") } as const;
  await shop.execute(correctPayoutHandle, { ...corrected.named, ...handle, happenedAt });
  const claim = { ...corrected.named, adminUid: "boss-00000000000000001", happenedAt };
  await shop.execute(claimPayout, claim);
  // To the handle that counted before.
  const { handleId } = corrected.handle;
  const paid = { ...corrected.named, reference: null, handleId, happenedAt };
  await shop.execute(markPayoutPaid, paid);
  const { named } = await requested(400);
  const own = { ...named, actorUid: AVERY, by: "consignor", happenedAt } as const;
  await shop.execute(deletePayout, own);
}

async function forgePayouts(): Promise<void> {
  const less = await requested(10_500);
  await forged(
    emit(
      PayoutPaid,
      { ...less.named, ...less.handle, amountCents: 1, reference: null },
      { ...less.facts, postings: paidBy("cashapp", 1) },
    ),
    /amountCents 1 instead of 10500/u,
  );
  await forged(
    emit(
      PayoutReturned,
      { ...less.named, amountCents: 10_500, method: "venmo", noteId: randomUUID() },
      { ...less.facts, postings: move(PAID_BY.venmo, availableAccount.of(AVERY), 10_500) },
    ),
    /method "venmo" instead of "cashapp"/u,
  );
  const more = await requested(100);
  await forged(
    emit(
      PayoutDeleted,
      { ...more.named, amountCents: 40_000, method: "cashapp", by: "store" },
      { ...more.facts, postings: givenBack(40_000) },
    ),
    /amountCents 40000 instead of 100/u,
  );
  await forged(
    emit(
      PayoutPaid,
      { ...more.named, ...more.handle, amountCents: 100, reference: null },
      { ...more.facts, postings: paidBy("cashapp", 100) },
    ),
    /the request is deleted/u,
  );
  const other = await requested(100);
  await forged(
    emit(
      PayoutPaid,
      {
        ...other.named,
        ...other.handle,
        handleId: randomUUID(),
        amountCents: 100,
        reference: null,
      },
      { ...other.facts, postings: paidBy("cashapp", 100) },
    ),
    /the request never did/u,
  );
  const unbound = await requested(100);
  await forged(
    emit(
      PayoutPaid,
      {
        ...unbound.named,
        ...unbound.handle,
        handleHash: hash("c"),
        amountCents: 100,
        reference: null,
      },
      { ...unbound.facts, postings: paidBy("cashapp", 100) },
    ),
    /says handleHash "c+" instead of "a+"/u,
  );
  const claimed = await requested(100);
  await forged(
    emit(
      PayoutClaimed,
      {
        ...claimed.named,
        claimedBy: "boss-00000000000000001",
        claimedUntil: "2099-01-01T00:00:00.000Z",
      },
      claimed.facts,
    ),
    /claimed until 2099-01-01T00:00:00.000Z, more than 10 minutes/u,
  );
  await forged(
    emit(
      PayoutClaimed,
      { ...claimed.named, claimedBy: "thief-0000000000000001", claimedUntil: inTenMinutes },
      claimed.facts,
    ),
    /Somebody else is paying this request/u,
  );
  const missing = { payoutId: randomUUID(), consignorId: AVERY };
  await forged(
    emit(
      PayoutPaid,
      { ...missing, ...other.handle, amountCents: 100, reference: null },
      {
        streams: [payoutStreamId(missing.payoutId), consignorStreamId(AVERY)],
        happenedAt,
        postings: paidBy("cashapp", 100),
      },
    ),
    /there is no request/u,
  );
  const whose = await requested(100);
  await forged(
    emit(
      PayoutDeleted,
      { ...whose.named, consignorId: BLAKE, amountCents: 100, method: "cashapp", by: "store" },
      {
        streams: [payoutStreamId(whose.named.payoutId), consignorStreamId(BLAKE)],
        happenedAt,
        postings: move(payoutsAccount.of(BLAKE), availableAccount.of(BLAKE), 100),
      },
    ),
    new RegExp(`consignorId "${BLAKE}" instead of "${AVERY}"`, "u"),
  );
}

async function forgeRequest(): Promise<void> {
  const named = { payoutId: randomUUID(), consignorId: AVERY, amountCents: 9_000_000 };
  const handle = { method: "cashapp", handleId: randomUUID(), handleHash: hash("a") } as const;
  await forged(
    emit(
      PayoutRequested,
      { ...named, ...handle },
      {
        streams: [payoutStreamId(named.payoutId), consignorStreamId(AVERY)],
        happenedAt,
        postings: move(availableAccount.of(AVERY), payoutsAccount.of(AVERY), 9_000_000),
      },
    ),
    /it takes 9000000 cents, but \d+ are available/u,
  );
}

async function forgeSalesAndStock(): Promise<void> {
  const saleId = randomUUID();
  const sale = { saleId, consignorId: AVERY };
  await shop.execute(recordCustomSale, {
    ...sale,
    itemName: "Frame",
    amountCents: 500,
    happenedAt,
  });
  const facts = { streams: [saleStreamId(saleId), consignorStreamId(AVERY)], happenedAt };
  const parties = { kind: "custom", consignorId: AVERY } as const;
  const back = { priceCents: 501, salesTaxCents: 0, payoutCents: 501 };
  const said = { ...sale, itemId: null, rounding: "half_up", noteId: null } as const;
  await forged(
    emit(
      SaleRefunded,
      { ...said, ...back, itemName: "Frame", units: 1, restocked: false },
      { ...facts, postings: refundPostings(parties, back) },
    ),
    /priceCents 501, but only 500 can still be refunded/u,
  );
  const [before, after] = [customTerms("Frame", 1), customTerms("Frame", 60_000)];
  await forged(
    emit(
      SaleCorrected,
      { ...said, before, after },
      { ...facts, postings: correctionPostings(parties, before, after) },
    ),
    /says before .*"priceCents":1.* instead of .*"priceCents":500/u,
  );
  await forged(
    emit(
      BalanceSet,
      { uid: BLAKE, beforeCents: 1, afterCents: 2, noteId: null },
      {
        streams: [consignorStreamId(BLAKE)],
        happenedAt,
        postings: move(STORE_ADJUSTMENTS, availableAccount.of(BLAKE), 1),
      },
    ),
    /beforeCents 1 instead of/u,
  );
  const itemId = shop.itemOf(AVERY);
  const ofItem = { streams: [itemStreamId(itemId)], happenedAt };
  await forged(
    emit(
      ItemCountAdjusted,
      { itemId, ownerUid: AVERY, quantityBefore: 1, quantityAfter: 3, reason: "Counted" },
      { ...ofItem, movements: moveUnits(ADJUSTED, itemHolding.of(itemId), 2) },
    ),
    /quantityBefore 1 instead of/u,
  );
  const { after: details } = addedItem;
  await forged(
    emit(
      ItemRestored,
      { itemId, ownerUid: AVERY, after: details },
      { ...ofItem, movements: moveUnits(REMOVED, itemHolding.of(itemId), 7) },
    ),
    /the item is not deleted/u,
  );
}

const addedItem = {
  after: {
    itemName: "Desk lamp",
    listingTitle: "",
    barcode1: `B-${AVERY}`,
    barcode2: "",
    location: "",
    link: "",
    imageUrl: "",
    asin: "",
  },
};

/** Events that move money and units behind the back of those whose they are. */
async function forgeWithoutStreams(): Promise<void> {
  const payoutId = randomUUID();
  const handle = { method: "cashapp", handleId: randomUUID(), handleHash: hash("a") } as const;
  await forged(
    emit(
      PayoutRequested,
      { payoutId, consignorId: BLAKE, amountCents: 100, ...handle },
      {
        streams: [payoutStreamId(payoutId)],
        happenedAt,
        postings: move(availableAccount.of(BLAKE), payoutsAccount.of(BLAKE), 100),
      },
    ),
    new RegExp(
      `posts to ${availableAccount.of(BLAKE)}, but does not extend consignor-${BLAKE}`,
      "u",
    ),
  );
  const itemId = shop.itemOf(BLAKE);
  await forged(
    emit(
      ItemCountAdjusted,
      { itemId, ownerUid: BLAKE, quantityBefore: 0, quantityAfter: 3, reason: "Counted" },
      {
        streams: [itemStreamId(shop.itemOf(null))],
        happenedAt,
        movements: moveUnits(ADJUSTED, itemHolding.of(itemId), 3),
      },
    ),
    new RegExp(`moves units of item:${itemId}, but does not extend item-${itemId}`, "u"),
  );
}

beforeAll(async () => {
  shop = await openOrdinaryShop();
  const { sql } = shop.database;
  const rich = { uid: AVERY, balanceCents: 1_000_000, expectedCents: null, noteId: null };
  await shop.execute(setBalance, { ...rich, happenedAt });
  await truePayouts();
  const books = { sql, events, streams, projections, checks: shopChecks, heads: [] };
  ({ problems: before } = await verifyBooks({ ...books, withoutReplay: true }));
  await forgePayouts();
  await forgeSalesAndStock();
  await forgeWithoutStreams();
  await forgeRequest();
  ({ problems } = await verifyBooks({ ...books, withoutReplay: true }));
}, 120_000);

afterAll(() => shop.close());

it("names each event that does not follow from its stream, or does not extend it", () => {
  const missed = [...expected].filter(
    ([at, reason]) =>
      !problems.some(({ position, message }) => position === at && reason.test(message)),
  );
  expect({ missed, problems: missed.length > 0 ? problems : [] }).toEqual({
    missed: [],
    problems: [],
  });
});

it("names no other event", () => {
  expect(before).toEqual([]);
  const named = problems.filter(({ message }) => /does not (?:follow|extend)/u.test(message));
  expect(new Set(named.map(({ position }) => position))).toEqual(new Set(expected.keys()));
});
