// A page says whose store it is, and is sent without the settings too.
import { pino } from "pino";
import { expect, test } from "vitest";
import { createBrandedPages } from "#http/branded-pages.ts";
import { createPages, type Brand } from "#http/page.ts";
import type { ShopWindow } from "#http/store-facts.ts";

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

/** Pages of a store whose settings answer with this; the warnings come too. */
function pagesOf(shopWindow: () => Promise<ShopWindow & { readonly version: string }>) {
  const warnings: unknown[] = [];
  const write = (line: string) => void warnings.push(JSON.parse(line).msg);
  const logger = pino({ level: "warn" }, { write });
  const at = createBrandedPages({ store: { shopWindow }, logger, pages, patienceMs: 20 });
  const read = async (path: string) =>
    new TextDecoder().decode((await at(path))?.plain ?? new Uint8Array());
  return { read, warnings };
}

const settings = (brand: Brand) => ({
  ...brand,
  chatLink: null,
  defaultConsignorPercentage: 50,
  version: "1",
});

test("a page has the store's name and logo, so that a first visit does not begin with another name", async () => {
  let brand: Brand = harbor;
  const { read } = pagesOf(() => Promise.resolve(settings(brand)));
  const page = await read("/login");
  expect(page).toContain(inPage);
  expect(page).toContain("<title>Harbor &amp; &quot;Sons&quot; &lt;b&gt;</title>");
  brand = { storeName: "Pier", logo: null };
  expect(await read("/login")).toContain("<title>Pier</title>");
});

test("a store without a name has the program's", async () => {
  const { read } = pagesOf(() => Promise.resolve(settings({ storeName: null, logo: null })));
  expect(await read("/login")).toContain("<title>Consignment Ledger</title>");
});

test("a page is sent without the database, and while it does not answer, with what was read last", async () => {
  let answer = () => Promise.resolve(settings(harbor));
  const { read, warnings } = pagesOf(() => answer());
  await read("/login");
  answer = () => Promise.reject(new Error("connection refused"));
  expect(await read("/dashboard")).toContain(inPage);
  expect(warnings).toEqual(["a page is sent without the store's newest name"]);
  answer = () => new Promise(() => undefined);
  expect(await read("/pos")).toContain(inPage);
});
