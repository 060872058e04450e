// Pages have the store's newest settings, and those that were read last while the database does not answer.
import { expect, test } from "vitest";
import { createReadShopWindow, type VersionedShopWindow } from "#http/shop-window.ts";

const named = (storeName: string): VersionedShopWindow => ({
  storeName,
  logo: null,
  chatLink: null,
  defaultConsignorPercentage: 50,
  version: storeName,
});

function reading(shopWindow: () => Promise<VersionedShopWindow>) {
  const warnings: unknown[] = [];
  const logger = { warn: (_: unknown, said?: string) => void warnings.push(said) };
  return {
    read: createReadShopWindow({ store: { shopWindow }, logger, patienceMs: 20 }),
    warnings,
  };
}

test("a change of the settings is in the next page", async () => {
  let name = "Harbor";
  const { read } = reading(() => Promise.resolve(named(name)));
  expect(await read()).toEqual(named("Harbor"));
  name = "Pier";
  expect(await read()).toEqual(named("Pier"));
});

test("a page is sent with what was read last if the settings cannot be read, and the log says so", async () => {
  let answer = () => Promise.resolve(named("Harbor"));
  const { read, warnings } = reading(() => answer());
  await read();
  answer = () => Promise.reject(new Error("connection refused"));
  expect(await read()).toEqual(named("Harbor"));
  expect(warnings).toEqual(["a page is sent without the store's newest settings"]);
});

test("a page does not wait long for a database that does not answer", async () => {
  let answer = (): Promise<VersionedShopWindow> => new Promise(() => undefined);
  const { read } = reading(() => answer());
  expect(await read()).toBeNull();
  answer = () => Promise.resolve(named("Harbor"));
  expect(await read()).toEqual(named("Harbor"));
});

test("a slow read does not bring back settings that were changed since it began", async () => {
  const slow = Promise.withResolvers<VersionedShopWindow>();
  let answer = () => slow.promise;
  const { read } = reading(() => answer());
  expect(await read()).toBeNull();
  answer = () => Promise.resolve(named("Pier"));
  expect(await read()).toEqual(named("Pier"));
  slow.resolve(named("Harbor"));
  answer = () => Promise.reject(new Error("connection refused"));
  expect(await read()).toEqual(named("Pier"));
});
