// Folders of restore drills: their names say which process made them, so that the next drill removes those of killed ones.
import { createHash } from "node:crypto";
import { chmod, lstat, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { stopUnheld } from "#db/embedded.ts";
import { homeOf, isStillThere, startTimeOf } from "#db/embedded/home.ts";

/** Process ids mean something on one host only, and containers may share the folder. Short, as a socket's path must be. */
function prefixHere(): string {
  const host = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
  return `ledger-drill-${host}-`;
}

/** A new folder in TMPDIR for a drill of this process. */
export async function makeDrillFolder(): Promise<string> {
  const maker = `${process.pid}-${startTimeOf(process.pid)}-`;
  const folder = await mkdtemp(join(tmpdir(), `${prefixHere()}${maker}`));
  // The server may run under another account.
  await chmod(folder, 0o711);
  return folder;
}

/** Removes a drill's folder with its data, also where those had to be elsewhere. Its server must have been stopped. */
export async function removeDrillFolder(folder: string): Promise<void> {
  const home = await realpath(homeOf(folder)).catch(() => null);
  if (home !== null) {
    await rm(home, { recursive: true, force: true });
  }
  await rm(folder, { recursive: true, force: true });
}

/**
 * Stops the servers of drills that were killed, and removes their folders: each is a whole store, not encrypted. Only
 * folders of this account, because anybody may make some of that name in TMPDIR.
 */
export async function removeKilledDrills(report: (line: string) => void): Promise<void> {
  const prefix = prefixHere();
  for (const name of (await readdir(tmpdir())).filter((entry) => entry.startsWith(prefix))) {
    const folder = join(tmpdir(), name);
    const [pid, startTime = ""] = name.slice(prefix.length).split("-");
    const found = await lstat(folder).catch(() => null);
    const isOurs = found?.isDirectory() === true && found.uid === process.getuid?.();
    if (isOurs && !isStillThere({ pid: Number(pid), startTime })) {
      await stopUnheld(folder, report);
      await removeDrillFolder(folder);
      report(`Removed ${folder}, which a killed restore drill had left behind`);
    }
  }
}
