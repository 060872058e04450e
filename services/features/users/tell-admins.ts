// Letters about who is an admin: to the other admins whenever it changes, and to an admin whose account is deleted.
import type { Context } from "hono";
import type { RouteDeps } from "#http/deps.ts";
import type { SignedInEnv } from "#http/env.ts";
import { letterParts, sendNotice } from "#http/send-letter.ts";
import { accountDeletedLetter, adminsChangedLetter } from "#identity/letters.ts";
import { nameOf } from "#identity/profiles.ts";
import type { UserProfile } from "#identity/users.ts";
import { findUser } from "#identity/users.ts";
import { ADMINS } from "#features/users/streams.ts";

type Deps = Pick<RouteDeps, "identity" | "site" | "sql" | "store">;
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
  const others = await deps.sql<{ email: string }[]>`
    select p.email from log.streams s
    cross join lateral jsonb_array_elements_text(s.state -> 'uids') a (uid)
    join identity.profiles p on p.uid = a.uid
    where s.id = ${ADMINS} and p.email is not null and p.uid <> all (${[person.uid, user.uid]}::text[])
    order by p.uid`;
  const actor = await findUser(deps.sql, person.uid);
  const by = actor === undefined ? "An admin" : shownAs(actor);
  const sentence = SENTENCES[what](by, `${shownAs(user)} (${user.email ?? "no email"})`);
  const parts = letterParts(deps);
  await Promise.all(
    others.map(({ email }) =>
      sendNotice(parts, c, email, (to, sender) => adminsChangedLetter(to, sentence, sender)),
    ),
  );
}

/** Tells an admin that another one deleted their account, at the address that they had. */
export async function tellDeleted(c: Call, deps: Deps, { email }: UserProfile): Promise<void> {
  await sendNotice(letterParts(deps), c, email, accountDeletedLetter);
}
