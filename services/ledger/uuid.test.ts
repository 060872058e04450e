// Fixes the form of ids made from bytes: an import that runs again must find what it made before.
import { expect, it } from "vitest";
import { isUuid, uuidOf } from "#ledger/uuid.ts";

it("writes the version and the variant over six bits and leaves all others", () => {
  expect(uuidOf(Buffer.alloc(16, 0x00))).toBe("00000000-0000-8000-8000-000000000000");
  expect(uuidOf(Buffer.alloc(32, 0xff))).toBe("ffffffff-ffff-8fff-bfff-ffffffffffff");
});

it("does not change the input bytes", () => {
  const bytes = Buffer.alloc(16, 0xff);
  uuidOf(bytes);
  expect(bytes).toEqual(Buffer.alloc(16, 0xff));
});

it("recognizes only whole ids in lower case, as they are written here", () => {
  const id = "00000000-0000-8000-8000-00000000000a";
  expect(isUuid(id)).toBe(true);
  const others = ["", id.toUpperCase(), id.replaceAll("-", ""), ` ${id}`, `${id}\n`, id.slice(1)];
  expect(others.filter(isUuid)).toEqual([]);
});
