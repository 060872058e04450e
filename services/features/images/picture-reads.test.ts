// Pictures that were shown lately are not read again, within a bound of bytes, and few are read at once.
import { expect, it } from "vitest";
import { HttpError } from "#http/errors.ts";
import { createPictureReads } from "#features/images/picture-reads.ts";

const { signal } = new AbortController();
const from = (part: number) => ({ address: `192.0.2.${part}`, signal });
const full = (id: string) => ({ id, size: "full" }) as const;

let now = new Date("2026-11-23T12:00:00.000Z");

function shelf(mostBytes: number, pictureBytes = 10) {
  const bytes = new Uint8Array(pictureBytes);
  const seen = { reads: [] as string[], running: 0, most: 0 };
  const read = createPictureReads(
    async (id, size) => {
      seen.reads.push(`${id} ${size}`);
      seen.running += 1;
      seen.most = Math.max(seen.most, seen.running);
      await new Promise((resolve) => setImmediate(resolve));
      seen.running -= 1;
      return id === "none" ? undefined : { type: "image/png", bytes };
    },
    () => now,
    mostBytes,
  );
  return { read, seen };
}

it("reads a picture once, however many ask for it at once and later", async () => {
  const { read, seen } = shelf(1_000);
  const asks = Array.from({ length: 40 }, (_, part) => read(full("a"), from(part)));
  expect((await Promise.all(asks)).map((picture) => picture?.bytes.byteLength)).toEqual(
    asks.map(() => 10),
  );
  await read(full("a"), from(50));
  // Three reads may begin before the first picture is loaded.
  expect(seen.reads.length).toBeLessThanOrEqual(3);
  const { length } = seen.reads;
  await read({ id: "a", size: "thumbnail" }, from(1));
  expect(seen.reads.slice(length)).toEqual(["a thumbnail"]);
});

it("reads at most three at once, whoever asks", async () => {
  const { read, seen } = shelf(1_000);
  await Promise.all(Array.from({ length: 40 }, (_, part) => read(full(`p${part}`), from(part))));
  expect(seen.reads).toHaveLength(40);
  expect(seen.most).toBeLessThanOrEqual(3);
});

it("forgets the pictures that nobody asked for longest, and keeps nothing of those that are not there", async () => {
  const { read, seen } = shelf(20);
  for (const id of ["a", "b", "a", "c", "a", "b", "none", "none"]) {
    await read(full(id), from(1));
  }
  expect(seen.reads.map((key) => key.split(" ")[0])).toEqual(["a", "b", "c", "b", "none", "none"]);
});

it("lets one network load 256 MiB a minute, and every call costs something", async () => {
  const { read } = shelf(4_194_304, 2_097_152);
  const seconds = async (id: string, part: number) => {
    try {
      await read(full(id), from(part));
      return 0;
    } catch (error) {
      return error instanceof HttpError ? error.extras.retryAfterSeconds : undefined;
    }
  };
  for (let shown = 0; shown < 128; shown += 1) {
    expect(await seconds("a", 1)).toBe(0);
  }
  expect(await seconds("a", 1)).toBe(1);
  expect(await seconds("a", 2)).toBe(0);
  now = new Date(now.getTime() + 60_000);
  const calls = [];
  for (let asked = 0; asked < 4_097; asked += 1) {
    calls.push(await seconds("none", 1));
  }
  expect(calls.filter((wait) => wait === 0)).toHaveLength(4_096);
});
