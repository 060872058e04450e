// Metrics of the log's writer in this process: sizes and times of batches, conflicts, and what was decided.
import { Counter, Histogram } from "prom-client";
import type { Registry } from "prom-client";
import type { LedgerWriter } from "#ledger/log/writer.ts";

/** Registers metrics that the writer counts up with each batch. */
export function observeWriter(registry: Registry, ledger: Pick<LedgerWriter, "watch">): void {
  const registers = [registry];
  const commands = new Histogram({
    name: "ledger_batch_commands",
    help: "Commands that were written together in one commit",
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  });
  const seconds = new Histogram({
    name: "ledger_batch_seconds",
    help: "From the first decision of a batch to its commit, with everything that was decided again",
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  const events = new Counter({
    name: "ledger_events_total",
    help: "Events that this process appended",
    registers,
  });
  const accepted = new Counter({
    name: "ledger_commands_accepted_total",
    help: "Commands that this process accepted; repeated ones are not counted",
    registers,
  });
  const rejected = new Counter({
    name: "ledger_rejections_total",
    help: "Commands that this process refused, by the code of the refusal; repeated ones are not counted",
    labelNames: ["code"],
    registers,
  });
  const conflicts = new Counter({
    name: "ledger_conflicts_total",
    help: "Batches that were decided again because another process had written first",
    registers,
  });
  ledger.watch({
    onConflict: () => conflicts.inc(),
    onBatch({ decided, events: written }, took) {
      commands.observe(decided.length);
      seconds.observe(took / 1000);
      events.inc(written.length);
      let refusals = 0;
      for (const { decision } of decided) {
        if (decision.kind === "rejected") {
          refusals += 1;
          rejected.inc({ code: decision.code });
        }
      }
      accepted.inc(decided.length - refusals);
    },
  });
}
