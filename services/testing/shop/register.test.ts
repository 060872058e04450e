// Test shops are made from the register, so a new entry of features.ts is in each of them, and none has its own list.
import { globSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { projections, streams } from "../../features.ts";
import { declaredRoutes } from "#http/check-access.ts";
import { openTestApp, type TestApp } from "#testing/service/test-app.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";
import { allRoutes } from "#testing/shop/register.ts";

let shop: TestApp;

beforeAll(async () => {
  shop = await openTestApp();
});

afterAll(() => shop.close());

it("a test app has every read table and every call of the register", async () => {
  const live = await shop.database.sql<{ name: string }[]>`
    select name from read.projections where state = 'live' order by name`;
  expect(live.map(({ name }) => name)).toEqual(projections.map(({ name }) => name).sort());
  const served = new Set(declaredRoutes(shop.app).map(({ method, path }) => `${method} ${path}`));
  const registered = allRoutes
    .flatMap((make) => make(shop.deps).routes)
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} /api${path}`);
  expect(registered.filter((call) => !served.has(call))).toEqual([]);
});

it("books in memory have every stream of the register", () => {
  const books = memoryBooks();
  for (const [category, definition] of streams) {
    expect(books.stream(definition, `${category}-x`)).toEqual({
      version: 0,
      state: definition.initial,
    });
  }
});

it("no test and no test helper lists streams by hand", () => {
  const services = new URL("../../", import.meta.url);
  const files = globSync(["testing/**/*.ts", "**/*.test.ts"], { cwd: services.pathname }).filter(
    // The ledger's own tests know no feature: their domain is the jars of testing/jar.
    (path) => !path.startsWith("testing/jar/") && !path.startsWith("ledger/"),
  );
  const lists = files.filter((path) =>
    /new Map<string, StreamDefinition<unknown>>\(|\.category, \w+\]\)/u.test(
      readFileSync(new URL(path, services), "utf8"),
    ),
  );
  expect(lists).toEqual([]);
});
