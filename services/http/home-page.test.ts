// The home page is drawn once for each version of the settings, and opens without the database too.
import { expect, it } from "vitest";
import { createHomePage, drawHomeOf, homeHtml } from "#http/home-page.ts";
import type { ShopWindow } from "#http/store-facts.ts";
import type { WebFile } from "#http/web-build.ts";

const fileOf = (text: string): WebFile => ({
  plain: new TextEncoder().encode(text),
  brotli: undefined,
  type: "text/html",
  etag: text,
  isImmutable: false,
});

const texts: ShopWindow = {
  storeName: "Attic & Sons",
  logo: "/api/settings/logo/1",
  chatLink: null,
  defaultConsignorPercentage: 60,
};

it("is drawn again only when a setting that it shows has changed", async () => {
  const drawn: string[] = [];
  let version = "1";
  const home = createHomePage({
    shopWindow: () => Promise.resolve({ ...texts, storeName: `Store ${version}`, version }),
    site: { url: () => "https://store.test" },
    make: ({ storeName }, url) => {
      drawn.push(`${storeName ?? "unnamed"} at ${url}`);
      return Promise.resolve(fileOf(storeName ?? "unnamed"));
    },
  });
  const etags = [];
  for (const next of ["1", "1", "2"]) {
    version = next;
    etags.push((await home())?.etag);
  }
  expect(etags).toEqual(["Store 1", "Store 1", "Store 2"]);
  expect(drawn).toEqual(["Store 1 at https://store.test", "Store 2 at https://store.test"]);
});

it("opens before the settings could be read for the first time", async () => {
  const home = createHomePage({
    shopWindow: () => Promise.resolve(null),
    site: { url: () => "https://store.test" },
    make: ({ storeName }) => Promise.resolve(fileOf(storeName ?? "unnamed")),
  });
  expect((await home())?.etag).toBe("unnamed");
});

it("has the drawn page, what previews show, and the texts for the app, each escaped for its place", () => {
  const draw = drawHomeOf({
    drawHome: ({ storeName }: ShopWindow) => ({
      title: `Home · ${storeName}`,
      storeName,
      description: 'Sell "here"',
      html: "<h1>$& home</h1>",
      textsId: "texts",
    }),
  });
  const page =
    '<title>App</title><meta\n name="description" content="x" /><div id="root"></div><noscript>No</noscript>';
  const html = homeHtml(page, draw, { ...texts, storeName: "</script>&" }, "https://store.test");
  expect(html).toContain("<title>Home · &lt;/script&gt;&amp;</title>");
  expect(html).toContain('<meta name="description" content="Sell &quot;here&quot;" />');
  expect(html).toContain(
    '<meta property="og:image" content="https://store.test/api/settings/logo/1" />',
  );
  expect(html).toContain('<div id="root" data-drawn><h1>$& home</h1></div>');
  expect(html).toContain('id="texts">{"storeName":"\\u003c/script>&"');
  expect(html).not.toContain("noscript");
  expect(html.match(/name="description"/gu)).toHaveLength(1);
});

it("refuses a bundle of another version", () => {
  expect(() => drawHomeOf({})).toThrow("npm run build");
});
