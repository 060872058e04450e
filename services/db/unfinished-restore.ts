// A file in a data folder says that a restore into it has not ended: before its database exists, nothing else can say so.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { stopUnheld } from "#db/embedded.ts";
import { homeOf } from "#db/embedded/home.ts";

export function unfinishedRestoreIn(dataDir: string): string {
  return join(dataDir, "unfinished-restore");
}

/**
 * Otherwise a start would make a new store there, and offer it to the first person as its admin. Stops the server of a
 * restore that was killed; throws `DataFolderInUse` while one runs.
 */
export async function refuseUnfinishedRestoreIn(
  dataDir: string,
  report: (line: string) => void,
): Promise<void> {
  if (!existsSync(unfinishedRestoreIn(dataDir))) {
    return;
  }
  await stopUnheld(dataDir, report);
  throw new Error(
    `A restore into ${dataDir} did not end, so its database is not complete. ` +
      `Remove ${homeOf(dataDir)} and ${unfinishedRestoreIn(dataDir)}, and restore again`,
  );
}
