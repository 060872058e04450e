// Metrics of the proof: open alerts by kind, open payout holds, and how long ago everything was proved.
import { Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { Config } from "#config";
import type { Sql } from "#db/connect.ts";
import { readProof } from "#features/alerts/proof-now.ts";
import type { AlertKind } from "#features/alerts/streams.ts";
import { ALERTS, alertsStream } from "#features/alerts/streams.ts";
import { HOLDS, holdsStream } from "#features/holds/streams.ts";
import { isServerTrouble } from "#ledger/log/failure.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { readState } from "#ledger/log/read-state.ts";
import { events } from "../features.ts";

const KINDS: readonly AlertKind[] = [
  "drift",
  "held",
  "stalled",
  "books",
  "proof",
  "backup",
  "notifications",
];

/** Registers gauges that are read at each scrape; they are left out while the database is away. */
export function observeProof(
  registry: Registry,
  {
    sql,
    clock,
    config: { proofTime },
  }: {
    readonly sql: Sql;
    readonly clock: () => Date;
    readonly config: Pick<Config, "proofTime">;
  },
): void {
  const parts = { sql, readEvent: createReadEvent(events) };
  const unlessAway = async (read: () => Promise<void>): Promise<void> => {
    try {
      await read();
    } catch (error) {
      if (!isServerTrouble(error)) {
        throw error;
      }
    }
  };
  void new Gauge({
    name: "ledger_alerts_open",
    help: "Alerts that are open, by kind",
    labelNames: ["kind"],
    registers: [registry],
    async collect() {
      this.reset();
      await unlessAway(async () => {
        const { open } = await readState(parts, alertsStream, ALERTS);
        for (const kind of KINDS) {
          this.set({ kind }, open.filter((alert) => alert.kind === kind).length);
        }
      });
    },
  });
  void new Gauge({
    name: "ledger_payout_holds",
    help: "Payout holds that are open",
    registers: [registry],
    async collect() {
      this.remove();
      await unlessAway(async () => {
        this.set((await readState(parts, holdsStream, HOLDS)).open.length);
      });
    },
  });
  new Gauge({
    name: "ledger_proof_expected",
    help: "1 where the books are proved every night, 0 with PROOF_TIME=off",
    registers: [registry],
  }).set(proofTime === null ? 0 : 1);
  void new Gauge({
    name: "ledger_proof_age_seconds",
    help: "How long ago the last proof of the whole books ended; missing before the first",
    registers: [registry],
    async collect() {
      this.remove();
      await unlessAway(async () => {
        const { provedAt } = await readProof(sql);
        if (provedAt !== null) {
          this.set((clock().getTime() - provedAt.getTime()) / 1000);
        }
      });
    },
  });
}
