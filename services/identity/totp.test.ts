// The codes are those of the RFCs, so every authenticator app agrees with the store.
import { describe, expect, test } from "vitest";
import { hotp, otpauthUri, stepOf, stepOfCode, toBase32 } from "#identity/totp.ts";

const secret = Buffer.from("12345678901234567890");

test("counters give the codes of RFC 4226, appendix D", () => {
  expect(Array.from({ length: 10 }, (_, counter) => hotp(secret, counter))).toEqual([
    "755224",
    "287082",
    "359152",
    "969429",
    "338314",
    "254676",
    "287922",
    "162583",
    "399871",
    "520489",
  ]);
});

test("times give the codes of RFC 6238, appendix B", () => {
  const codes = [59, 1111111109, 1111111111, 1234567890, 2000000000, 20000000000].map((seconds) =>
    hotp(secret, stepOf(new Date(seconds * 1000)), 8),
  );
  expect(codes).toEqual(["94287082", "07081804", "14050471", "89005924", "69279037", "65353130"]);
});

describe("a code", () => {
  const now = new Date("2026-11-22T10:00:10Z");
  const step = stepOf(now);

  test("is accepted one step early or late, and not two", () => {
    const accepted = [-2, -1, 0, 1, 2].map((off) =>
      stepOfCode(secret, hotp(secret, step + off), now),
    );
    expect(accepted).toEqual([undefined, step - 1, step, step + 1, undefined]);
  });

  test("is six digits and nothing else", () => {
    const right = hotp(secret, step);
    for (const wrong of ["", right.slice(1), `${right}0`, ` ${right}`, "abcdef"]) {
      expect(stepOfCode(secret, wrong, now)).toBeUndefined();
    }
  });
});

test("secrets are written as RFC 4648 writes base32", () => {
  const texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
  expect(texts.map((text) => toBase32(Buffer.from(text)))).toEqual([
    "",
    "MY",
    "MZXQ",
    "MZXW6",
    "MZXW6YQ",
    "MZXW6YTB",
    "MZXW6YTBOI",
  ]);
});

test("the QR code names the store and the account", () => {
  expect(otpauthUri(secret, "Attic & Co", "avery@demo.test")).toBe(
    "otpauth://totp/Attic%20%26%20Co:avery%40demo.test?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Attic%20%26%20Co",
  );
});
