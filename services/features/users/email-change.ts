// What follows when an admin changes an email: a letter to the old address, or both addresses of another admin agree first.
import type { Context } from "hono";
import { randomUUID } from "node:crypto";
import type { RouteDeps } from "#http/deps.ts";
import type { SignedInEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import { letterParts, type LetterParts, sendLetter, sendNotice } from "#http/send-letter.ts";
import { askEmailChange, endEmailChange, takeEmailChange } from "#identity/email-changes.ts";
import type { EmailChange } from "#identity/email-changes.ts";
import {
  emailChangeLetter,
  emailReplacedLetter,
  nameChangedLetter,
  roleTakenLetter,
} from "#identity/letters.ts";
import { lockProfile } from "#identity/lock-order.ts";
import { endAllSessions } from "#identity/session-list.ts";
import type { UserProfile } from "#identity/users.ts";
import { findUser, isEmailTaken, writeTextChanges } from "#identity/users.ts";
import type { Letter } from "#mail/letter.ts";
import { fieldsOf, type StoredFact } from "#ledger/log/read-event.ts";
import { changeUser } from "#features/users/decider.ts";
import { UserRoleChanged } from "#features/users/events.ts";
import { userStreamId } from "#features/users/streams.ts";
import { refuse } from "#features/users/user-desk.ts";
import { DAY_MS } from "#ledger/day-text.ts";

type ChangeDeps = Pick<
  RouteDeps,
  "clock" | "identity" | "ledger" | "newId" | "readEvent" | "site" | "sql" | "store"
>;
type RequestLog = Pick<Context<SignedInEnv>, "var">;

const ADMIN_LATELY_MS = 30 * DAY_MS;

/**
 * Whether this is another admin, whose address and name must be hard to take over. One's own are changed like a
 * consignor's. Taking the role first does not make it easier for 30 days.
 */
export async function isAnotherAdmin(
  deps: Pick<ChangeDeps, "clock" | "readEvent" | "sql">,
  user: UserProfile,
  askedBy: string,
): Promise<boolean> {
  return user.uid !== askedBy && (user.role === "admin" || (await wasAdminLately(deps, user.uid)));
}

async function wasAdminLately(
  { clock, readEvent, sql }: Pick<ChangeDeps, "clock" | "readEvent" | "sql">,
  uid: string,
): Promise<boolean> {
  const from = new Date(clock().getTime() - ADMIN_LATELY_MS);
  const rows = await sql<StoredFact[]>`
    select e.type, e.schema_version, e.data
    from log.event_streams s join log.events e on e.position = s.position
    where s.stream_id = ${userStreamId(uid)} and e.type = ${UserRoleChanged.type}
      and e.happened_at >= ${from}`;
  return rows.some((row) => fieldsOf(readEvent(row))["before"] === "admin");
}

/** Tells somebody that another admin took their role. The role is taken even if no letter can be sent. */
export async function tellRoleTaken(
  c: RequestLog,
  deps: ChangeDeps,
  { email }: UserProfile,
): Promise<void> {
  await sendNotice(letterParts(deps), c, email, roleTakenLetter);
}

/** Before a change of this person: throws 503 `mail_unavailable`, so that nothing changes without the letter. */
async function tellFirst(
  c: RequestLog,
  deps: ChangeDeps,
  { email }: UserProfile,
  letterOf: typeof emailReplacedLetter,
): Promise<void> {
  if (email !== null) {
    const parts = letterParts(deps);
    await deliver(c, parts, letterOf(email, await parts.sender()));
  }
}

/** Tells the old address that another one replaces it. Throws 503 `mail_unavailable`. */
export function tellOldAddress(c: RequestLog, deps: ChangeDeps, user: UserProfile): Promise<void> {
  return tellFirst(c, deps, user, emailReplacedLetter);
}

/** Tells another admin that they are renamed. Throws 503 `mail_unavailable`. */
export function tellRenamed(c: RequestLog, deps: ChangeDeps, user: UserProfile): Promise<void> {
  return tellFirst(c, deps, user, nameChangedLetter);
}

/**
 * Writes to both addresses of another admin. The same request again asks nothing while the first one waits. Throws 503
 * `mail_unavailable`, and then nothing waits.
 */
export async function askBothAddresses(
  c: RequestLog,
  deps: ChangeDeps,
  user: UserProfile,
  newEmail: string,
): Promise<void> {
  const { sql, clock } = deps;
  const { uid, email: oldEmail } = user;
  const links = await askEmailChange(sql, clock(), {
    uid,
    email: newEmail,
    askedBy: c.var.person.uid,
    hasOldAddress: oldEmail !== null,
  });
  if (links === undefined) {
    return;
  }
  const { newToken, oldToken } = links;
  const parts = letterParts(deps);
  const sender = await parts.sender();
  try {
    await deliver(c, parts, emailChangeLetter({ to: newEmail, newEmail }, sender, newToken));
    if (oldEmail !== null && oldToken !== null) {
      await deliver(c, parts, emailChangeLetter({ to: oldEmail, newEmail }, sender, oldToken));
    }
  } catch (error) {
    await endEmailChange(sql, links);
    throw error;
  }
}

/**
 * Carries out a change that both addresses agreed to, by an event of the admin who asked: the new address is verified
 * by its letter, and all sessions end. Throws HttpError.
 */
export async function carryOut(deps: ChangeDeps, change: EmailChange): Promise<void> {
  const { sql, clock, ledger, newId } = deps;
  const { uid, email } = change;
  const asker = await findUser(sql, change.askedBy);
  if (asker?.role !== "admin" || asker.deactivated) {
    throw refuse("email_change_invalid");
  }
  if (await isEmailTaken(sql, email, uid)) {
    throw refuse("email_already_in_use");
  }
  const now = clock();
  const changeId = newId();
  const outcome = await ledger.execute(
    changeUser,
    {
      uid,
      role: null,
      username: null,
      emailChangeId: changeId,
      displayNameChangeId: null,
      noteId: null,
      happenedAt: now.toISOString(),
    },
    {
      actor: change.askedBy,
      scope: "system",
      key: `email-change:${change.id}:${randomUUID()}`,
      requestHash: "",
      inSameTransaction: async (transaction) => {
        await lockProfile(transaction, uid);
        if (!(await takeEmailChange(transaction, now, change))) {
          throw refuse("email_change_invalid");
        }
        await writeTextChanges(transaction, uid, [{ id: changeId, field: "email", after: email }]);
        await transaction`
          update identity.profiles set email_verified_at = ${now} where uid = ${uid}`;
        await endAllSessions(transaction, uid, now);
      },
    },
  );
  if (outcome.kind === "rejected") {
    const { status, code, message } = outcome.rejection;
    throw new HttpError(status, code, message);
  }
  if (outcome.kind !== "accepted") {
    throw refuse("email_change_contended");
  }
}

async function deliver(c: RequestLog, parts: LetterParts, letter: Letter): Promise<void> {
  if (!(await sendLetter(parts, c, letter))) {
    throw refuse("mail_unavailable");
  }
}
