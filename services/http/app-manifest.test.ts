// The installed app has the store's name, and can be installed without the database too.
import { expect, it } from "vitest";
import { createAppManifest, MANIFEST, shortNameOf } from "#http/app-manifest.ts";
import type { VersionedShopWindow } from "#http/shop-window.ts";
import { describeFile, type WebFile } from "#http/web-build.ts";

const built = describeFile(
  MANIFEST,
  new TextEncoder().encode(
    JSON.stringify({ name: "Consignment Ledger", short_name: "Ledger", start_url: "/login" }),
  ),
  undefined,
);
const shop: VersionedShopWindow = {
  version: "1",
  storeName: "Harbor Street Resale",
  logo: null,
  chatLink: null,
  defaultConsignorPercentage: 50,
};
const read = (file: WebFile | undefined): unknown =>
  file === undefined ? undefined : JSON.parse(new TextDecoder().decode(file.plain));

it("has the store's name as soon as the store has one, and everything else as it was built", async () => {
  let storeName: string | null = null;
  const manifest = createAppManifest({
    shopWindow: () => Promise.resolve({ ...shop, storeName }),
    built,
  });
  expect(await manifest()).toBe(built);
  storeName = 'Attic "Sons"';
  const named = await manifest();
  expect(read(named)).toEqual({
    name: 'Attic "Sons"',
    short_name: 'Attic "Sons"',
    start_url: "/login",
  });
  expect(named?.type).toBe(built.type);
  expect(named?.etag).not.toBe(built.etag);
});

it("has the product's name while the settings could not be read yet", async () => {
  const manifest = createAppManifest({ shopWindow: () => Promise.resolve(null), built });
  expect(await manifest()).toBe(built);
});

it("is missing without a build", async () => {
  const shopWindow = () => Promise.reject(new Error("not asked"));
  expect(await createAppManifest({ shopWindow, built: undefined })()).toBeUndefined();
});

it.each([
  ["Harbor Street Resale", "Harbor"],
  ["Attic & Sons Trading", "Attic & Sons"],
  ["Thrift & Secondhand", "Thrift"],
  ["Secondhandmarket", "Secondhandmarket"],
])("is called %s, below its icon %s", (name, short) => {
  expect(shortNameOf(name)).toBe(short);
});
