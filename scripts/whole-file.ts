// Writes a file of an export so that nobody ever finds a part of it under its name, whatever happens meanwhile.
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { access, link, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { codeOf } from "#ledger/log/failure.ts";

/** What the systems of files answer that have no second names, as that of many USB sticks. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(["EPERM", "ENOTSUP", "ENOSYS", "EMLINK"]);

/**
 * The file gets its name when all pieces are on the disk, and never takes that of another. Until then they are in a
 * file of this call alone, which only a killed process leaves behind: `FILE.<8 digits>.part`. Throws if the name is
 * taken, before anything is read, and at the end if somebody took it meanwhile; and its reason if `signal` aborts.
 */
export async function writeWholeFile(
  pieces: AsyncIterable<string>,
  file: string,
  signal?: AbortSignal,
): Promise<void> {
  await refuseTaken(file);
  const unfinished = `${file}.${randomUUID().slice(0, 8)}.part`;
  try {
    // Flushed: otherwise the name could outlive a power failure without the bytes.
    const written = createWriteStream(unfinished, { flags: "wx", flush: true });
    await pipeline(Readable.from(pieces), written, signal === undefined ? {} : { signal });
    await giveName(unfinished, file);
    await flushFolder(path.dirname(file));
  } catch (error) {
    // Of the system's own words nobody knows which file they are about.
    throw signal?.aborted === true
      ? signal.reason
      : isOfSystem(error)
        ? new Error(`${file} was not written: ${error.message}`, { cause: error })
        : error;
  } finally {
    await rm(unfinished, { force: true });
  }
}

function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error;
}

async function refuseTaken(file: string): Promise<void> {
  const isFree = await access(file).then(
    () => false,
    (error: unknown) => codeOf(error) === "ENOENT",
  );
  if (!isFree) {
    throw new Error(`${file} is there already. Nothing was written`);
  }
}

async function giveName(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file);
  } catch (error) {
    if (codeOf(error) === "EEXIST") {
      throw new Error(`Somebody else wrote ${file} meanwhile. It stays as it is`, { cause: error });
    }
    if (!NO_LINKS.has(codeOf(error))) {
      throw error;
    }
    await refuseTaken(file);
    await rename(unfinished, file);
  }
}

async function flushFolder(folder: string): Promise<void> {
  const opened = await open(folder);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
