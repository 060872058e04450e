// Tests that the backup password's checks use the specification's sentences.
import { expect, it } from "vitest";
import { passwordErrors } from "./password-errors.ts";

it("accepts two equal passwords of at least 6 characters", () => {
  expect(passwordErrors("123456", "123456")).toEqual({});
});

it("reports a short password before a mismatch", () => {
  expect(passwordErrors("12345", "1234")).toEqual({
    password: "Password should be at least 6 characters.",
  });
});

it("reports that the passwords differ", () => {
  expect(passwordErrors("123456", "1234567")).toEqual({ repeated: "Passwords do not match" });
});
