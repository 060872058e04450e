// A file in a data folder says that a restore into it has not ended: before its database exists, nothing else can say so.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { homeOf } from "#db/embedded/home.ts";

export function unfinishedRestoreIn(dataDir: string): string {
  return join(dataDir, "unfinished-restore");
}

export function describeUnfinishedRestore(dataDir: string): string {
  return (
    `A restore into ${dataDir} did not end, so its database is not complete. ` +
    `Remove ${homeOf(dataDir)} and ${unfinishedRestoreIn(dataDir)}, and restore again`
  );
}

/** Otherwise a start would make a new store there, and offer it to the first person as its admin. */
export function refuseUnfinishedRestoreIn(dataDir: string): void {
  if (existsSync(unfinishedRestoreIn(dataDir))) {
    throw new Error(describeUnfinishedRestore(dataDir));
  }
}
