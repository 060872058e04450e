// The pages of all screens with the store's name and logo, as its settings have them at this moment.
import type { Pages } from "#http/page.ts";
import type { ReadShopWindow } from "#http/shop-window.ts";

export type BrandedPagesDeps = {
  readonly shopWindow: ReadShopWindow;
  readonly pages: Pick<Pages, "at">;
};

/** Reads the settings for every page. */
export function createBrandedPages({ shopWindow, pages }: BrandedPagesDeps): Pages["at"] {
  return async (path) => {
    const { storeName, logo } = (await shopWindow()) ?? { storeName: null, logo: null };
    return pages.at(path, { storeName, logo });
  };
}
