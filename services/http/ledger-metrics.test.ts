// A process's metrics can be read while its database is away, when they are needed most.
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { observeLedger } from "#http/ledger-metrics.ts";

function observe(error: Error): Registry {
  const registry = new Registry();
  observeLedger(registry, {
    readCheckpoints: async () => {
      throw error;
    },
    countHeld: async () => {
      throw error;
    },
    queueLength: () => 7,
    listenerCount: () => 0,
  });
  return registry;
}

test("while the database is away, the process's own metrics are there, and those of the database are left out", async () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const text = await observe(refused).metrics();
  expect(text).toContain("ledger_waiting_commands 7");
  expect(text).not.toMatch(/^ledger_head_position/mu);
});

test("a bug in reading the checkpoints is not treated as an outage", async () => {
  await expect(observe(new Error("a bug")).metrics()).rejects.toThrow("a bug");
});
