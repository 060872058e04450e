// A person whom an admin's call about sign-in names: somebody with a profile.
import type { Sql } from "#db/connect.ts";
import { notFound } from "#http/errors.ts";
import { findUser } from "#identity/users.ts";

/** Throws HttpError 404 `unknown_user`. */
export async function requireKnownUser(sql: Sql, uid: string): Promise<void> {
  if ((await findUser(sql, uid)) === undefined) {
    throw notFound("unknown_user", "There is no such user");
  }
}
