// Metrics of the image backfill: whether it runs or is paused, and how many items wait, are done, or failed.
import { Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { Sql } from "#db/connect.ts";
import { countBackfill } from "#features/images/backfill-counts.ts";
import { sharedByAScrape } from "#http/ledger-metrics.ts";

/** A store that never had a backfill counts 0 of everything. */
export function observeImages(registry: Registry, sql: Sql): void {
  const counts = sharedByAScrape(async () => ({ backfill: await countBackfill(sql) }));
  void new Gauge({
    name: "ledger_image_backfill_items",
    help: "Items of the newest image backfill that wait, are done, or failed",
    labelNames: ["outcome"],
    registers: [registry],
    async collect() {
      this.reset();
      const read = await counts();
      if (read !== undefined) {
        const { backfill } = read;
        this.set({ outcome: "waiting" }, backfill?.waiting ?? 0);
        this.set({ outcome: "done" }, backfill?.done ?? 0);
        this.set({ outcome: "failed" }, backfill?.failed ?? 0);
      }
    },
  });
  void new Gauge({
    name: "ledger_image_backfill_state",
    help: "1 for the state that the newest image backfill is in",
    labelNames: ["state"],
    registers: [registry],
    async collect() {
      this.reset();
      const read = await counts();
      for (const state of read === undefined ? [] : (["running", "paused"] as const)) {
        this.set({ state }, read?.backfill?.state === state ? 1 : 0);
      }
    },
  });
}
