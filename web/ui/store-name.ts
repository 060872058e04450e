// What the store is called and its logo, as every screen shows them: remembered, so that nothing flickers at the next visit.
import { useSyncExternalStore } from "react";
import * as z from "zod/mini";
import { localValue } from "#web/lib/local-store.ts";

/** What a store is called that nobody named. */
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
  return useSyncExternalStore(remembered.subscribe, remembered.read);
}

export function useStoreName(): string {
  return useStoreBrand().storeName ?? unnamedStore;
}
