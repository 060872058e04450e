// Goods and money are for people with a profile: routes check this before they send a command about somebody.
import type { RouteDeps } from "#http/deps.ts";
import { HttpError } from "#http/errors.ts";

/**
 * Throws 404 `consignor_not_found` if nobody ever had this uid. Profiles are never removed, not even a deleted
 * person's, so this never changes the answer to a request that was accepted before. The deciders check who was
 * deleted.
 */
export async function requireProfile(
  { profiles }: Pick<RouteDeps, "profiles">,
  uid: string,
): Promise<void> {
  if (!(await profiles.exists(uid))) {
    throw new HttpError(404, "consignor_not_found", "There is no such consignor");
  }
}
