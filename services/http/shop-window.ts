// What the pages show of the store: its settings at this moment, or as they were read last while the database does not answer.
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { ShopWindow, StoreFacts } from "#http/store-facts.ts";

export type VersionedShopWindow = ShopWindow & { readonly version: string };

/** Null until the settings could be read for the first time. It never throws. */
export type ReadShopWindow = () => Promise<VersionedShopWindow | null>;

export type ShopWindowDeps = {
  readonly store: Pick<StoreFacts, "shopWindow">;
  readonly logger: Pick<Logger, "warn">;
  /** How long a page waits for the settings. */
  readonly patienceMs?: number;
};

/** Reads the settings for every page, which opens without the database too. */
export function createReadShopWindow({
  store,
  logger,
  patienceMs = 250,
}: ShopWindowDeps): ReadShopWindow {
  let last: VersionedShopWindow | null = null;
  let begun = 0;
  let lastBegun = 0;
  async function read(): Promise<void> {
    begun += 1;
    const turn = begun;
    try {
      const found = await store.shopWindow();
      // A read that began earlier may end later, with older settings.
      if (turn > lastBegun) {
        last = found;
        lastBegun = turn;
      }
    } catch (error) {
      logger.warn({ err: error }, "a page is sent without the store's newest settings");
    }
  }
  return async () => {
    await Promise.race([read(), delay(patienceMs, undefined, { ref: false })]);
    return last;
  };
}
