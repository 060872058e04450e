// Metrics of the outbox of notifications: what waits, what is uncertain or given up, and how old the oldest is.
import { Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { Sql } from "#db/connect.ts";
import type { OutboxCounts } from "#features/notifications/outbox-now.ts";
import { countOutbox } from "#features/notifications/outbox-now.ts";
import { sharedByAScrape } from "#http/ledger-metrics.ts";

/** Registers gauges that are read at each scrape; they are left out while the database is away. */
export function observeNotifications(
  registry: Registry,
  { sql, clock }: { readonly sql: Sql; readonly clock: () => Date },
): void {
  const read = sharedByAScrape(() => countOutbox(sql, clock()));
  const gauge = (name: string, help: string, valueOf: (counts: OutboxCounts) => number): void => {
    void new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.remove();
        const counts = await read();
        if (counts !== undefined) {
          this.set(valueOf(counts));
        }
      },
    });
  };
  gauge(
    "ledger_notifications_waiting",
    "Notifications that wait to be sent",
    ({ waiting }) => waiting,
  );
  gauge(
    "ledger_notifications_uncertain",
    "Notifications that may have arrived, or arrived twice, and nobody has looked at",
    ({ uncertain }) => uncertain,
  );
  gauge(
    "ledger_notifications_given_up",
    "Notifications that were given up",
    ({ givenUp }) => givenUp,
  );
  gauge(
    "ledger_notification_channels_stopped",
    "Channels that send nothing until an operator acts",
    ({ stopped }) => stopped,
  );
  gauge(
    "ledger_notifications_oldest_seconds",
    "Age of the oldest notification that waits; 0 if none does",
    ({ oldestSeconds }) => oldestSeconds,
  );
}
