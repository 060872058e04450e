// A page says whose store it is, and is sent without the settings too.
import { expect, test } from "vitest";
import { createBrandedPages } from "#http/branded-pages.ts";
import { createPages, type Brand } from "#http/page.ts";

const pages = createPages(
  {
    template:
      "<!doctype html><html><title>Consignment Ledger</title><!-- screen --><!-- shells -->",
    parts: JSON.stringify({ scripts: [], styles: [], screens: {}, shells: {} }),
    drawHome: undefined,
  },
  "build-1",
);

const harbor: Brand = { storeName: 'Harbor & "Sons" <b>', logo: "/api/settings/logo/1" };
const inPage = `data-store="{&quot;storeName&quot;:&quot;Harbor &amp; \\&quot;Sons\\&quot; &lt;b&gt;&quot;,&quot;logo&quot;:&quot;/api/settings/logo/1&quot;}"`;

/** The page of a store that shows this. */
async function pageOf(brand: Brand | null): Promise<string> {
  const shown = { chatLink: null, defaultConsignorPercentage: 50, version: "1" };
  const shopWindow = () => Promise.resolve(brand === null ? null : { ...brand, ...shown });
  const page = await createBrandedPages({ shopWindow, pages })("/login");
  return new TextDecoder().decode(page?.plain ?? new Uint8Array());
}

test("a page has the store's name and logo, so that a first visit does not begin with another name", async () => {
  const page = await pageOf(harbor);
  expect(page).toContain(inPage);
  expect(page).toContain("<title>Harbor &amp; &quot;Sons&quot; &lt;b&gt;</title>");
  expect(await pageOf({ storeName: "Pier", logo: null })).toContain("<title>Pier</title>");
});

test("a store without a name, and one whose settings could not be read yet, has the program's", async () => {
  const unnamed = "<title>Consignment Ledger</title>";
  expect(await pageOf({ storeName: null, logo: null })).toContain(unnamed);
  expect(await pageOf(null)).toContain(unnamed);
});
