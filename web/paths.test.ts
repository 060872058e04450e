// Tests that the return path after signing in is limited to our own pages, and that visits of every screen are counted.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { countedScreens } from "#features/visits/contract-screens.ts";
import { consignorHistoryPath, loginPath, paths, returnPath, startPath } from "./paths.ts";

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
  "/x/..//evil.test",
  "/.//evil.test",
])("takes %j for no page of ours", (from) => {
  expect(returnPath(from)).toBe("/login");
});

it("starts with the dashboard, or with Today for an admin who chose it", () => {
  expect(startPath({ role: "admin", landsOn: "dashboard" })).toBe("/dashboard");
  expect(startPath({ role: "admin", landsOn: "today" })).toBe("/admin/today");
  // The choice stays with somebody who is not an admin any more.
  expect(startPath({ role: "user", landsOn: "today" })).toBe("/dashboard");
});

it("are the addresses whose visits the server counts, no more and no fewer", () => {
  const ours = [...Object.values(paths), consignorHistoryPath(":id")];
  const counted = new Set<string>(countedScreens);
  expect(
    ours.filter((path) => !counted.has(path)),
    "add these addresses to services/features/visits/contract-screens.ts: their visits are not counted",
  ).toEqual([]);
  expect(
    countedScreens.filter((path, at) => !ours.includes(path) || countedScreens.indexOf(path) < at),
    "web/paths.ts has no such addresses, or they are listed twice: remove them from services/features/visits/contract-screens.ts",
  ).toEqual([]);
});
