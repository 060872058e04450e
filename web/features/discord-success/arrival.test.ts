// Holds the callback screen to the three specified sentences and to pages of our own.
import { expect, it } from "vitest";
import { arrivalIn } from "./arrival.ts";

it("an error of any kind is said in one sentence, whatever else came", () => {
  expect(arrivalIn("?error=access_denied&token=abc")).toEqual({
    kind: "failed",
    message: "Discord authentication failed. Please try again.",
  });
});

it.each(["", "?token=", "?isNew=true"])("says that there is no token in %j", (search) => {
  expect(arrivalIn(search)).toEqual({
    kind: "failed",
    message: "No authentication token received.",
  });
});

it.each([
  ["?token=abc", "/dashboard"],
  ["?token=abc&isNew=false", "/dashboard"],
  ["?token=abc&isNew=true", "/dashboard?setupPassword=true"],
  ["?token=abc&isNew=true&returnPath=/profile", "/dashboard?setupPassword=true"],
  [
    "?token=abc&isNew=false&returnPath=/sales-history%3Ftab%3Dpayouts",
    "/sales-history?tab=payouts",
  ],
  ["?token=abc&returnPath=https://evil.test", "/dashboard"],
  ["?token=abc&returnPath=//evil.test", "/dashboard"],
  ["?token=abc&returnPath=/%5Cevil.test", "/dashboard"],
  // Who is about to become the first admin goes on with that.
  ["?token=abc&isNew=true&returnPath=/login", "/login"],
])("%s goes to %s", (search, next) => {
  expect(arrivalIn(search)).toEqual({ kind: "token", token: "abc", next });
});
