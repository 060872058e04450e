// The pages of all screens with the store's name and logo, as its settings have them at this moment.
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Brand, Pages } from "#http/page.ts";
import type { StoreFacts } from "#http/store-facts.ts";

export type BrandedPagesDeps = {
  readonly store: Pick<StoreFacts, "shopWindow">;
  readonly logger: Pick<Logger, "warn">;
  readonly pages: Pick<Pages, "at">;
  /** How long a page waits for the settings. */
  readonly patienceMs?: number;
};

/** Reads the settings for every page. Without them, or if they take long, a page has what was read last. */
export function createBrandedPages({
  store,
  logger,
  pages,
  patienceMs = 250,
}: BrandedPagesDeps): Pages["at"] {
  let brand: Brand = { storeName: null, logo: null };
  async function readBrand(): Promise<void> {
    try {
      const { storeName, logo } = await store.shopWindow();
      brand = { storeName, logo };
    } catch (error) {
      logger.warn({ err: error }, "a page is sent without the store's newest name");
    }
  }
  return async (path) => {
    await Promise.race([readBrand(), delay(patienceMs, undefined, { ref: false })]);
    return pages.at(path, brand);
  };
}
