// Passwords that strangers try first cannot be chosen, and everything else can.
import { expect, test } from "vitest";
import { isEasyToGuess } from "#identity/password-choice.ts";

const names = ["avery.stone@people.test", "avery", null, undefined, "Avery Stone"];

test("common passwords are refused, however they are typed", () => {
  for (const password of ["123456", "password", "PassWord123", " qwerty ", "letmein", "iloveyou"]) {
    expect(isEasyToGuess(password, []), password).toBe(true);
  }
});

test("the account's own email, its first part, its username and its name are refused", () => {
  for (const password of ["Avery.Stone@people.test", "avery.stone", "AVERY", "avery stone"]) {
    expect(isEasyToGuess(password, names), password).toBe(true);
  }
});

test("other passwords are accepted, also short ones and the demo's", () => {
  for (const password of ["zk4-um", "demo-password", "open sesame", "avery's lamp", "correct horse"]) {
    expect(isEasyToGuess(password, names), password).toBe(false);
  }
});
