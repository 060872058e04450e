// Metrics of the proof: open alerts by kind, open payout holds, and how long ago everything was proved.
import { Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { Config } from "#config";
import type { Sql } from "#db/connect.ts";
import { readProof } from "#features/alerts/proof-now.ts";
import type { AlertKind } from "#features/alerts/streams.ts";
import { ALERTS, alertsStream } from "#features/alerts/streams.ts";
import { HOLDS, holdsStream } from "#features/holds/streams.ts";
import { sharedByAScrape } from "#http/ledger-metrics.ts";
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
  const alerts = sharedByAScrape(() => readState(parts, alertsStream, ALERTS));
  const holds = sharedByAScrape(() => readState(parts, holdsStream, HOLDS));
  const proof = sharedByAScrape(() => readProof(sql));
  void new Gauge({
    name: "ledger_alerts_open",
    help: "Alerts that are open, by kind",
    labelNames: ["kind"],
    registers: [registry],
    async collect() {
      this.reset();
      const read = await alerts();
      for (const kind of read === undefined ? [] : KINDS) {
        this.set({ kind }, read?.open.filter((alert) => alert.kind === kind).length ?? 0);
      }
    },
  });
  void new Gauge({
    name: "ledger_payout_holds",
    help: "Payout holds that are open",
    registers: [registry],
    async collect() {
      this.remove();
      const read = await holds();
      if (read !== undefined) {
        this.set(read.open.length);
      }
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
      const provedAt = (await proof())?.provedAt ?? null;
      if (provedAt !== null) {
        this.set((clock().getTime() - provedAt.getTime()) / 1000);
      }
    },
  });
}
