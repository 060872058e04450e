// In production: metrics only with their token, and cookies that only https can set.
import { Hono } from "hono";
import { expect, test } from "vitest";
import {
  clearRefreshCookie,
  readBrowserCookie,
  readRefreshCookie,
  writeBrowserCookie,
  writeRefreshCookie,
} from "#features/sign-in/cookie.ts";
import { openTestApp } from "#testing/service/test-app.ts";

const token = "a-token-for-metrics";

test("metrics answer nobody without a token, not even this machine", async () => {
  const shop = await openTestApp({ isProduction: true });
  expect((await shop.app.request("/metrics")).status).toBe(404);
  await shop.close();
});

test("metrics answer whoever has the token, from anywhere", async () => {
  const shop = await openTestApp({ isProduction: true, metricsToken: token });
  const ask = (authorization: string) =>
    shop.app.request("https://store.example/metrics", {
      headers: { Authorization: authorization, "X-Forwarded-For": "203.0.113.9" },
    });
  expect((await ask(`Bearer ${token}`)).status).toBe(200);
  expect((await ask("Bearer another-one")).status).toBe(404);
  expect((await shop.app.request("/metrics")).status).toBe(404);
  await shop.close();
});

function appWith(isSecure: boolean) {
  const settings = { isSecure, keepSeconds: 60 };
  const app = new Hono();
  app.get("/write", (c) => {
    writeRefreshCookie(c, "secret", settings);
    writeBrowserCookie(c, "known", settings);
    return c.text("");
  });
  app.get("/clear", (c) => {
    clearRefreshCookie(c, settings);
    return c.text("");
  });
  app.get("/read", (c) =>
    c.json([readRefreshCookie(c, settings) ?? null, readBrowserCookie(c, settings) ?? null]),
  );
  return {
    set: async (path: string) => (await app.request(path)).headers.getSetCookie(),
    read: async (cookie: string) =>
      (await app.request("/read", { headers: { Cookie: cookie } })).json(),
  };
}

test("over https cookies have the prefix that only https can set, and one without it does not count", async () => {
  const app = appWith(true);
  const written = await app.set("/write");
  expect(written.map((line) => line.split("=")[0])).toEqual([
    "__Secure-refresh_token",
    "__Secure-known_browser",
  ]);
  expect(written.every((line) => line.includes("; Secure"))).toBe(true);
  expect(await app.set("/clear")).toEqual([expect.stringMatching(/^__Secure-refresh_token=;/u)]);
  expect(await app.read("__Secure-refresh_token=a; __Secure-known_browser=b")).toEqual(["a", "b"]);
  expect(await app.read("refresh_token=a; known_browser=b")).toEqual([null, null]);
});

test("over plain http on a developer's machine they have plain names", async () => {
  const app = appWith(false);
  const written = await app.set("/write");
  expect(written.map((line) => line.split("=")[0])).toEqual(["refresh_token", "known_browser"]);
  expect(await app.read("refresh_token=a; known_browser=b")).toEqual(["a", "b"]);
});
