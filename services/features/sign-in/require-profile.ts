// A person whom an admin's call about sign-in names: somebody with a profile.
import type { Sql } from "#db/connect.ts";
import { notFound } from "#http/errors.ts";

/** Throws HttpError 404 `unknown_user`. */
export async function requireProfile(sql: Sql, uid: string): Promise<void> {
  const known = await sql`select from identity.profiles where uid = ${uid}`;
  if (known.count === 0) {
    throw notFound("unknown_user", "There is no such user");
  }
}
