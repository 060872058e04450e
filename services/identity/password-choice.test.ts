// Passwords that strangers try first cannot be chosen, and everything else can.
import { expect, test } from "vitest";
import { isEasyToGuess } from "#identity/password-choice.ts";

const names = ["avery.stone@people.test", "avery", null, undefined, "Avery Stone"];

test("common passwords are refused, however they are typed", () => {
  const passwords = ["123456", "password", "PassWord123", " qwerty ", "letmein", "iloveyou"];
  expect(passwords.filter((password) => isEasyToGuess(password, []))).toEqual(passwords);
});

test("the account's own email, its first part, its username and its name are refused", () => {
  const passwords = ["Avery.Stone@people.test", "avery.stone", "AVERY", "avery stone"];
  expect(passwords.filter((password) => isEasyToGuess(password, names))).toEqual(passwords);
});

test("the store's own words are refused, also with digits and other characters behind them", () => {
  const passwords = [
    "consignment",
    "Ledger2026!",
    "Consignment Ledger",
    "admin123456",
    "payouts#1",
  ];
  expect(passwords.filter((password) => isEasyToGuess(password, []))).toEqual(passwords);
});

test("other passwords are accepted, also short ones and the demo's", () => {
  const passwords = ["zk4-um", "demo-password", "open sesame", "avery's lamp", "correct horse"];
  expect(passwords.filter((password) => isEasyToGuess(password, names))).toEqual([]);
});
