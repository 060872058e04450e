// Decides alerts: one for each fault however often it is found, acknowledged by an admin, resolved by a later look.
import type { Decider } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import { AlertAcknowledged, AlertRaised, AlertResolved } from "#features/alerts/events.ts";
import type { Alert } from "#features/alerts/streams.ts";
import { alertStream, alertStreamId, alertStreamIds } from "#features/alerts/streams.ts";

export type RaiseAlert = Omit<Alert, "episode" | "raisedAt" | "acknowledged"> & {
  readonly happenedAt: string;
};

export type AcknowledgeAlert = {
  readonly key: string;
  readonly by: string;
  readonly happenedAt: string;
};

export type ResolveAlert = { readonly key: string; readonly happenedAt: string };

/** `happened` is false where nothing changed; `episode` is the alert's current or last one. */
export type AlertAnswer = { readonly happened: boolean; readonly episode: number };

/** Nothing happens while the alert is open. */
export const raiseAlert: Decider<RaiseAlert, AlertAnswer> = {
  type: "RaiseAlert",
  streams: alertStreamIds,
  decide: ({ happenedAt, ...fault }, states) => {
    const { open, episode } = states.get(alertStream, alertStreamId(fault.key)).state;
    if (open !== null) {
      return accept([], { happened: false, episode });
    }
    const raised = { ...fault, episode: episode + 1 };
    const event = emit(AlertRaised, raised, { streams: alertStreamIds(fault), happenedAt });
    return accept([event], { happened: true, episode: raised.episode });
  },
};

/** Rejects 404 `alert_not_open`. A second acknowledgement changes nothing. */
export const acknowledgeAlert: Decider<AcknowledgeAlert, AlertAnswer> = {
  type: "AcknowledgeAlert",
  streams: alertStreamIds,
  decide: ({ key, by, happenedAt }, states) => {
    const { open, episode } = states.get(alertStream, alertStreamId(key)).state;
    if (open === null) {
      return reject(404, "alert_not_open", "This alert is no longer open");
    }
    if (open.acknowledged !== null) {
      return accept([], { happened: false, episode });
    }
    const event = emit(
      AlertAcknowledged,
      { key, by },
      { streams: alertStreamIds({ key }), happenedAt },
    );
    return accept([event], { happened: true, episode });
  },
};

/** Nothing happens if the alert is not open. */
export const resolveAlert: Decider<ResolveAlert, AlertAnswer> = {
  type: "ResolveAlert",
  streams: alertStreamIds,
  decide: ({ key, happenedAt }, states) => {
    const { open, episode } = states.get(alertStream, alertStreamId(key)).state;
    if (open === null) {
      return accept([], { happened: false, episode });
    }
    const { acknowledged, ...raised } = open;
    const event = emit(
      AlertResolved,
      { ...raised, acknowledgedBy: acknowledged?.by ?? null },
      { streams: alertStreamIds({ key }), happenedAt },
    );
    return accept([event], { happened: true, episode });
  },
};
