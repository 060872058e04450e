// The home page with the store's texts: drawn by the build's bundle, and again only after a setting that it shows has changed.
import { z } from "zod";
import type { ReadShopWindow, VersionedShopWindow } from "#http/shop-window.ts";
import type { ShopWindow } from "#http/store-facts.ts";
import type { WebFile } from "#http/web-build.ts";

/** What the bundle returns, in `web/page/home.tsx`. */
const drawing = z.object({
  title: z.string(),
  storeName: z.string(),
  description: z.string(),
  html: z.string(),
  textsId: z.string(),
});
export type Drawing = z.infer<typeof drawing>;

/** Draws the page for these texts. */
export type DrawHome = (texts: ShopWindow) => Drawing;

/** The exports of the bundle, checked. Throws if it is not what this version of the build writes. */
export function drawHomeOf(bundle: { readonly drawHome?: unknown }): DrawHome {
  const { drawHome } = bundle;
  if (typeof drawHome !== "function") {
    throw new TypeError("The build's home.mjs does not export drawHome: run `npm run build`");
  }
  return (texts) => drawing.parse(drawHome(texts));
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? "");

/** The tags of the head that search engines and link previews read. */
function headOf({ title, storeName, description }: Drawing, logo: string | null, url: string) {
  const tags = [
    ["og:type", "website"],
    ["og:site_name", storeName],
    ["og:title", title],
    ["og:description", description],
    ["og:url", `${url}/`],
    ...(logo === null ? [] : [["og:image", `${url}${logo}`] as const]),
  ] as const;
  return [
    `<title>${escaped(title)}</title>`,
    `<meta name="description" content="${escaped(description)}" />`,
    '<meta name="robots" content="index, follow" />',
    '<meta name="twitter:card" content="summary" />',
    `<link rel="canonical" href="${escaped(url)}/" />`,
    ...tags.map(([name, content]) => `<meta property="${name}" content="${escaped(content)}" />`),
  ].join("");
}

/** Replaces what the page of every other address has at these places. */
export function homeHtml(page: string, draw: DrawHome, texts: ShopWindow, url: string): string {
  const drawn = draw(texts);
  // Text of a script ends at its first "</script", whatever is around it.
  const json = JSON.stringify(texts).replaceAll("<", String.raw`\u003c`);
  const places: readonly (readonly [RegExp, string])[] = [
    // Before the head's own.
    [/<meta\s+name="description"[^>]*>/, ""],
    [/<title>[^<]*<\/title>/, headOf(drawn, texts.logo, url)],
    [/<noscript>[^<]*<\/noscript>/, ""],
    [
      /<div id="root"><\/div>/,
      `<div id="root" data-drawn>${drawn.html}</div><script type="application/json" id="${drawn.textsId}">${json}</script>`,
    ],
  ];
  return places.reduce((html, [place, text]) => html.replace(place, () => text), page);
}

export type HomePageDeps = {
  readonly shopWindow: ReadShopWindow;
  readonly site: { readonly url: () => string };
  /** Makes the page's file; undefined without a build. */
  readonly make: (texts: ShopWindow, url: string) => Promise<WebFile | undefined>;
};

/** What is shown of a store whose settings could not be read yet. */
const UNKNOWN_STORE: VersionedShopWindow = {
  version: "",
  storeName: null,
  logo: null,
  chatLink: null,
  defaultConsignorPercentage: 50,
};

/** Reads the settings' version for every request, and draws the page once for each. */
export function createHomePage({ shopWindow, site, make }: HomePageDeps) {
  let made: { readonly version: string; readonly file: Promise<WebFile | undefined> } | undefined;
  return async (): Promise<WebFile | undefined> => {
    const url = site.url();
    const { version, ...texts } = (await shopWindow()) ?? UNKNOWN_STORE;
    const wanted = `${version} ${url}`;
    if (made?.version !== wanted) {
      made = { version: wanted, file: make(texts, url) };
    }
    return made.file;
  };
}
