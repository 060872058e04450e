// Numbers about the ledger for whoever watches it: how far the log is, how far the read tables are behind.
import { Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { ReadCheckpoints } from "#http/checkpoints.ts";
import { isServerTrouble } from "#ledger/log/failure.ts";

/** Registers gauges that are read when somebody asks for the metrics. */
export function observeLedger(
  registry: Registry,
  sources: {
    readonly readCheckpoints: ReadCheckpoints;
    /** Commands that wait for their batch. */
    readonly queueLength: () => number;
    readonly listenerCount: () => number;
  },
): void {
  const position = new Gauge({
    name: "ledger_projection_position",
    help: "The position that a projection's live tables have reached",
    labelNames: ["projection"],
    registers: [registry],
  });
  void new Gauge({
    name: "ledger_head_position",
    help: "The log's last position",
    registers: [registry],
    // Sets the positions too, since both come from one query.
    async collect() {
      position.reset();
      this.remove();
      const checkpoints = await sources.readCheckpoints().catch((error: unknown) => {
        if (isServerTrouble(error)) {
          return undefined;
        }
        throw error;
      });
      if (checkpoints === undefined) {
        // The other numbers are wanted all the more while the database is away.
        return;
      }
      this.set(checkpoints.head);
      for (const [projection, reached] of checkpoints.positions) {
        position.set({ projection }, reached);
      }
    },
  });
  void new Gauge({
    name: "ledger_waiting_commands",
    help: "Commands of this process that wait for their batch",
    registers: [registry],
    collect() {
      this.set(sources.queueLength());
    },
  });
  void new Gauge({
    name: "ledger_live_listeners",
    help: "Open live streams of this process",
    registers: [registry],
    collect() {
      this.set(sources.listenerCount());
    },
  });
}
