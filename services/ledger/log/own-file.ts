// Gives each process its own file in a folder: a lock next to the file names the process and ends with it.
import { hostname } from "node:os";
import { mkdir, readlink, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "#ledger/log/failure.ts";
import { isAlive, startTimeOf } from "#db/embedded/home.ts";

export type OwnFile = {
  readonly file: string;
  /** False if another process took this one for dead; then a new file must be chosen. */
  readonly isOurs: () => Promise<boolean>;
  readonly release: () => Promise<void>;
};

/** Any further processes of the same name on one host share the last file, which loses nothing. */
const MOST = 99;

// Distinguishes two writers in one process, as in tests.
let takenHere = 0;

/**
 * `<folder>/<host>-<process>.log`; a second process of this name on this host gets `…-2.log`. The lock is a symbolic
 * link, because creating one is atomic and fails if it exists. It points nowhere; its target only holds a text.
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

/** Takes the lock if it is free or the process that holds it is gone. */
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
    if (codeOf(error) === "EEXIST") {
      return false;
    }
    throw error;
  }
}

async function ownerOf(lock: string): Promise<string | null> {
  try {
    return await readlink(lock);
  } catch (error) {
    if (codeOf(error) === "ENOENT") {
      return null;
    }
    throw error;
  }
}
