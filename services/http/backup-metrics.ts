// Metrics of back-ups and restore drills: how old the last good ones are, and whether the last drill passed.
import { Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { LastRuns } from "#db/backup/runs.ts";
import { isServerTrouble } from "#ledger/log/failure.ts";

/** Registers gauges that are read at each scrape. Those that nothing is known of have no value. */
export function observeBackups(
  registry: Registry,
  { readLast, clock }: { readonly readLast: () => Promise<LastRuns>; readonly clock: () => Date },
): void {
  const gauge = (
    name: string,
    help: string,
    valueOf: (last: LastRuns) => number | undefined,
  ): void => {
    void new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.remove();
        const value = await readLast().then(valueOf, (error: unknown) => {
          if (isServerTrouble(error)) {
            return undefined;
          }
          throw error;
        });
        if (value !== undefined) {
          this.set(value);
        }
      },
    });
  };
  const ageOf = (run: { readonly endedAt: Date } | null): number | undefined =>
    run === null ? undefined : Math.max(0, (clock().getTime() - run.endedAt.getTime()) / 1000);
  gauge("ledger_backup_age_seconds", "Seconds since the last back-up that passed", (last) =>
    ageOf(last.goodBackup),
  );
  gauge(
    "ledger_restore_drill_age_seconds",
    "Seconds since the last restore drill that passed",
    (last) => ageOf(last.goodDrill),
  );
  gauge("ledger_restore_drill_passed", "1 if the last restore drill passed, else 0", ({ drill }) =>
    drill === null ? undefined : Number(drill.passed),
  );
}
