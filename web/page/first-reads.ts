// What a screen reads first, so that the page can ask for it before the app runs. The paths are those that the screens ask for.
import { paths } from "#web/paths.ts";

const firstReadsOf: Readonly<Record<string, (uid: string) => readonly string[]>> = {
  [paths.dashboard]: (uid) => [
    `/accounts/${uid}/summary`,
    `/accounts/${uid}/balance-series?days=90`,
    `/inventory/search?consignor=${uid}&page=1&limit=50`,
    `/inventory/search/count?consignor=${uid}`,
  ],
  [paths.admin]: () => [
    "/inventory/search?limit=50&page=1",
    "/inventory/search/count",
    "/inventory/search/count?preset=zero-stock",
    "/trades/fulfillments/count",
    "/payouts/pending?limit=1",
    "/shipments/admin/all?limit=1",
    "/proof",
  ],
  [paths.today]: () => ["/today"],
};

/** Below /api, the most important first. An address with filters or an open drawer starts only with the profile. */
export function firstReads(path: string, search: string, uid: string): readonly string[] {
  return ["/auth/me", ...(search === "" ? (firstReadsOf[path]?.(uid) ?? []) : [])];
}
