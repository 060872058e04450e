// Tests which visits are counted, and that nothing that identifies anybody is kept of an address.
import { expect, it } from "vitest";
import { isCounted, isWithinMemory, patternOf } from "#features/visits/visit.ts";

const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Safari/604.1";
const person = {
  userAgent: phone,
  purpose: undefined,
  doNotTrack: undefined,
  globalPrivacyControl: undefined,
};

it("counts people", () => {
  expect(isCounted(person)).toBe(true);
  expect(isCounted({ ...person, doNotTrack: "0" })).toBe(true);
});

it.each([
  { userAgent: undefined },
  { userAgent: "" },
  { userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" },
  { userAgent: "Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/130.0 Safari/537.36" },
  { userAgent: "curl/8.5.0" },
  { userAgent: "facebookexternalhit/1.1" },
  { purpose: "prefetch;prerender" },
  { purpose: "prefetch" },
  { doNotTrack: "1" },
  { globalPrivacyControl: "1" },
])("does not count %j", (headers) => {
  expect(isCounted({ ...person, ...headers })).toBe(false);
});

it.each([
  ["/", "/"],
  ["/dashboard?setupPassword=true", "/dashboard"],
  ["/admin/image-backfill", "/admin/image-backfill"],
  ["/consignors/abc123/history", "/consignors/:id/history"],
  ["/consignors/kNp2VxYqLmZaBcDeFgHiJk/history", "/consignors/:id/history"],
  ["/consignors/abcdefghijklmnopqrst/history", "/consignors/:id/history"],
  ["/consignors/migration/", "/consignors/migration"],
  ["/reset-password#token=secret", "/reset-password"],
  // Not ours: addresses with people in them, and words that a stranger wants admins to read.
  ["/x/avery@store.test", "/other"],
  ["/consignors/history", "/other"],
  ["/consignors//history", "/other"],
  ["/consignors/a/b/history", "/other"],
  ["/pay-your-dues/at-evil-shop/call-now", "/other"],
  ["/a/b/c/d/e", "/other"],
])("keeps of %s only %s", (path, pattern) => {
  expect(patternOf(path)).toBe(pattern);
});

it("remembers sessions for 90 days", () => {
  const now = new Date("2026-11-23T12:00:00.000Z");
  const startedBefore = (days: number) => `session_${now.getTime() - days * 86_400_000}_a1b2c3`;
  expect(isWithinMemory(startedBefore(89), now)).toBe(true);
  expect(isWithinMemory(startedBefore(91), now)).toBe(false);
  // A clock that is ahead.
  expect(isWithinMemory(startedBefore(-3), now)).toBe(true);
});
