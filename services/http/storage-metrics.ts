// Metrics of the free disk space on this machine.
import { Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { FolderSpace } from "#db/free-space.ts";
import type { StorageWatch } from "#db/storage-watch.ts";

/** Registers gauges that are read at each scrape; they are empty without folders on this machine. */
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
    "The free space on the disk of a folder of the embedded database",
    ({ freeBytes }) => freeBytes,
  );
  observe(
    "ledger_storage_size_bytes",
    "The size of the disk of a folder of the embedded database",
    ({ sizeBytes }) => sizeBytes,
  );
}
