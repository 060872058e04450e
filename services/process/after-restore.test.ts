// A restored store honours no session and no link of the back-up: they may have been ended or used since.
import { afterAll, beforeAll, expect, test } from "vitest";
import { askEmailChange, findEmailChange } from "#identity/email-changes.ts";
import {
  createInvited,
  findByInvitationLink,
  findInvitation,
  inviteAgain,
} from "#identity/invitations.ts";
import { createMailLink, findMailLink } from "#identity/mail-links.ts";
import { createEntrance } from "#identity/provider-people.ts";
import { defaultSessionLimits } from "#identity/session-life.ts";
import { createSessions } from "#identity/sessions.ts";
import { followRestore } from "#process/after-restore.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";

const now = new Date("2026-11-27T12:00:00.000Z");
const later = new Date("2026-11-27T13:00:00.000Z");
const uid = "avery-avery-avery-avery";
const email = "avery@people.test";

let store: TestDatabase;

beforeAll(async () => {
  store = await readableDatabase();
  await store.sql`
    insert into identity.profiles (uid, email, created_at) values (${uid}, ${email}, ${now})`;
});

afterAll(() => store.close());

test("after a restore, everybody signs in again, no mailed link works, and an open invitation waits for a new letter", async () => {
  const { sql, appUrl, ownerUrl } = store;
  const sessions = createSessions(sql, () => now, defaultSessionLimits);
  const session = await sessions.start({ uid, epoch: 0 });
  const reset = await createMailLink(sql, now, "reset-password", uid, email);
  await askEmailChange(sql, now, {
    uid,
    email: "new@people.test",
    askedBy: uid,
    hasOldAddress: true,
  });
  const ida = { email: "ida@people.test", invitedBy: uid, displayName: null };
  const { uid: invited } = await createInvited(sql, now, ida);
  const invitation = await createMailLink(sql, now, "invitation", invited, ida.email);

  await followRestore({
    appUrl,
    ownerUrl,
    restored: {
      position: 0,
      backedUpAt: now.toISOString(),
      heads: { compared: 0, lostThrough: null },
      secrets: { sealed: 0, lost: [] },
    },
    erased: { signed: [], unsigned: [] },
    trustsUnsigned: false,
    clock: () => later,
  });

  expect(await sessions.refresh(session?.refreshToken ?? "")).toBeUndefined();
  expect(await sessions.start({ uid, epoch: 0 })).toBeUndefined();
  expect(await sql`select sessions_ended_at from identity.profiles where uid = ${uid}`).toEqual([
    { sessions_ended_at: later },
  ]);
  expect(await findMailLink(sql, now, "reset-password", reset)).toBeUndefined();
  expect(await findEmailChange(sql, now, uid)).toBeUndefined();
  expect(await findByInvitationLink(sql, now, invitation)).toBeUndefined();
  expect(await findInvitation(sql, later, invited)).toMatchObject({
    uid: invited,
    expiresAt: null,
    mayBeRevoked: true,
  });

  // It may have been revoked after the back-up, so the address alone does not open it, and becomes no second account.
  const ofGoogle = {
    issuer: "https://accounts.google.test",
    subject: "ida",
    email: ida.email,
    emailVerified: true,
    displayName: "Ida",
  };
  const enter = createEntrance(sql, () => later);
  expect(await enter(ofGoogle)).toEqual({ kind: "invitation-ended", uid: invited });
  expect(await inviteAgain(sql, later, invited, ida)).toBe("invited");
  expect(await findInvitation(sql, later, invited)).toMatchObject({ mayBeRevoked: false });
  expect(await enter(ofGoogle)).toMatchObject({ kind: "entered", uid: invited });
});
