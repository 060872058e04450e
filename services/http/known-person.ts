// Goods and money are for people with a profile: routes check this before they send a command about somebody.
import type { RouteDeps } from "#http/deps.ts";
import { HttpError } from "#http/errors.ts";

/** Who was found, by the store's profiles: sales of one consignor need not ask again. */
const found = new WeakMap<RouteDeps["profiles"], Set<string>>();
const MOST_FOUND = 20_000;

/**
 * Throws 404 `consignor_not_found` if nobody ever had this uid. Profiles are never removed, not even a deleted
 * person's, so this never changes the answer to a request that was accepted before, and who was found once is not looked
 * up again. The deciders check who was deleted.
 */
export async function requireProfile(
  { profiles }: Pick<RouteDeps, "profiles">,
  uid: string,
): Promise<void> {
  const known = found.get(profiles) ?? new Set<string>();
  found.set(profiles, known);
  if (known.has(uid)) {
    return;
  }
  if ((await profiles.find(uid)) === undefined) {
    throw new HttpError(404, "consignor_not_found", "There is no such consignor");
  }
  if (known.size >= MOST_FOUND) {
    known.clear();
  }
  known.add(uid);
}
