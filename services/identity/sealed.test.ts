// Shows that a sealed secret opens only with its key, for its purpose and in its place, and that keys can be changed.
import { expect, test } from "vitest";
import { createSealed, sealedKeyId, secretKeyId } from "#identity/sealed.ts";

const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);
const SECRET = Buffer.from("JBSWY3DPEHPK3PXP");
const avery = { purpose: "totp-secret", of: "avery" } as const;

const before = createSealed({ current: OLD, previous: [] });

test("a sealed secret opens again, and its bytes are not in it", () => {
  const sealed = before.seal(avery, SECRET);
  expect(before.open(avery, sealed)).toEqual({ kind: "opened", bytes: SECRET });
  expect(sealed.includes(SECRET)).toBe(false);
  expect(before.seal(avery, SECRET).equals(sealed)).toBe(false);
});

test("it does not open for somebody else, for another purpose, or with any byte changed", () => {
  const sealed = before.seal(avery, SECRET);
  expect(() => before.open({ ...avery, of: "blake" }, sealed)).toThrow("was changed");
  expect(() => before.open({ ...avery, purpose: "signing-key" }, sealed)).toThrow("was changed");
  expect(() => before.open(avery, sealed.subarray(0, 30))).toThrow("was changed");
  const changedAt = (at: number): Buffer => {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    return changed;
  };
  const places = Array.from(sealed, (_, at) => at);
  // A changed key id names a key that nobody has.
  const isOfKeyId = (at: number): boolean => at >= 4 && at < 12;
  for (const at of places.filter((place) => !isOfKeyId(place))) {
    expect(() => before.open(avery, changedAt(at))).toThrow("was changed");
  }
  for (const at of places.filter(isOfKeyId)) {
    expect(before.open(avery, changedAt(at))).toEqual({ kind: "key-gone" });
  }
});

test("after a change of keys the previous one still opens, and new secrets need only the new one", () => {
  const sealed = before.seal(avery, SECRET);
  const changed = createSealed({ current: NEW, previous: [OLD] });
  expect(changed.open(avery, sealed)).toEqual({ kind: "opened", bytes: SECRET });
  expect(changed.isCurrent(sealed)).toBe(false);

  const again = changed.seal(avery, SECRET);
  expect(changed.isCurrent(again)).toBe(true);
  const after = createSealed({ current: NEW, previous: [] });
  expect(after.open(avery, again)).toEqual({ kind: "opened", bytes: SECRET });
  expect(after.open(avery, sealed)).toEqual({ kind: "key-gone" });
  expect([sealedKeyId(sealed), sealedKeyId(again)]).toEqual([secretKeyId(OLD), secretKeyId(NEW)]);
});

test("a text is signed with the current key and proved with any, and each use has its own key", () => {
  const changed = createSealed({ current: NEW, previous: [OLD] });
  const signature = before.sign("erased-list", "avery");
  expect(changed.isSigned("erased-list", "avery", signature)).toBe(true);
  expect(changed.isSigned("erased-list", "blake", signature)).toBe(false);
  expect(changed.isSigned("known-browsers", "avery", signature)).toBe(false);
  expect(before.isSigned("erased-list", "avery", changed.sign("erased-list", "avery"))).toBe(false);
  expect(changed.isSigned("erased-list", "avery", Buffer.alloc(0))).toBe(false);
});
