// Letters about who is an admin: to the other admins whenever it changes, and to an admin whose account is deleted.
import type { Context } from "hono";
import type { RouteDeps } from "#http/deps.ts";
import type { SignedInEnv } from "#http/env.ts";
import { letterParts, sendNotice } from "#http/send-letter.ts";
import { accountDeletedLetter, adminsChangedLetter } from "#identity/letters.ts";
import { nameOf } from "#identity/profiles.ts";
import type { UserProfile } from "#identity/users.ts";
import { findUser } from "#identity/users.ts";
import { ADMINS, adminsStream } from "#features/users/streams.ts";
import { readState } from "#ledger/log/read-state.ts";

type Deps = Pick<RouteDeps, "identity" | "readEvent" | "site" | "sql" | "store">;
type Call = Pick<Context<SignedInEnv>, "var">;

const SENTENCES = {
  made: (by: string, whom: string) => `${by} made ${whom} an admin.`,
  unmade: (by: string, whom: string) => `${by} made ${whom}, who was an admin, a consignor.`,
  deleted: (by: string, whom: string) => `${by} deleted the account of ${whom}, who was an admin.`,
} as const;

function shownAs(user: UserProfile): string {
  return nameOf(user.uid, { ...user, deactivatedAt: null });
}

/** Tells all admins but these two. What was done stays done even if no letter can be sent. */
export async function tellAdmins(
  c: Call,
  deps: Deps,
  user: UserProfile,
  what: keyof typeof SENTENCES,
): Promise<void> {
  const { person } = c.var;
  const { uids } = await readState(deps, adminsStream, ADMINS);
  const others = uids.filter((uid) => uid !== person.uid && uid !== user.uid);
  const [actor, ...admins] = await Promise.all(
    [person.uid, ...others].map((uid) => findUser(deps.sql, uid)),
  );
  const by = actor === undefined ? "An admin" : shownAs(actor);
  const sentence = SENTENCES[what](by, `${shownAs(user)} (${user.email ?? "no email"})`);
  const parts = letterParts(deps);
  await Promise.all(
    admins.map((admin) =>
      sendNotice(parts, c, admin?.email ?? null, (to, sender) =>
        adminsChangedLetter(to, sentence, sender),
      ),
    ),
  );
}

/** Tells an admin that another one deleted their account, at the address that they had. */
export async function tellDeleted(c: Call, deps: Deps, { email }: UserProfile): Promise<void> {
  await sendNotice(letterParts(deps), c, email, accountDeletedLetter);
}
