// Verify names an event of a user, an old account or a till's day that does not follow from what was before, whoever appended it.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { consignorStreamId } from "#features/accounts/streams.ts";
import { migrateUser } from "#features/migration/decider.ts";
import { UserMigrated } from "#features/migration/events.ts";
import { legacyStreamId } from "#features/migration/streams.ts";
import { eraseUserAgain } from "#features/restores/decider.ts";
import { submitShipment } from "#features/shipments/decider.ts";
import { closeTillDay } from "#features/till/decider.ts";
import { TillDayClosed } from "#features/till/events.ts";
import { tillStreamId } from "#features/till/streams.ts";
import type { ChangeUser } from "#features/users/decider.ts";
import { changeUser, makeFirstAdmin } from "#features/users/decider.ts";
import { deactivateUser } from "#features/users/decider-deactivate.ts";
import {
  UserDeactivated,
  UsernameChanged,
  UserRenamed,
  UserRoleChanged,
} from "#features/users/events.ts";
import { ADMINS, usernameStreamId, userStreamId } from "#features/users/streams.ts";
import { emit } from "#ledger/event.ts";
import { saidAbout, wrongInLog } from "#testing/shop/forge.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { AVERY, BLAKE } from "#testing/shop/money-steps.ts";
import { submitting } from "#testing/shop/shipment-specs.ts";

const happenedAt = "2026-11-28T10:00:00.000Z";
const BOSS = "boss-00000000000000001";
const ERASED = "erased-000000000000001";
const LEFT = "left-00000000000000001";
const [taken, free, other] = ["t".repeat(43), "f".repeat(43), "o".repeat(43)];
const legacyId = randomUUID();

let shop: MoneyShop;

const kept = { role: null, username: null, emailChangeId: null, displayNameChangeId: null };

const change = (uid: string, given: Partial<ChangeUser>) =>
  shop.execute(changeUser, { uid, ...kept, noteId: null, happenedAt, ...given });

const leave = (uid: string) =>
  shop.execute(deactivateUser, { uid, itemIds: [], noteId: null, happenedAt });

const counted = {
  day: "2026-11-27",
  from: "2026-11-27T00:00:00.000Z",
  to: "2026-11-28T00:00:00.000Z",
  throughPosition: 0,
  payments: [],
  openingCents: 100,
  paidInCents: 0,
  paidOutCents: 0,
  countedCents: 100,
  leftCents: 100,
  noteId: null,
};

beforeAll(async () => {
  shop = await openMoneyShop();
  await shop.execute(makeFirstAdmin, { uid: BOSS, cause: "script", timeZone: null, happenedAt });
  await change(AVERY, { role: "admin", displayNameChangeId: randomUUID() });
  await change(AVERY, { role: "user", emailChangeId: randomUUID() });
  for (const reservation of [free, taken]) {
    await change(AVERY, { username: { reservation, changeId: randomUUID() } });
  }
  await change(LEFT, { role: "admin", username: { reservation: free, changeId: null } });
  await leave(LEFT);
  const nothing = { balanceCents: 0, items: [], sales: [], paid: [], pending: [] };
  await shop.execute(migrateUser, { uid: BLAKE, legacyId, ...nothing, happenedAt });
  const unchecked = { seenExpectedCents: null, expectedVersion: null };
  await shop.execute(closeTillDay, { ...counted, ...unchecked, happenedAt });
  const box = submitting({ shipmentId: randomUUID(), consignorId: AVERY, happenedAt });
  await shop.execute(submitShipment, box);
  // After a restore: who was deleted since the back-up had no box on its way then.
  const lost = submitting({ shipmentId: randomUUID(), consignorId: ERASED, happenedAt });
  await shop.execute(submitShipment, lost);
  await shop.execute(eraseUserAgain, { uid: ERASED, happenedAt });
  await shop.runner.catchUp();
});

afterAll(() => shop.close());

type Role = "user" | "admin";

function roleOf(uid: string, before: Role, after: Role, cause: "admin" | "set-up-link" = "admin") {
  return emit(
    UserRoleChanged,
    { uid, before, after, cause, noteId: null },
    { streams: [userStreamId(uid), ADMINS], happenedAt },
  );
}

function nameOf(uid: string, takes: string, frees: string | null) {
  const names = frees === null ? [takes] : [takes, frees];
  return emit(
    UsernameChanged,
    { uid, changeId: null, takes, frees, noteId: null },
    { streams: [userStreamId(uid), ...names.map(usernameStreamId)], happenedAt },
  );
}

function left(uid: string, roleBefore: Role, frees: string | null) {
  const streams = [
    userStreamId(uid),
    ...(roleBefore === "admin" ? [ADMINS] : []),
    ...(frees === null ? [] : [usernameStreamId(frees)]),
  ];
  return emit(UserDeactivated, { uid, roleBefore, frees, noteId: null }, { streams, happenedAt });
}

function migrated(uid: string, given: string) {
  const counts = { items: 0, sales: 0, paidPayouts: 0, pendingPayouts: 0 };
  return emit(
    UserMigrated,
    { uid, legacyId: given, openingCents: 0, ...counts },
    { streams: [userStreamId(uid), legacyStreamId(given), consignorStreamId(uid)], happenedAt },
  );
}

const saysOf = (reason: string) => [expect.stringContaining(reason)];

it("finds nothing wrong with what deciders wrote", async () => {
  expect(await wrongInLog(shop)).toEqual([]);
});

it("names an admin who is made by a used set-up link, twice, or after the account was deleted, and a last admin who goes", async () => {
  const found = await saidAbout(shop, [
    roleOf(BOSS, "admin", "user"),
    roleOf(LEFT, "user", "admin"),
    roleOf(BLAKE, "user", "admin", "set-up-link"),
    roleOf(BLAKE, "user", "admin"),
  ]);
  expect(found).toEqual([
    saysOf("There must be an admin left"),
    saysOf("does not follow from user-left-00000000000000001 before it: This user was deleted"),
    saysOf("there is an admin already"),
    saysOf('it says before "user" instead of "admin"'),
  ]);
});

it("names a username that is somebody else's, and one given up that the person does not have", async () => {
  const found = await saidAbout(shop, [nameOf(BOSS, taken, null), nameOf(AVERY, free, other)]);
  expect(found).toEqual([
    saysOf("somebody else has this username"),
    saysOf(`it says frees "${other}" instead of "${taken}"`),
  ]);
});

it("names an account that is deleted twice, renamed afterwards, or deleted with another username or role than it had", async () => {
  const renamed = { uid: LEFT, changeId: randomUUID(), noteId: null };
  const found = await saidAbout(shop, [
    left(LEFT, "admin", null),
    emit(UserRenamed, renamed, { streams: [userStreamId(LEFT)], happenedAt }),
    left(AVERY, "user", other),
    left(BLAKE, "user", null),
  ]);
  expect(found).toEqual([
    saysOf("This user was deleted"),
    saysOf("This user was deleted"),
    saysOf("it says frees"),
    saysOf('it says roleBefore "user" instead of "admin"'),
  ]);
});

it("names an old account that is given to a second person, or to somebody who has left", async () => {
  const found = await saidAbout(shop, [migrated(BOSS, legacyId), migrated(LEFT, randomUUID())]);
  expect(found).toEqual([
    saysOf(`the old account was given to ${BLAKE} before`),
    saysOf("This user was deleted"),
  ]);
});

it("names a day of the till that leaves more than was counted, or is in another day's stream", async () => {
  const data = { ...counted, day: "2026-11-26", expectedCents: 100 };
  const found = await saidAbout(shop, [
    emit(
      TillDayClosed,
      { ...data, leftCents: 900 },
      { streams: [tillStreamId(data.day)], happenedAt },
    ),
    emit(TillDayClosed, data, { streams: [tillStreamId("2026-11-25")], happenedAt }),
  ]);
  expect(found[0]).toContainEqual(expect.stringContaining("Only $1.00 was counted"));
  expect(found[1]).toContainEqual(
    `TillDayClosed does not follow from till-${data.day} before it: it does not extend it`,
  );
});
