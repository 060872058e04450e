// What must be true of the events about alerts: part of `npm run verify`.
import { AlertAcknowledged, AlertRaised, AlertResolved } from "#features/alerts/events.ts";
import { alertStreamIds } from "#features/alerts/streams.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { extendsTogether } from "#ledger/verify/stream-rules.ts";

/** The alert's own stream decides whether it is raised, and the list is what people see. */
export const alertChecks: readonly BookCheck[] = [
  extendsTogether(AlertRaised, alertStreamIds),
  extendsTogether(AlertAcknowledged, alertStreamIds),
  extendsTogether(AlertResolved, alertStreamIds),
];
