// Metrics of the ledger: the log's position, and how far the read tables are behind.
import { Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { HeldCount } from "#ledger/projection/held.ts";
import type { ReadCheckpoints } from "#http/checkpoints.ts";
import { isServerTrouble } from "#ledger/log/failure.ts";

/** Registers gauges that are read at each scrape. */
export function observeLedger(
  registry: Registry,
  sources: {
    readonly readCheckpoints: ReadCheckpoints;
    readonly countHeld: () => Promise<readonly HeldCount[]>;
    /** Commands that wait for their batch. */
    readonly queueLength: () => number;
    readonly listenerCount: () => number;
  },
): void {
  const readCheckpoints = sharedByAScrape(sources.readCheckpoints);
  void new Gauge({
    name: "ledger_projection_position",
    help: "The position that a projection's live tables have reached",
    labelNames: ["projection"],
    registers: [registry],
    async collect() {
      const checkpoints = await readCheckpoints();
      this.reset();
      for (const [projection, reached] of checkpoints?.positions ?? []) {
        this.set({ projection }, reached);
      }
    },
  });
  void new Gauge({
    name: "ledger_head_position",
    help: "The log's last position",
    registers: [registry],
    async collect() {
      const checkpoints = await readCheckpoints();
      this.remove();
      if (checkpoints !== undefined) {
        this.set(checkpoints.head);
      }
    },
  });
  observeHeldKeys(registry, sources.countHeld);
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

function observeHeldKeys(
  registry: Registry,
  readCounts: () => Promise<readonly HeldCount[]>,
): void {
  const countHeld = sharedByAScrape(readCounts);
  void new Gauge({
    name: "ledger_held_keys",
    help: "Row keys that a projection's shown tables hold back",
    labelNames: ["projection"],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { projection, state, held } of (await countHeld()) ?? []) {
        if (state === "live") {
          this.set({ projection }, held);
        }
      }
    },
  });
  void new Gauge({
    name: "ledger_not_shown_keys",
    help: "Row keys for which a newer version of a projection's tables is not shown",
    labelNames: ["projection"],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { projection, state, newlyHeld } of (await countHeld()) ?? []) {
        if (state === "ready") {
          this.set({ projection }, newlyHeld);
        }
      }
    },
  });
}

/**
 * All gauges of one scrape are collected at once: they share one query, and the next scrape makes a new one.
 * Undefined while the database is away, because then the other metrics are needed most.
 */
export function sharedByAScrape<Result>(
  read: () => Promise<Result>,
): () => Promise<Result | undefined> {
  let running: Promise<Result | undefined> | undefined;
  return () => {
    running ??= read()
      .catch((error: unknown) => {
        if (isServerTrouble(error)) {
          return undefined;
        }
        throw error;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };
}
