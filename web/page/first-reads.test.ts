// Tests what the page asks for before the app knows who is signed in.
import { expect, it } from "vitest";
import { firstReads } from "./first-reads.ts";

const admin = '{"uid":"robin-1","displayName":"Robin","username":null}';

it.each(["/admin", "/admin/today"])(
  "asks for an admin's screen only for the admin whom this browser remembers: %s",
  (pathname) => {
    const here = { pathname, search: "" };
    expect(firstReads(here, "robin-1", admin).length).toBeGreaterThan(1);
    for (const last of [null, "null", admin]) {
      expect(firstReads(here, "avery-1", last)).toEqual(["/auth/me"]);
    }
    expect(firstReads({ pathname, search: "?q=lamp" }, "robin-1", admin)).toEqual(["/auth/me"]);
  },
);

it("asks for a consignor's own screen at once", () => {
  const here = { pathname: "/dashboard", search: "" };
  expect(firstReads(here, "avery-1", null)).toContain("/accounts/avery-1/summary");
});
