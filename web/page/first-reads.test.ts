// Tests what the page asks for before the app knows who is signed in.
import { expect, it } from "vitest";
import { firstReads } from "./first-reads.ts";

it.each(["/admin", "/admin/today"])(
  "asks for an admin's screen only where the last person was an admin: %s",
  (pathname) => {
    const here = { pathname, search: "" };
    expect(firstReads(here, "robin-1", true).length).toBeGreaterThan(1);
    expect(firstReads(here, "avery-1", false)).toEqual(["/auth/me"]);
    expect(firstReads({ pathname, search: "?q=lamp" }, "robin-1", true)).toEqual(["/auth/me"]);
  },
);

it("asks for a consignor's own screen at once", () => {
  const here = { pathname: "/dashboard", search: "" };
  expect(firstReads(here, "avery-1", false)).toContain("/accounts/avery-1/summary");
});
