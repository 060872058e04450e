// Everything that the worker does about back-ups: nightly runs, and the list of erased people that a restore reads.
import { startBackupJobs } from "./backup-jobs.ts";
import type { Store } from "./open-store.ts";
import { startErasedList } from "./erased-list.ts";

export async function startKeepingBackups({
  boss,
  workSql: sql,
  ownerUrl,
  config: { backup, heads },
  facts,
  identity,
  clock,
  logger,
}: Store): Promise<{ readonly close: () => Promise<void> }> {
  const folders = [heads.folder, ...(backup.folder === null ? [] : [backup.folder])];
  const erasedList = startErasedList({
    sql,
    folders,
    sealed: identity.parts.sealed,
    logger,
  });
  const timeZone = facts.timeZone;
  const jobs = await startBackupJobs({ boss, sql, ownerUrl, backup, timeZone, clock, logger });
  return {
    close: async () => {
      await jobs.close();
      await erasedList.close();
    },
  };
}
