// Removes letters to erased people from the outbox.
import { readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Removes every letter to such an address; returns how many. A missing folder has none. */
export async function forgetLetters(
  folder: string,
  isForgotten: (address: string) => boolean,
): Promise<number> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") {
      return [];
    }
    throw error;
  });
  let removed = 0;
  for (const name of names.filter((entry) => entry.endsWith(".eml"))) {
    const file = join(folder, name);
    const address = addresseeOf(await readFile(file, "utf8"));
    if (address !== undefined && isForgotten(address)) {
      await rm(file, { force: true });
      removed += 1;
    }
  }
  return removed;
}

/** The recipient of a letter: one address, with or without angle brackets. */
function addresseeOf(letter: string): string | undefined {
  const header = /^To:[ \t]*((?:.*(?:\r?\n[ \t]+)?)+?)\r?$/imu.exec(letter)?.[1];
  return header === undefined ? undefined : (/<([^<>]+)>/u.exec(header)?.[1] ?? header.trim());
}
