// An event says something about each stream that it extends, and extends all that must agree: verify names others.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { events, projections, streams } from "./features.ts";
import { setBalance } from "#features/accounts/decider.ts";
import { availableAccount, consignorStreamId, payoutsAccount } from "#features/accounts/streams.ts";
import { AlertRaised } from "#features/alerts/events.ts";
import { ALERTS, alertStreamId } from "#features/alerts/streams.ts";
import { PayoutsHeld, PayoutsReleased } from "#features/holds/events.ts";
import { HOLDS, holdStreamId } from "#features/holds/streams.ts";
import { operationsEvents } from "#features/operations/events.ts";
import { OPERATIONS } from "#features/operations/streams.ts";
import { requestPayout } from "#features/payouts/decider.ts";
import { PayoutRequested } from "#features/payouts/events.ts";
import { payoutStreamId } from "#features/payouts/streams.ts";
import { StoreTimeZoneChanged } from "#features/settings/events.ts";
import { UserRenamed, UserRoleChanged } from "#features/users/events.ts";
import { ADMINS, userStreamId } from "#features/users/streams.ts";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import type { NewEvent } from "#ledger/event.ts";
import { emit } from "#ledger/event.ts";
import { move } from "#ledger/posting.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { AVERY, BLAKE } from "#testing/shop/money-steps.ts";
import { openOrdinaryShop, shopChecks } from "#testing/shop/ordinary-shop.ts";

const happenedAt = "2026-11-28T10:00:00.000Z";
const fixtures = join(import.meta.dirname, "features/operations/fixtures");
const handle = { method: "cashapp", handleHash: "a".repeat(64) } as const;

/** Appends an event as the application does, whatever it says. */
const forge: Decider<NewEvent, null> = {
  type: "Forge",
  streams: (forged) => forged.streams,
  decide: (forged) => accept([forged], null),
};

let shop: MoneyShop;

beforeAll(async () => {
  shop = await openOrdinaryShop();
});

afterAll(() => shop.close());

/** What verify says of the newest event. */
async function foundOf(event: NewEvent): Promise<readonly string[]> {
  await shop.execute(forge, event);
  const { sql } = shop.database;
  const books = { sql, events, streams, projections, checks: shopChecks, heads: [] };
  const { problems, position } = await verifyBooks({ ...books, withoutReplay: true });
  return problems
    .filter((problem) => problem.check === "streams" && problem.position === position)
    .map(({ message }) => message);
}

function roleOf(uid: string, ...extended: readonly string[]): NewEvent {
  const data = { uid, before: "user", after: "admin", cause: "script", noteId: null } as const;
  return emit(UserRoleChanged, data, { streams: extended, happenedAt });
}

const hold = {
  uid: AVERY,
  reference: "hold:balances:1:a:5",
  cause: "row",
  projection: "balances",
  rowKey: AVERY,
  atPosition: 5,
} as const;

it("names a payout request that also extends the stream of another request", async () => {
  const rich = { uid: BLAKE, balanceCents: 50_000, expectedCents: null, noteId: null };
  await shop.execute(setBalance, { ...rich, happenedAt });
  const [first, second] = [randomUUID(), randomUUID()];
  const request = { consignorId: BLAKE, ...handle, handleId: randomUUID() };
  await shop.execute(requestPayout, {
    ...request,
    payoutId: first,
    amountCents: 100,
    happenedAt,
  });
  const event = emit(
    PayoutRequested,
    { ...request, payoutId: second, amountCents: 200 },
    {
      streams: [payoutStreamId(second), consignorStreamId(BLAKE), payoutStreamId(first)],
      happenedAt,
      postings: move(availableAccount.of(BLAKE), payoutsAccount.of(BLAKE), 200),
    },
  );
  expect(await foundOf(event)).toEqual([
    `PayoutRequested extends ${payoutStreamId(first)}, but says nothing about it`,
  ]);
});

it("names a change of a role in the stream of somebody else", async () => {
  expect(await foundOf(roleOf(BLAKE, userStreamId(AVERY)))).toEqual([
    `UserRoleChanged does not extend ${userStreamId(BLAKE)}`,
    `UserRoleChanged does not extend ${ADMINS}`,
    `UserRoleChanged extends ${userStreamId(AVERY)}, but says nothing about it`,
  ]);
});

it("names a new admin whom the list of all admins lacks", async () => {
  expect(await foundOf(roleOf(AVERY, userStreamId(AVERY)))).toEqual([
    `UserRoleChanged does not extend ${ADMINS}`,
  ]);
});

it("names a hold that only the list has, and a release that only the person has", async () => {
  expect(await foundOf(emit(PayoutsHeld, hold, { streams: [HOLDS], happenedAt }))).toEqual([
    `PayoutsHeld does not extend ${holdStreamId(AVERY)}`,
  ]);
  const named = { uid: AVERY, reference: hold.reference };
  const released = emit(PayoutsReleased, named, { streams: [holdStreamId(AVERY)], happenedAt });
  expect(await foundOf(released)).toEqual([`PayoutsReleased does not extend ${HOLDS}`]);
});

it("names an alert that nobody sees, because the list lacks it", async () => {
  const key = "held:balances";
  const raised = emit(
    AlertRaised,
    { key, episode: 1, kind: "held", subject: "balances", rowKey: null, count: 1, atPosition: 5 },
    { streams: [alertStreamId(key)], happenedAt },
  );
  expect(await foundOf(raised)).toEqual([`AlertRaised does not extend ${ALERTS}`]);
});

it("finds nothing wrong with what operators do to tables, rows and jobs", async () => {
  const done = { streams: [OPERATIONS], happenedAt };
  for (const { type, schemaVersion, schema } of operationsEvents) {
    const path = join(fixtures, `${type}.v${schemaVersion}.json`);
    const data = schema.parse(JSON.parse(readFileSync(path, "utf8")));
    const event = { type, schemaVersion, data, postings: [], movements: [], ...done };
    expect([type, await foundOf(event)]).toEqual([type, []]);
  }
});

/** The streams of which there is one. */
const only = [...streams.values()].flatMap(({ onlyId = [] }) => onlyId);

it.each([...only, holdStreamId(null)])(
  "names an event about something else in %s, of which there is one",
  async (streamId) => {
    const renamed = { uid: AVERY, changeId: randomUUID(), noteId: null };
    const event = emit(UserRenamed, renamed, {
      streams: [userStreamId(AVERY), streamId],
      happenedAt,
    });
    expect(await foundOf(event)).toEqual([
      `UserRenamed extends ${streamId}, but says nothing about it`,
    ]);
  },
);

it("finds that every stream of which there is one says what extends it", () => {
  const single = [...streams.values()].filter(({ onlyId }) => onlyId !== undefined);
  expect(single.length).toBeGreaterThan(8);
  expect(single.filter(({ extendedBy }) => extendedBy === undefined)).toEqual([]);
});

it("names a second stream of a kind of which there is one", async () => {
  const moved = { before: null, after: "Europe/Berlin" };
  const event = emit(StoreTimeZoneChanged, moved, { streams: ["store-other"], happenedAt });
  expect(await foundOf(event)).toEqual([
    "StoreTimeZoneChanged extends store-other, but says nothing about it",
  ]);
});
