// Puts a page together for an address: the build's template, the list of the screen's scripts, and the shells it may show first.
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { z } from "zod";
import { escaped, homeHtml, type DrawHome } from "#http/home-page.ts";
import type { ShopWindow } from "#http/store-facts.ts";
import type { WebFile } from "#http/web-build.ts";

const compress = promisify(brotliCompress);

/** The best that does not take longer than the page's way to the browser. */
const QUALITY = 10;

/** What the build writes next to the template, in `web/build/served-page.ts`. */
const pageParts = z.object({
  /** Hashes of the inline scripts and styles, for the content security policy. */
  scripts: z.array(z.string()),
  styles: z.array(z.string()),
  /** By the address of a screen, as `/consignors/:uid/history`. */
  screens: z.record(
    z.string(),
    z.object({
      /** Its scripts, beyond those that every page loads. */
      scripts: z.array(z.string()),
      /** Which of `shells` its page may show until the app runs. */
      shells: z.array(z.string()),
    }),
  ),
  /** HTML by its name. */
  shells: z.record(z.string(), z.string()),
});
type PageParts = z.infer<typeof pageParts>;

/** What every screen shows of the store. */
export type Brand = Pick<ShopWindow, "storeName" | "logo">;

export type Pages = {
  /** Says whose store it is, so that a first visit does not begin with another name. Undefined without a build. */
  readonly at: (path: string, brand?: Brand) => Promise<WebFile | undefined>;
  /** The home page with these texts, at this address of the store. */
  readonly home: (texts: ShopWindow, url: string) => Promise<WebFile | undefined>;
  /** What the content security policy allows inline. */
  readonly inline: Readonly<Record<"scripts" | "styles", readonly string[]>>;
};

export const noPages: Pages = {
  at: () => Promise.resolve(undefined),
  home: () => Promise.resolve(undefined),
  inline: { scripts: [], styles: [] },
};

/** The till keeps this page for when the server cannot be reached. */
const keptPage: Readonly<Record<string, string>> = { "/index.html": "/pos" };

/** What the build wrote. */
export type BuiltPage = {
  readonly template: string;
  /** JSON. */
  readonly parts: string;
  /** Undefined in a build without a home page. */
  readonly drawHome: DrawHome | undefined;
};

/** Another page would be drawn again when letters of the right typeface arrive, and lines could move. */
const withCalmLetters = (html: string): string =>
  html.replaceAll("font-display:swap", "font-display:optional");

/** Pages name the build by its `id`. Throws if the parts are not what this version writes. */
export function createPages(built: BuiltPage, id: string): Pages {
  const template = built.template.replace("<html", `<html data-build="${id}"`);
  const parts = pageParts.parse(JSON.parse(built.parts));
  const patterns = Object.keys(parts.screens).map((address) => ({
    address,
    pattern: new RegExp(`^${address.replaceAll(/:\w+/g, "[^/]+")}$`),
  }));
  /** One page for each screen, and one for every other address, with the brand that it was last made for. */
  const made = new Map<string, Brand & { readonly page: Promise<WebFile> }>();
  return {
    inline: parts,
    async at(path, brand = { storeName: null, logo: null }) {
      const asked = keptPage[path] ?? path;
      const address = patterns.find(({ pattern }) => pattern.test(asked))?.address ?? "";
      const known = made.get(address);
      if (known?.storeName === brand.storeName && known.logo === brand.logo) {
        return known.page;
      }
      const page = pageFile(brandedHtml(pageHtml(template, parts, address), brand));
      made.set(address, { ...brand, page });
      return page;
    },
    async home(texts, url) {
      const page = pageHtml(template, parts, "/");
      return pageFile(
        built.drawHome === undefined
          ? page
          : homeHtml(withCalmLetters(page), built.drawHome, texts, url),
      );
    },
  };
}

function pageHtml(template: string, parts: PageParts, address: string): string {
  const { scripts, shells } = parts.screens[address] ?? { scripts: [], shells: [] };
  const links = scripts.map((path) => `<link rel="modulepreload" crossorigin href="${path}">`);
  const drawn = shells.map(
    (name) => `<template data-shell="${name}">${parts.shells[name] ?? ""}</template>`,
  );
  return template
    .replace("<!-- screen -->", () => links.join(""))
    .replace("<!-- shells -->", () => drawn.join(""));
}

/** `keepBrand` of `web/page/show-shell.ts` keeps it in a browser that does not know the store yet. */
function brandedHtml(html: string, { storeName, logo }: Brand): string {
  if (storeName === null && logo === null) {
    return html;
  }
  const named = html.replace(
    "<html",
    () => `<html data-store="${escaped(JSON.stringify({ storeName, logo }))}"`,
  );
  return storeName === null
    ? named
    : named.replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(storeName)}</title>`);
}

async function pageFile(html: string): Promise<WebFile> {
  const plain = new TextEncoder().encode(html);
  const brotli = await compress(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    },
  });
  return {
    plain,
    brotli: new Uint8Array(brotli),
    type: "text/html; charset=utf-8",
    etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 27)}"`,
    isImmutable: false,
  };
}
