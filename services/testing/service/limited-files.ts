// Runs a script in a process whose files may not grow beyond a size, so that the system writes only a part of what it gets.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Blocks of 512 bytes. */
const BLOCKS = 100;
/** Bytes, which are written at once. */
export const MORE_THAN_FITS = 60_000;

/** The script is a module in the repository's root. Returns what it printed. */
export async function runWithLimitedFiles(script: string): Promise<string> {
  const limited = `ulimit -f ${BLOCKS} && exec "$0" --input-type=module -e "$1"`;
  const child = spawn("sh", ["-c", limited, process.execPath, script], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return await text(child.stdout);
}
