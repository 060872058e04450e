// The alerts as people read them now: the log says how many rows were held back when an alert was raised, and more may be since.
import type { Sql } from "#db/connect.ts";
import type { Alert, AlertsState } from "#features/alerts/streams.ts";
import { ALERTS, alertsStream } from "#features/alerts/streams.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { readState } from "#ledger/log/read-state.ts";
import type { HeldCount } from "#ledger/projection/held.ts";
import { countHeldKeys } from "#ledger/projection/held.ts";

/** With the present number of rows. Until a look resolves it, an alert without any keeps what it said. */
function countedNow(alert: Alert, held: readonly HeldCount[]): Alert {
  const shown = held.find(
    ({ projection, state }) => projection === alert.subject && state === "live",
  );
  if (alert.kind !== "held" || shown === undefined || shown.held === alert.count) {
    return alert;
  }
  return { ...alert, count: shown.held, rowKey: null };
}

export async function readAlerts(parts: {
  readonly sql: Sql;
  readonly readEvent: ReadEvent;
}): Promise<AlertsState> {
  const [alerts, held] = await Promise.all([
    readState(parts, alertsStream, ALERTS),
    countHeldKeys(parts.sql),
  ]);
  return { ...alerts, open: alerts.open.map((alert) => countedNow(alert, held)) };
}
