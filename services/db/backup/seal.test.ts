// An encrypted file opens only whole, under its own name and with its passphrase.
import { expect, it } from "vitest";
import { authenticate, makeFolderKey, openFolderKey, seal, unseal } from "#db/backup/seal.ts";

const key = await makeFolderKey("a long passphrase");
const NAME = "000001-log.events.copy.zst.sealed";
const CHUNK = 64 * 1024;
const SEALED_CHUNK = CHUNK + 16;
const HEADER = 36;

async function* each(...parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  await Promise.resolve();
  yield* parts;
}

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of source) {
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Three chunks, the last of them short. */
const text = Buffer.from("0123456789abcdef".repeat((2 * CHUNK) / 16 + 10));
const sealed = await collect(seal(key, NAME, each(text)));
const open = (bytes: Buffer, name = NAME) => collect(unseal(key, name, each(bytes)));
const chunk = (index: number) =>
  sealed.subarray(HEADER + index * SEALED_CHUNK, HEADER + (index + 1) * SEALED_CHUNK);
const header = sealed.subarray(0, HEADER);

it("opens to the same bytes, however they arrive, and never twice to the same file", async () => {
  expect(await open(sealed)).toEqual(text);
  const pieces = Array.from({ length: Math.ceil(sealed.length / 1000) }, (_, index) =>
    sealed.subarray(index * 1000, (index + 1) * 1000),
  );
  expect(await collect(unseal(key, NAME, each(...pieces)))).toEqual(text);
  expect(await collect(seal(key, NAME, each(text)))).not.toEqual(sealed);
});

it("an empty file and one that ends with a whole chunk open too", async () => {
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(CHUNK, 7), Buffer.alloc(2 * CHUNK, 7)]) {
    expect(await open(await collect(seal(key, NAME, each(bytes))))).toEqual(bytes);
  }
});

it("a changed, moved, repeated or missing chunk is refused, and so is a cut end", async () => {
  const changed = Buffer.from(sealed);
  changed[HEADER + 5] = (changed[HEADER + 5] ?? 0) ^ 1;
  const wrong = [
    changed,
    Buffer.concat([header, chunk(1), chunk(0), chunk(2)]),
    Buffer.concat([header, chunk(0), chunk(0), chunk(2)]),
    Buffer.concat([header, chunk(0), chunk(2)]),
    Buffer.concat([header, chunk(0), chunk(1)]),
    Buffer.concat([sealed, chunk(2)]),
    header,
    header.subarray(0, 10),
    Buffer.alloc(0),
  ];
  for (const bytes of wrong) {
    await expect(open(bytes)).rejects.toThrow(`${NAME} was changed`);
  }
});

it("one file cannot take the place of another", async () => {
  await expect(open(sealed, "000001-log.postings.copy.zst.sealed")).rejects.toThrow("was changed");
});

it("only the passphrase opens a folder", async () => {
  const opened = await openFolderKey(key.seal, "a long passphrase");
  expect(opened?.key).toEqual(key.key);
  await expect(openFolderKey(key.seal, "a long passphrasf")).rejects.toThrow(
    "is not the passphrase",
  );
  // A guess costs about a fifth of a second.
  expect(key.seal.cost).toBe(65_536);
  const other = await makeFolderKey("a long passphrase", 16);
  expect(authenticate(other, "text")).not.toBe(authenticate(key, "text"));
});
