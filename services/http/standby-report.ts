// The hot standby in `/readyz` and `/metrics`: whether it follows, its lag, and which reads went to the primary.
import { Counter, Gauge, type Registry } from "prom-client";
import type { Standby } from "#db/standby.ts";
import type { ReadinessCheck } from "#http/readiness.ts";
import type { ReadOutcome } from "#http/read-place.ts";

/** How many reads went where, and why, since the process started. */
export type ReadCounts = {
  readonly count: (outcome: ReadOutcome) => void;
  readonly of: (outcome: ReadOutcome) => number;
};

export function createReadCounts(): ReadCounts {
  const counts = new Map<ReadOutcome, number>();
  return {
    count: (outcome) => void counts.set(outcome, (counts.get(outcome) ?? 0) + 1),
    of: (outcome) => counts.get(outcome) ?? 0,
  };
}

/** A warning, never a failure: without its standby the store reads from the primary. */
export function standbyCheck(standby: Standby): ReadinessCheck {
  return {
    name: "standby",
    look: () => {
      const state = standby.state();
      if (state.kind === "following") {
        return Promise.resolve({ state: "ok", message: "The standby follows the primary" });
      }
      const trouble =
        state.kind === "behind"
          ? `is ${(state.lagMs / 1000).toFixed(1)} s behind`
          : `is not read from: ${state.reason}`;
      return Promise.resolve({
        state: "warning",
        message: `The standby ${trouble}; reads go to the primary until it has caught up`,
      });
    },
  };
}

const ON_PRIMARY = ["away", "behind", "late", "conflict", "lost"] as const;

/** Registers metrics that are read at each scrape. */
export function observeStandby(registry: Registry, standby: Standby, counts: ReadCounts): void {
  void new Gauge({
    name: "ledger_standby_lag_seconds",
    help: "The standby's lag: the age of the oldest change that it lacks",
    registers: [registry],
    collect() {
      this.set(standby.state().lagMs / 1000);
    },
  });
  void new Gauge({
    name: "ledger_standby_following",
    help: "1 while reads go to the standby, 0 while they go to the primary",
    registers: [registry],
    collect() {
      this.set(standby.state().kind === "following" ? 1 : 0);
    },
  });
  void new Counter({
    name: "ledger_reads_on_standby_total",
    help: "Requests whose reads went to the standby",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(counts.of("standby"));
    },
  });
  void new Counter({
    name: "ledger_reads_on_primary_total",
    help: "Requests whose reads went to the primary: the standby was away, behind, late for this request, lost during it, or replay canceled the read",
    labelNames: ["reason"],
    registers: [registry],
    collect() {
      this.reset();
      for (const reason of ON_PRIMARY) {
        this.inc({ reason }, counts.of(reason));
      }
    },
  });
}
