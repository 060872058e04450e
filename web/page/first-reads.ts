// What a screen reads first, so that the page can ask for it before the app runs. The paths are those that the screens ask for.
import { paths } from "#web/paths.ts";

const readsOfEverybody: Readonly<Record<string, (uid: string) => readonly string[]>> = {
  [paths.dashboard]: (uid) => [
    `/accounts/${uid}/summary`,
    `/accounts/${uid}/balance-series?days=90`,
    `/inventory/search?consignor=${uid}&page=1&limit=50`,
    `/inventory/search/count?consignor=${uid}`,
  ],
};

const readsOfAdmins: Readonly<Record<string, readonly string[]>> = {
  [paths.admin]: [
    "/inventory/search?limit=50&page=1",
    "/inventory/search/count",
    "/inventory/search/count?preset=zero-stock",
    "/trades/fulfillments/count",
    "/payouts/pending?limit=1",
    "/shipments/admin/all?limit=1",
    "/proof",
  ],
  [paths.today]: ["/today"],
};

/**
 * Below /api, the most important first. An address with filters or an open drawer starts only with the profile. So does
 * an admin's screen if the last person here was not an admin: the calls would be refused, and noted in the security log.
 */
export function firstReads(
  { pathname, search }: Pick<Location, "pathname" | "search">,
  uid: string,
  wasAdmin: boolean,
): readonly string[] {
  const ofAdmins = wasAdmin ? readsOfAdmins[pathname] : undefined;
  const reads = readsOfEverybody[pathname]?.(uid) ?? ofAdmins ?? [];
  return ["/auth/me", ...(search === "" ? reads : [])];
}
