// An embedded database without any tables: the place a back-up is restored into, for good or for a drill.
import { realpath, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { BackupError } from "#db/backup/manifest.ts";
import { startEmbedded } from "#db/embedded.ts";
import type { EmbeddedPostgres } from "#db/embedded.ts";
import { homeOf } from "#db/embedded/home.ts";
import { makeFolder } from "#db/make-folder.ts";
import { refuseUnfinishedRestoreIn, unfinishedRestoreIn } from "#db/unfinished-restore.ts";
import { makeDrillFolder, removeDrillFolder, removeKilledDrills } from "./killed-drills.ts";

export type EmptyStore = Pick<EmbeddedPostgres, "appUrl" | "ownerUrl"> & {
  /** From now on, programs start on it. */
  readonly finish: () => Promise<void>;
  /** Stops the server. The data stays. */
  readonly stop: () => Promise<void>;
  /** Stops the server and removes its data. */
  readonly remove: () => Promise<void>;
};

type Where = {
  readonly dataDir: string;
  /** A drill's data need not survive a power cut. */
  readonly durability: "durable" | "test";
  readonly report: (line: string) => void;
};

/** Makes the database of a data folder that has none. It is held like a service's, so that nobody takes it over. */
export async function makeEmptyStore({ dataDir, durability, report }: Where): Promise<EmptyStore> {
  const mark = unfinishedRestoreIn(dataDir);
  if (existsSync(homeOf(dataDir))) {
    await refuseUnfinishedRestoreIn(dataDir, report);
    throw new BackupError(
      `There is a store in ${dataDir} already. Restore into another folder (--to), or move ${homeOf(dataDir)} away`,
    );
  }
  // Before there is anything that could be taken for a new store.
  await makeFolder(dataDir);
  await writeFile(mark, "");
  const server = await startEmbedded({ dataDir, durability, holder: "service", report }).catch(
    async (error: unknown) => {
      if (!existsSync(homeOf(dataDir))) {
        await rm(mark);
      }
      throw error;
    },
  );
  const { appUrl, ownerUrl, stop } = server;
  return {
    appUrl,
    ownerUrl,
    stop,
    finish: () => rm(mark),
    remove: async () => {
      const home = await realpath(homeOf(dataDir));
      await stop();
      await rm(home, { recursive: true, force: true });
      await rm(homeOf(dataDir), { force: true });
      await rm(mark, { force: true });
    },
  };
}

/** One in a temporary folder (TMPDIR says where), which is removed with it. First, those of killed drills are. */
export async function makeTemporaryStore(report: (line: string) => void): Promise<EmptyStore> {
  await removeKilledDrills(report);
  const folder = await makeDrillFolder();
  try {
    const store = await makeEmptyStore({ dataDir: folder, durability: "test", report });
    return {
      ...store,
      remove: async () => {
        await store.remove();
        await removeDrillFolder(folder);
      },
    };
  } catch (error) {
    await removeDrillFolder(folder);
    throw error;
  }
}
