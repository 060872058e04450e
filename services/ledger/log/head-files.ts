// Where published heads are kept outside the database, and how verify opens files of heads.
import { open, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "#ledger/log/failure.ts";
import type { HeadLine } from "#ledger/log/head-lines.ts";
import { readHeadLines } from "#ledger/log/head-lines.ts";

/** The heads of one store on one machine. */
export type HeadsPlace = {
  /** Each process that appends has its own file in it. */
  readonly folder: string;
  /** The file that all processes used to write to; it is still read. */
  readonly formerFile: string;
};

/** A source of published heads, with a name for people. */
export type HeadSource = {
  readonly name: string;
  readonly read: () => Iterable<readonly HeadLine[]> | AsyncIterable<readonly HeadLine[]>;
};

export type OpenHeads = AsyncDisposable & { readonly sources: readonly HeadSource[] };

const EXTENSION = ".log";

function isAbsent(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}

/** The files that are in a place now. */
export async function headFilesIn({ folder, formerFile }: HeadsPlace): Promise<string[]> {
  const files = await headFilesOf(folder);
  const former = await stat(formerFile).catch((error: unknown) => {
    if (isAbsent(error)) {
      return null;
    }
    throw error;
  });
  return former === null ? files : [formerFile, ...files];
}

async function headFilesOf(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names
      .filter((name) => name.endsWith(EXTENSION))
      .sort()
      .map((name) => path.join(folder, name));
  } catch (error) {
    if (isAbsent(error)) {
      return [];
    }
    throw error;
  }
}

/** The copies that somebody named: files, and the files in named folders. Throws a RangeError if there are none. */
export async function headFilesAt(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const given of paths) {
    const found = await stat(given).catch(() => null);
    if (found === null) {
      throw new RangeError(`There is no file or folder ${given}`);
    }
    const inside = found.isDirectory() ? await headFilesOf(given) : [given];
    if (inside.length === 0) {
      throw new RangeError(`There are no files of heads (*${EXTENSION}) in ${given}`);
    }
    files.push(...inside);
  }
  return files;
}

/**
 * Opens files as they are now: lines added later and files replaced later are not read. A verification that opens
 * them before it reads the log meets no head that is newer than the log it reads.
 */
export async function openHeads(files: readonly string[]): Promise<OpenHeads> {
  await using opened = new AsyncDisposableStack();
  const sources: HeadSource[] = [];
  for (const name of files) {
    const file = opened.use(await open(name, "r"));
    const { size } = await file.stat();
    sources.push({ name, read: () => readHeadLines(file, size) });
  }
  const kept = opened.move();
  return { sources, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
