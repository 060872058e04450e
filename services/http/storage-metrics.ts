// Numbers about the room that is left on this machine, for whoever watches it.
import { Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { FolderSpace } from "#db/free-space.ts";
import type { StorageWatch } from "#db/storage-watch.ts";

/** Registers gauges that are read when somebody asks; without a folder of ours there is nothing in them. */
export function observeStorage(registry: Registry, storage: StorageWatch): void {
  const observe = (name: string, help: string, valueOf: (space: FolderSpace) => number): void => {
    void new Gauge({
      name,
      help,
      labelNames: ["folder"],
      registers: [registry],
      async collect() {
        for (const space of (await storage.look()).folders) {
          this.set({ folder: space.name }, valueOf(space));
        }
      },
    });
  };
  observe(
    "ledger_storage_free_bytes",
    "What is free on the disk under a folder of the embedded database",
    ({ freeBytes }) => freeBytes,
  );
  observe(
    "ledger_storage_size_bytes",
    "The size of the disk under a folder of the embedded database",
    ({ sizeBytes }) => sizeBytes,
  );
}
