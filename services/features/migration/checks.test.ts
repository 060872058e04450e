// Verify names old accounts that wait for ever, because their migration was answered without being booked.
import { afterAll, beforeAll, expect, test } from "vitest";
import { events, projections, streams } from "../../features.ts";
import { migrationChecks } from "#features/migration/checks.ts";
import { migrateUser } from "#features/migration/decider.ts";
import { readLegacyFile } from "#features/migration/legacy-file.ts";
import { stageLegacy } from "#features/migration/legacy-staging.ts";
import { createReservationKeys } from "#identity/reservation-keys.ts";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { endAccount } from "#testing/shop/people.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";

let shop: TestApp;
let boss: TestPerson;

beforeAll(async () => {
  shop = await openTestApp();
  boss = await shop.person("Boss", "admin");
});

afterAll(() => shop.close());

/** An old account with $3 that waits for this person. */
async function waitsFor({ uid, email }: TestPerson): Promise<string> {
  const { sql, clock } = shop.deps;
  await sql`update identity.profiles set email_verified_at = now() where uid = ${uid}`;
  const accounts = readLegacyFile(JSON.stringify({ users: [{ email, balance: 3 }] }), clock());
  await stageLegacy({ sql, clock, keys: createReservationKeys(sql) }, accounts);
  const [row] = await sql<{ id: string }[]>`
    select id::text from identity.legacy_users where lower(email) = lower(${email})`;
  return row?.id ?? "";
}

/** Of the checks of migration alone, without its rule of postings, which needs those of all features. */
async function problems() {
  await shop.runner.catchUp();
  const { sql } = shop.database;
  const checks = migrationChecks.filter((check) => !("ways" in check));
  const books = { sql, events, streams, projections, checks, heads: [] };
  return (await verifyBooks({ ...books, withoutReplay: true })).problems;
}

const migrate = ({ uid }: TestPerson) =>
  shop.call("POST", `/api/auth/users/${uid}/migrate`, { as: boss, body: {} });

/** Answers as a migration does, and books nothing. */
const answerOnly: Decider<{ readonly legacyId: string }, object> = {
  type: migrateUser.type,
  streams: () => [],
  decide: ({ legacyId }) => accept([], { legacyId, alreadyDone: true }),
};

test("an old account whose migration was answered without an event is found by verify", async () => {
  const avery = await shop.person("Avery");
  const legacyId = await waitsFor(avery);
  const key = `migrate:${legacyId}:${avery.uid}`;
  const context = { actor: boss.uid, scope: "store", key, requestHash: "" };
  await shop.deps.ledger.execute(answerOnly, { legacyId }, context);
  expect(await migrate(avery)).toMatchObject({ body: { message: "Was migrated before" } });
  expect(await problems()).toEqual([
    {
      check: "users",
      position: expect.any(Number),
      message: `the old account ${legacyId} still waits: its migration to ${avery.uid} was answered under ${key}, but nothing was booked`,
    },
  ]);
  await shop.database.ownerSql`delete from log.command_keys where key = ${key}`;
});

test("one that was migrated, and one that was refused to a deleted person, are right", async () => {
  const blake = await shop.person("Blake");
  await waitsFor(blake);
  expect(await migrate(blake)).toMatchObject({ body: { status: "migrated" } });
  const gone = await shop.person("Gone");
  const legacyId = await waitsFor(gone);
  await endAccount(shop.deps, gone.uid);
  const { ledger, clock } = shop.deps;
  const nothing = { items: [], sales: [], paid: [], pending: [] };
  const happenedAt = clock().toISOString();
  const command = { uid: gone.uid, legacyId, balanceCents: 300, ...nothing, happenedAt };
  const key = `migrate:${legacyId}:${gone.uid}`;
  const refused = await ledger.execute(migrateUser, command, {
    actor: boss.uid,
    scope: "store",
    key,
    requestHash: "",
  });
  expect(refused.kind).toBe("rejected");
  expect(await problems()).toEqual([]);
});
