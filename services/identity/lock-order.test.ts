// Whatever changes how a person signs in can run while the person is erased: neither fails because of the other.
import { afterAll, beforeAll, expect, test } from "vitest";
import { resetPassword, verifyEmail } from "#identity/email-proof.ts";
import { lockProfile } from "#identity/lock-order.ts";
import { createMailLink } from "#identity/mail-links.ts";
import { changePassword, linkPassword } from "#identity/own-account.ts";
import { makeRecoveryCodes } from "#identity/recovery-codes.ts";
import { createSecondSteps } from "#identity/second-steps.ts";
import { erasePerson } from "#identity/users.ts";
import { testDatabase, type TestDatabase } from "#testing/database/test-database.ts";

const now = new Date("2026-11-27T10:00:00.000Z");

let database: TestDatabase;
let count = 0;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database.close());

type Somebody = {
  readonly uid: string;
  readonly verifies: string;
  readonly resets: string;
};

async function somebody(hasPassword: boolean): Promise<Somebody> {
  const { sql } = database;
  const uid = `person-000000000000-${(count += 1) + 10}`;
  const email = `${uid}@people.test`;
  await sql`
    insert into identity.profiles (uid, email, email_verified_at, created_at)
    values (${uid}, ${email}, ${now}, ${now})`;
  if (hasPassword) {
    await sql`
      insert into identity.credentials (uid, email, password_hash, updated_at)
      values (${uid}, ${email}, 'old', ${now})`;
  }
  await sql.begin((transaction) => makeRecoveryCodes(transaction, now, uid));
  return {
    uid,
    verifies: await createMailLink(sql, now, "verify-email", uid, email),
    resets: await createMailLink(sql, now, "reset-password", uid, email),
  };
}

type Change = {
  readonly what: string;
  readonly hasPassword: boolean;
  readonly run: (person: Somebody) => Promise<unknown>;
};

const changes: readonly Change[] = [
  {
    what: "the password is reset",
    hasPassword: true,
    run: ({ resets }) => resetPassword(database.sql, now, resets, "new"),
  },
  {
    what: "the email is verified",
    hasPassword: true,
    run: ({ verifies }) => verifyEmail(database.sql, now, verifies),
  },
  {
    what: "the password is changed",
    hasPassword: true,
    run: ({ uid }) =>
      changePassword(database.sql, now, { uid, sessionId: null, oldHash: "old", newHash: "new" }),
  },
  {
    what: "a backup password is set",
    hasPassword: false,
    run: ({ uid }) => linkPassword(database.sql, now, uid, () => Promise.resolve("new")),
  },
  {
    what: "a sign-in comes to its second step",
    hasPassword: true,
    run: ({ uid }) =>
      createSecondSteps(database.sql, () => now).begin({ uid, epoch: 0, passwordHash: "old" }),
  },
  {
    what: "recovery codes are made",
    hasPassword: true,
    run: ({ uid }) => database.sql.begin((transaction) => makeRecoveryCodes(transaction, now, uid)),
  },
];

test.each(changes)("a person can be erased while $what", async ({ hasPassword, run }) => {
  const { sql } = database;
  const person = await somebody(hasPassword);
  const { uid } = person;
  const { change } = await sql.begin(async (transaction) => {
    // What the erasure does first, stopped until the change waits.
    await lockProfile(transaction, uid);
    const running = run(person).then(
      () => "done",
      (error: unknown) => String(error),
    );
    await expect
      .poll(
        () => sql`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      )
      .toHaveLength(1);
    await erasePerson(transaction, now, uid);
    return { change: running };
  });
  expect(await change).toBe("done");
  expect(await sql`select from identity.credentials where uid = ${uid}`).toHaveLength(0);
});
