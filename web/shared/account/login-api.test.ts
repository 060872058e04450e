// Tests that the login form's own checks use the specification's sentences.
import { expect, it } from "vitest";
import { ApiError } from "#web/lib/api-error.ts";
import { draftErrors, refusalErrors, signUpOf } from "./login-api.ts";

const good = { email: "avery@demo.test", password: "demo-password", displayName: "" };

it.each(["signin", "signup", "reset"] as const)("accepts a valid draft in mode %s", (mode) => {
  expect(draftErrors(mode, good)).toEqual({});
});

it("reports the invalid field with the specified sentence", () => {
  expect(draftErrors("signin", { ...good, email: "avery" })).toEqual({
    email: "Invalid email address.",
  });
  expect(draftErrors("signup", { ...good, password: "12345" })).toEqual({
    password: "Password should be at least 6 characters.",
  });
  expect(draftErrors("signin", { ...good, password: "" })).toHaveProperty("password");
});

it.each(["signin", "signup", "reset"] as const)(
  "asks for an email that is missing in mode %s",
  (mode) => {
    expect(draftErrors(mode, { ...good, email: " " })).toEqual({ email: "Enter your email" });
  },
);

it("sends a display name only if one was typed", () => {
  expect(signUpOf({ ...good, displayName: "  " })).not.toHaveProperty("displayName");
  expect(signUpOf({ ...good, displayName: " Avery " })).toHaveProperty("displayName", "Avery");
});

it("shows that an email is taken at its field", () => {
  const message = "This email is already registered. Try signing in instead.";
  expect(refusalErrors(new ApiError(409, "email_already_in_use", message))).toEqual({
    email: message,
  });
  expect(refusalErrors(undefined)).toEqual({});
});
