// What can happen to a user that an admin might have to explain. No event contains a name, an address or a text.
import * as z from "zod/mini";
import { defineEvent } from "#ledger/event.ts";
import { uid, uuid } from "#ledger/fields.ts";

const role = z.enum(["user", "admin"]);

/** identity.user_changes has the text before and after; it may be erased. */
const changeId = uuid;

/** identity.notes has the reason; null without one. */
const noteId = z.nullable(uuid);

/** A username hashed with the store's secret; the stream that keeps the name unique is named after it. */
const reservation = z.string().check(z.regex(/^[\w-]{43}$/u));

/** A user became an admin, or is no longer one. */
export const UserRoleChanged = defineEvent(
  "UserRoleChanged",
  1,
  z.object({
    uid,
    before: role,
    after: role,
    /** `script`: made by an operator's script, or before the log kept roles. */
    cause: z.enum(["admin", "set-up-link", "script"]),
    noteId,
  }),
);

export const UsernameChanged = defineEvent(
  "UsernameChanged",
  1,
  z.object({
    uid,
    /** Null for a name from before the log kept names. */
    changeId: z.nullable(changeId),
    takes: reservation,
    /** Null for the first one. */
    frees: z.nullable(reservation),
    noteId,
  }),
);

/** The address for signing in and for mails changed. It is no longer verified. */
export const UserEmailChanged = defineEvent(
  "UserEmailChanged",
  1,
  z.object({ uid, changeId, noteId }),
);

/** The display name changed. */
export const UserRenamed = defineEvent("UserRenamed", 1, z.object({ uid, changeId, noteId }));

/** The person can no longer sign in, and personal data is erased. Final. */
export const UserDeactivated = defineEvent(
  "UserDeactivated",
  1,
  z.object({ uid, roleBefore: role, frees: z.nullable(reservation), noteId }),
);

/** Every event of this feature. */
export const userEvents = [
  UserRoleChanged,
  UsernameChanged,
  UserEmailChanged,
  UserRenamed,
  UserDeactivated,
] as const;
