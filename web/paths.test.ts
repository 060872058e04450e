// Tests that the return path after signing in is limited to our own pages.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { loginPath, returnPath } from "./paths.ts";

beforeAll(() => {
  vi.stubGlobal("location", { origin: "https://ledger.test" });
});
afterAll(() => {
  vi.unstubAllGlobals();
});

it("goes back to the page that was asked for", () => {
  const asked = "/sales-history?tab=payouts#l7";
  expect(returnPath(new URLSearchParams(loginPath(asked).split("?")[1]).get("from"))).toBe(asked);
});

it.each([
  null,
  "",
  "https://evil.test/",
  "//evil.test/x",
  "/\\evil.test",
  "\\\\evil.test",
  "javascript:alert(1)",
  "dashboard",
  "/login?from=/admin",
  "http://[",
])("takes %j for no page of ours", (from) => {
  expect(returnPath(from)).toBe("/dashboard");
});
