// Encrypts the files of a back-up, chunk by chunk: a key of its own for each file, from the operator's passphrase.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from "node:crypto";
import { z } from "zod";

/** How the passphrase becomes the folder's key. Bounded, because the file it is read from may be anybody's. */
export const sealSchema = z.strictObject({
  kdf: z.literal("scrypt"),
  salt: z.hex().length(32),
  cost: z
    .int()
    .min(2)
    .max(2 ** 20),
  blockSize: z.literal(8),
  /** Proves a passphrase without any file. */
  check: z.hex().length(64),
});

export type Seal = z.infer<typeof sealSchema>;

/** The key of one folder of back-ups. */
export type FolderKey = { readonly seal: Seal; readonly key: Buffer };

const COST = 2 ** 16;
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const SALT_BYTES = 32;
const MAGIC = Buffer.from("CLB1", "latin1");
const CIPHER = "aes-256-gcm";

/** `BACKUP_PASSPHRASE` is missing, or another one than the folder's. */
export class PassphraseError extends Error {
  override readonly name = "PassphraseError";
}

function stretch(passphrase: string, { salt, cost, blockSize }: Omit<Seal, "check" | "kdf">) {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  scrypt(
    passphrase.normalize("NFKC"),
    Buffer.from(salt, "hex"),
    32,
    { cost, blockSize, maxmem: 256 * cost * blockSize },
    (error, key) => (error === null ? resolve(key) : reject(error)),
  );
  return promise;
}

function checkOf(key: Buffer): string {
  return createHmac("sha256", key).update("consignment-ledger back-up").digest("hex");
}

/** A new folder's key, with a fresh salt. */
export async function makeFolderKey(passphrase: string, cost = COST): Promise<FolderKey> {
  const parameters = { salt: randomBytes(16).toString("hex"), cost, blockSize: 8 } as const;
  const key = await stretch(passphrase, parameters);
  return { seal: { kdf: "scrypt", ...parameters, check: checkOf(key) }, key };
}

/** The key of an existing folder; null if the folder is not encrypted. Throws PassphraseError. */
export async function openFolderKey(
  seal: Seal | null,
  passphrase: string | null,
): Promise<FolderKey | null> {
  if (seal === null) {
    return null;
  }
  if (passphrase === null) {
    throw new PassphraseError("This back-up is encrypted: set BACKUP_PASSPHRASE");
  }
  const key = await stretch(passphrase, seal);
  if (!isSame(checkOf(key), seal.check)) {
    throw new PassphraseError(
      "BACKUP_PASSPHRASE is not the passphrase that this back-up was made with",
    );
  }
  return { seal, key };
}

/** Proves that a text was written by somebody with the passphrase. */
export function authenticate({ key }: FolderKey, text: string): string {
  const own = Buffer.from(hkdfSync("sha256", key, "", "manifest", 32));
  return createHmac("sha256", own).update(text).digest("hex");
}

export function isSame(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Each file has a fresh salt and so a fresh key, which makes a counter a safe nonce. */
function fileKey({ key }: FolderKey, salt: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, `file ${name}`, 32));
}

function nonceOf(chunk: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(chunk), 4);
  return nonce;
}

/** Binds a chunk to its place, so that chunks cannot be moved, left out or cut off at the end. */
function placeOf(chunk: number, isLast: boolean): Buffer {
  return Buffer.from(`${chunk} ${isLast ? "last" : "more"}`);
}

type Chunk = { readonly bytes: Buffer; readonly index: number; readonly isLast: boolean };

/** The same bytes in chunks of one size; the last one may be shorter or empty. */
async function* inChunks(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Chunk> {
  let waiting: Buffer[] = [];
  let length = 0;
  let index = 0;
  for await (const bytes of source) {
    waiting.push(bytes);
    length += bytes.length;
    // One byte more than a chunk must be there: only then is it not the last one.
    if (length > size) {
      let all = Buffer.concat(waiting);
      for (; all.length > size; all = all.subarray(size)) {
        yield { bytes: all.subarray(0, size), index, isLast: false };
        index += 1;
      }
      waiting = [all];
      length = all.length;
    }
  }
  yield { bytes: Buffer.concat(waiting), index, isLast: true };
}

/** Encrypts a stream. The file's name is part of its key, so files cannot be exchanged. */
export async function* seal(
  folder: FolderKey,
  name: string,
  source: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const key = fileKey(folder, salt, name);
  yield Buffer.concat([MAGIC, salt]);
  for await (const { bytes, index, isLast } of inChunks(source, CHUNK_BYTES)) {
    const cipher = createCipheriv(CIPHER, key, nonceOf(index));
    cipher.setAAD(placeOf(index, isLast));
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Decrypts what `seal` wrote. Throws if a byte was changed or chunks are not where they were. */
export async function* unseal(
  folder: FolderKey,
  name: string,
  source: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const broken = () => new Error(`${name} was changed: it cannot be decrypted`);
  const { header, rest } = await splitHeader(source);
  if (!header.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw broken();
  }
  const key = fileKey(folder, header.subarray(MAGIC.length), name);
  for await (const { bytes, index, isLast } of inChunks(rest, CHUNK_BYTES + TAG_BYTES)) {
    const end = bytes.length - TAG_BYTES;
    if (end < 0) {
      throw broken();
    }
    const decipher = createDecipheriv(CIPHER, key, nonceOf(index), { authTagLength: TAG_BYTES });
    decipher.setAAD(placeOf(index, isLast));
    decipher.setAuthTag(bytes.subarray(end));
    let opened: Buffer;
    try {
      opened = Buffer.concat([decipher.update(bytes.subarray(0, end)), decipher.final()]);
    } catch {
      throw broken();
    }
    yield opened;
  }
}

/** The first bytes of a stream, and the stream of those behind them. */
async function splitHeader(
  source: AsyncIterable<Buffer>,
): Promise<{ header: Buffer; rest: AsyncIterable<Buffer> }> {
  const length = MAGIC.length + SALT_BYTES;
  const iterator = source[Symbol.asyncIterator]();
  let read = Buffer.alloc(0);
  while (read.length < length) {
    const next = await iterator.next();
    if (next.done === true) {
      break;
    }
    read = Buffer.concat([read, next.value]);
  }
  async function* rest(): AsyncGenerator<Buffer> {
    yield read.subarray(length);
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      yield next.value;
    }
  }
  return { header: read.subarray(0, length), rest: rest() };
}
