// The size of the write-ahead log follows the free space.
import { expect, test } from "vitest";
import { maxWalMb } from "#db/embedded/wal-size.ts";

const GB = 1024 ** 3;

test("the write-ahead log may take a sixteenth of the free disk, from 2 to 8 GB", () => {
  expect([1, 64, 400].map((free) => maxWalMb(free * GB))).toEqual([2048, 4096, 8192]);
});
