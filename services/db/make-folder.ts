// Makes a folder on any file system: Node's own recursive way never ends where a folder takes no others, such as /proc.
import { existsSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/** Also makes those above it. Returns the ones that it made, the outermost first. */
export async function makeFolder(folder: string, mode = 0o777): Promise<readonly string[]> {
  const above = dirname(folder);
  const made = existsSync(above) ? [] : await makeFolder(above, mode);
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) {
      return made;
    }
    throw error;
  }
  return [...made, folder];
}
