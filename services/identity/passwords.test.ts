// Passwords are kept as argon2id strings that only the right password opens.
import { expect, test } from "vitest";
import { createPasswords } from "#identity/passwords.ts";

const passwords = createPasswords();

test("a hash opens for its password, however its letters were typed, and for no other", async () => {
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

test("a hash made at another cost still opens, and is due to be made anew", async () => {
  // A test vector of argon2's reference implementation.
  const stored =
    "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
  expect(await passwords.verify("password", stored)).toEqual({ matches: true, outdated: true });
});

test("nothing opens what is not there", async () => {
  expect((await passwords.verify("anything", undefined)).matches).toBe(false);
});

test("many at once are all answered", async () => {
  const stored = await passwords.hash("open sesame");
  const checks = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      passwords.verify(index % 3 === 0 ? "open sesame" : "wrong", stored),
    ),
  );
  expect(checks.filter(({ matches }) => matches)).toHaveLength(4);
});

test("whoever comes first does not queue behind strangers' guesses", async () => {
  const stored = await passwords.hash("open sesame");
  const answered: string[] = [];
  const guesses = Array.from({ length: 20 }, async () => {
    await passwords.verify("a guess", stored);
    answered.push("stranger");
  });
  const owner = passwords.verify("open sesame", stored, "first").then(() => answered.push("owner"));
  await Promise.all([...guesses, owner]);
  // Two were under way already, and one began beside the owner's.
  expect(answered.indexOf("owner")).toBeLessThan(6);
});
