// The manifest of the installed app: what the build wrote, with the store's name.
import { z } from "zod";
import type { ReadShopWindow } from "#http/shop-window.ts";
import { describeFile, type WebFile } from "#http/web-build.ts";

export const MANIFEST = "/manifest.webmanifest";

/** What a launcher shows below an icon; it cuts longer names where it likes. */
const LONGEST_SHORT_NAME = 12;

/** The first words that fit, or the whole name if its first word is too long already. */
export function shortNameOf(name: string): string {
  const fitting = name
    .split(/\s+/u)
    .map((_, index, words) => words.slice(0, index + 1).join(" "))
    .filter((start) => start.length <= LONGEST_SHORT_NAME);
  // "Attic &" for "Attic & Sons Trading"
  return (fitting.at(-1) ?? name).replace(/[\s&,–-]+$/u, "");
}

const members = z.looseObject({ name: z.string(), short_name: z.string() });

/** The same file with another name. A store without a name keeps the product's. */
export function namedManifest(built: WebFile, storeName: string | null): WebFile {
  if (storeName === null) {
    return built;
  }
  const manifest = members.parse(JSON.parse(new TextDecoder().decode(built.plain)));
  const named = { ...manifest, name: storeName, short_name: shortNameOf(storeName) };
  return describeFile(MANIFEST, new TextEncoder().encode(JSON.stringify(named)), undefined);
}

export type AppManifestDeps = {
  readonly shopWindow: ReadShopWindow;
  /** Undefined without a build. */
  readonly built: WebFile | undefined;
};

/** Reads the name for every request: browsers ask for it rarely. A browser that found no manifest could not install the app. */
export function createAppManifest({ shopWindow, built }: AppManifestDeps) {
  return async (): Promise<WebFile | undefined> =>
    built === undefined ? undefined : namedManifest(built, (await shopWindow())?.storeName ?? null);
}
