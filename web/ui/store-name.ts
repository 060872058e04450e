// The store's name and logo for every screen, kept in the browser so that nothing flickers at the next visit.
import { useSyncExternalStore } from "react";
import * as z from "zod/mini";
import { localValue } from "#web/lib/local-store.ts";

/** The name of a store that has none yet. */
export const unnamedStore = "Consignment Ledger";

/** Both null until an admin says them. Only these two fields of GET /settings/public, so that the first screens stay light. */
export const storeBrand = z.object({
  storeName: z.nullable(z.string()),
  logo: z.nullable(z.string()),
});
export type StoreBrand = z.infer<typeof storeBrand>;

const remembered = localValue<StoreBrand>("storeBrand", storeBrand, {
  storeName: null,
  logo: null,
});

export function noteStoreBrand({ storeName, logo }: StoreBrand): void {
  const seen = remembered.read();
  if (seen.storeName !== storeName || seen.logo !== logo) {
    remembered.write({ storeName, logo });
  }
}

export function useStoreBrand(): StoreBrand {
  return useSyncExternalStore(remembered.subscribe, remembered.read, remembered.read);
}

export function useStoreName(): string {
  return useStoreBrand().storeName ?? unnamedStore;
}
