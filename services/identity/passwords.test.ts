// Passwords are stored as argon2id strings that only the right password matches.
import { expect, test } from "vitest";
import { createPasswords } from "#identity/passwords.ts";

const passwords = createPasswords();

test("a hash matches its password, however the letters were typed, and no other", async () => {
  const stored = await passwords.hash("caf\u00e9 au lait");
  expect(await passwords.verify("caf\u00e9 au lait", stored)).toEqual({
    matches: true,
    outdated: false,
  });
  expect((await passwords.verify("cafe\u0301 au lait", stored)).matches).toBe(true);
  expect((await passwords.verify("cafe au lait", stored)).matches).toBe(false);
  expect((await passwords.verify("", stored)).matches).toBe(false);
});

test("two hashes of one password differ", async () => {
  expect(await passwords.hash("same")).not.toBe(await passwords.hash("same"));
});

test("a hash made with other costs still matches, and is marked as outdated", async () => {
  // A test vector of argon2's reference implementation.
  const stored =
    "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
  expect(await passwords.verify("password", stored)).toEqual({ matches: true, outdated: true });
});

test("nothing matches a missing hash", async () => {
  expect((await passwords.verify("anything", undefined)).matches).toBe(false);
});

test("many checks at once are all answered", async () => {
  const stored = await passwords.hash("open sesame");
  const checks = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      passwords.verify(index % 3 === 0 ? "open sesame" : "wrong", stored),
    ),
  );
  expect(checks.filter(({ matches }) => matches)).toHaveLength(4);
});

test("a check that may go first does not queue behind strangers' guesses", async () => {
  const stored = await passwords.hash("open sesame");
  const answered: string[] = [];
  const guesses = Array.from({ length: 20 }, async () => {
    await passwords.verify("a guess", stored);
    answered.push("stranger");
  });
  const owner = passwords.verify("open sesame", stored, "first").then(() => answered.push("owner"));
  await Promise.all([...guesses, owner]);
  // Two were already running, and one started at the same time as the owner's.
  expect(answered.indexOf("owner")).toBeLessThan(6);
});
