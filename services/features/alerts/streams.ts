// The streams of alerts: one for each key, and one list of those that are open and of the last ones that were resolved.
import type { StreamDefinition } from "#ledger/decider.ts";
import type { AnyEvent } from "#ledger/event.ts";
import { is } from "#ledger/event.ts";
import { defineName } from "#ledger/names.ts";
import {
  AlertAcknowledged,
  alertEvents,
  AlertRaised,
  AlertResolved,
} from "#features/alerts/events.ts";

export type AlertKind =
  | "drift"
  | "held"
  | "stalled"
  | "books"
  | "proof"
  | "backup"
  | "notifications";

export type Alert = {
  readonly key: string;
  readonly episode: number;
  readonly kind: AlertKind;
  readonly subject: string;
  readonly rowKey: string | null;
  readonly count: number;
  readonly atPosition: number;
  /** ISO 8601, here and below. */
  readonly raisedAt: string;
  /** Null while no admin has acknowledged it. */
  readonly acknowledged: { readonly by: string; readonly at: string } | null;
};

export type AlertState = { readonly episode: number; readonly open: Alert | null };

const alertStreamName = defineName("alert_stream", "alert-");

export const alertNames = [alertStreamName] as const;

export function alertStreamId(key: string): string {
  return alertStreamName.of(key);
}

/** The alert after an event about it. */
function alertAfter(alert: Alert | null, event: AnyEvent): Alert | null {
  if (is(AlertRaised, event)) {
    return { ...event.data, raisedAt: event.happenedAt, acknowledged: null };
  }
  if (is(AlertAcknowledged, event) && alert !== null) {
    return { ...alert, acknowledged: { by: event.data.by, at: event.happenedAt } };
  }
  return is(AlertResolved, event) ? null : alert;
}

const types = alertEvents.map(({ type }) => type);

export const alertStream: StreamDefinition<AlertState> = {
  category: "alert",
  extendedBy: types,
  stateVersion: 1,
  initial: { episode: 0, open: null },
  evolve: (state, event) => ({
    episode: is(AlertRaised, event) ? event.data.episode : state.episode,
    open: alertAfter(state.open, event),
  }),
};

/** One list, which every event about alerts extends. */
export const ALERTS = "alerts";

/** Every event about an alert extends these. */
export function alertStreamIds({ key }: Pick<Alert, "key">): readonly string[] {
  return [alertStreamId(key), ALERTS];
}

/** An alert that is over. */
export type ResolvedAlert = Omit<Alert, "acknowledged"> & {
  /** Null if no admin had seen it. */
  readonly acknowledgedBy: string | null;
  readonly resolvedAt: string;
};

export type AlertsState = {
  /** Oldest first. */
  readonly open: readonly Alert[];
  /** Newest first, the last ones. */
  readonly resolved: readonly ResolvedAlert[];
};

const RESOLVED_KEPT = 20;

export const alertsStream: StreamDefinition<AlertsState> = {
  category: ALERTS,
  onlyId: ALERTS,
  extendedBy: types,
  stateVersion: 1,
  initial: { open: [], resolved: [] },
  evolve: (state, event) => {
    if (!is(AlertRaised, event) && !is(AlertAcknowledged, event) && !is(AlertResolved, event)) {
      return state;
    }
    const { key } = event.data;
    const before = state.open.find((alert) => alert.key === key) ?? null;
    const after = alertAfter(before, event);
    const others = state.open.filter((alert) => alert.key !== key);
    if (is(AlertResolved, event)) {
      const newest = { ...event.data, resolvedAt: event.happenedAt };
      return { open: others, resolved: [newest, ...state.resolved].slice(0, RESOLVED_KEPT) };
    }
    if (after === null) {
      return state;
    }
    const open =
      before === null
        ? [...others, after]
        : state.open.map((alert) => (alert.key === key ? after : alert));
    return { ...state, open };
  },
};
