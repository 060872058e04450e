// npm run restore-drill: restores the newest back-up in a temporary place next to the live store, and proves it.
import { resolve } from "node:path";
import { readConfig } from "#config";
import { headFilesAt, headFilesIn } from "#ledger/log/head-files.ts";
import { makeTemporaryStore } from "#process/empty-store.ts";
import type { EmptyStore } from "#process/empty-store.ts";
import { restoreStore } from "#process/restore-store.ts";
import { readSecretKeys } from "#process/secret-keys.ts";
import {
  endWithUsage,
  progressBar,
  readCommandLine,
  runScript,
  untilInterrupted,
} from "./command-line.ts";
import { describeRestored, passed } from "./restore-report.ts";

const line = readCommandLine(
  "npm run restore-drill -- [DIR] [options]",
  "Restores the back-up in DIR (BACKUP_DIR by default) into a temporary embedded database, compares its log with the\n" +
    "heads published in DATA_DIR/heads, builds all read tables, proves the books, and removes it again. The store is\n" +
    "neither changed nor stopped. TMPDIR says where the database is made: it takes about as much room as the store's.\n\n" +
    "Exits with 0 for pass, with 1 for fail, and with 2 if it was called wrongly.",
  {
    heads: {
      type: "string",
      value: "PATH",
      multiple: true,
      help: "a file or folder of heads kept elsewhere; may be repeated",
    },
  },
);

async function run(folder: string): Promise<number> {
  const config = readConfig();
  const copies = await headFilesAt(line.values.get("heads") ?? []);
  const progress = progressBar(line.json);
  let store: EmptyStore | undefined;
  let removed: Promise<void> | undefined;
  const remove = () => (removed ??= store?.remove() ?? Promise.resolve());
  const signal = untilInterrupted("Stopped; nothing was proved");
  // Without its database, whatever is under way ends.
  signal.addEventListener("abort", () => void remove());
  try {
    const restored = await restoreStore({
      folder: resolve(folder),
      passphrase: config.backup.passphrase,
      secretKeys: await readSecretKeys(config.secretKey),
      heads: [...(await headFilesIn(config.heads)), ...copies],
      openTarget: async () => {
        store = await makeTemporaryStore(() => undefined);
        return store;
      },
      onProgress: progress.update,
      signal,
    });
    progress.end();
    process.stdout.write(
      line.json ? `${JSON.stringify(restored)}\n` : `${describeRestored(restored)}\n`,
    );
    return passed(restored) ? 0 : 1;
  } catch (error) {
    progress.end();
    process.stdout.write(line.json ? "" : "Fail: the back-up could not be restored.\n");
    throw error;
  } finally {
    await remove();
  }
}

const [named, another] = line.positionals;
if (another !== undefined) {
  endWithUsage(`Unexpected argument '${another}'`);
}
const folder =
  named ?? readConfig().backup.folder ?? endWithUsage("Name a folder, or set BACKUP_DIR");
await runScript(() => run(folder));
