// Refuses new passwords that strangers would try first.
import type { Sql } from "#db/connect.ts";
import { refuse } from "#features/sign-in/refusal.ts";
import { isEasyToGuess } from "#identity/password-choice.ts";

/** Throws HttpError 400. `names` belong to the account: its email, username and name. */
export function refuseEasyPassword(
  password: string,
  names: readonly (string | null | undefined)[],
): void {
  if (isEasyToGuess(password, names)) {
    throw refuse("password_too_common", "password");
  }
}

/** The same for a person who has an account. */
export async function refuseEasyPasswordOf(sql: Sql, uid: string, password: string): Promise<void> {
  const [person] = await sql<{ names: (string | null)[] }[]>`
    select array[p.email, p.username, p.display_name, c.email] as names
    from identity.profiles p left join identity.credentials c on c.uid = p.uid
    where p.uid = ${uid}`;
  refuseEasyPassword(password, person?.names ?? []);
}
