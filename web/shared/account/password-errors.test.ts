// Holds the backup password's checks to the specification's sentences.
import { expect, it } from "vitest";
import { passwordErrors } from "./password-errors.ts";

it("takes two equal passwords of at least 6 characters", () => {
  expect(passwordErrors("123456", "123456")).toEqual({});
});

it("says that a password is too short before it says that two differ", () => {
  expect(passwordErrors("12345", "1234")).toEqual({
    password: "Password should be at least 6 characters.",
  });
});

it("says that the passwords differ", () => {
  expect(passwordErrors("123456", "1234567")).toEqual({ repeated: "Passwords do not match" });
});
