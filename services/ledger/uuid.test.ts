// Fixes the form of ids made from bytes: an import that runs again must find what it made before.
import { expect, it } from "vitest";
import { uuidOf } from "#ledger/uuid.ts";

it("writes the version and the variant over six bits and leaves all others", () => {
  expect(uuidOf(Buffer.alloc(16, 0x00), 7)).toBe("00000000-0000-7000-8000-000000000000");
  expect(uuidOf(Buffer.alloc(32, 0xff), 8)).toBe("ffffffff-ffff-8fff-bfff-ffffffffffff");
});

it("does not change the input bytes", () => {
  const bytes = Buffer.alloc(16, 0xff);
  uuidOf(bytes, 7);
  expect(bytes).toEqual(Buffer.alloc(16, 0xff));
});
