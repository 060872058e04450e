// Tests that the callback screen uses the specified sentences and only redirects to our own pages.
import { expect, it } from "vitest";
import { arrivalIn } from "./arrival.ts";

it("reports any error in one sentence, whatever else was sent", () => {
  expect(arrivalIn("?error=access_denied&token=abc")).toEqual({
    kind: "failed",
    message: "Discord authentication failed. Please try again.",
  });
});

it("says what to do about a Discord account that was unlinked", () => {
  expect(arrivalIn("?error=provider_unlinked")).toEqual({
    kind: "failed",
    message:
      "You unlinked this from your account. Sign in another way, then allow it again on your profile.",
  });
});

it("says what to do about an invitation that has ended", () => {
  expect(arrivalIn("?error=invitation_ended")).toEqual({
    kind: "failed",
    message: "Your invitation has expired. Ask the store to send it again.",
  });
});

it.each(["", "?token=", "?isNew=true"])("reports a missing token for %j", (search) => {
  expect(arrivalIn(search)).toEqual({
    kind: "failed",
    message: "No authentication token received.",
  });
});

it.each([
  ["?token=abc", "/login"],
  ["?token=abc&isNew=false", "/login"],
  ["?token=abc&isNew=true", "/dashboard?setupPassword=true"],
  ["?token=abc&isNew=true&returnPath=/profile", "/dashboard?setupPassword=true"],
  [
    "?token=abc&isNew=false&returnPath=/sales-history%3Ftab%3Dpayouts",
    "/sales-history?tab=payouts",
  ],
  ["?token=abc&returnPath=https://evil.test", "/login"],
  ["?token=abc&returnPath=//evil.test", "/login"],
  ["?token=abc&returnPath=/%5Cevil.test", "/login"],
  // A person who is about to become the first admin continues with that.
  ["?token=abc&isNew=true&returnPath=/login", "/login"],
])("%s goes to %s", (search, next) => {
  expect(arrivalIn(search)).toEqual({ kind: "token", token: "abc", next });
});
