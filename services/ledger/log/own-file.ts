// Gives each process a file of its own in a folder: a lock beside the file names the process, and dies with it.
import { hostname } from "node:os";
import { mkdir, readlink, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { isAlive, startTimeOf } from "#db/embedded/home.ts";

export type OwnFile = {
  readonly file: string;
  /** False where somebody took this process for dead; then a file is to be chosen anew. */
  readonly isOurs: () => Promise<boolean>;
  readonly release: () => Promise<void>;
};

/** More of the same process on one host would share the last file, which loses nothing. */
const MOST = 99;

// So that two of one process, as in tests, are told apart.
let takenHere = 0;

/**
 * `<folder>/<host>-<process>.log`; a second process of this name on this host gets `…-2.log`. The lock is a symbolic
 * link, since making one is a single step that fails where there is one: it leads nowhere and only carries a text.
 */
export async function takeOwnFile(folder: string, name: string): Promise<OwnFile> {
  await mkdir(folder, { recursive: true });
  const host = hostname().replaceAll(/[^\w.-]/gu, "_");
  takenHere += 1;
  const owner = `${process.pid}-${startTimeOf(process.pid)}-${takenHere}`;
  for (let slot = 1; ; slot += 1) {
    const base = path.join(folder, `${host}-${name}${slot === 1 ? "" : `-${slot}`}`);
    const lock = `${base}.lock`;
    if ((await take(lock, owner)) || slot === MOST) {
      return {
        file: `${base}.log`,
        isOurs: async () => (await ownerOf(lock)) === owner || slot === MOST,
        release: async () => {
          if ((await ownerOf(lock)) === owner) {
            await rm(lock, { force: true });
          }
        },
      };
    }
  }
}

/** Takes the lock if it is free, or if the process that has it is gone. */
async function take(lock: string, owner: string): Promise<boolean> {
  const before = await ownerOf(lock);
  if (before !== null) {
    const [pid = "", startTime = ""] = before.split("-");
    if (isAlive(Number(pid)) && startTimeOf(Number(pid)) === startTime) {
      return false;
    }
    await rm(lock, { force: true });
  }
  try {
    await symlink(owner, lock);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      return false;
    }
    throw error;
  }
}

async function ownerOf(lock: string): Promise<string | null> {
  try {
    return await readlink(lock);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return null;
    }
    throw error;
  }
}
