// What must be true of the events about payout holds and of the answers that are kept for them: part of `npm run verify`.
import { PayoutHoldLifted, PayoutsHeld, PayoutsReleased } from "#features/holds/events.ts";
import { holdStreamIds } from "#features/holds/streams.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { extendsTogether } from "#ledger/verify/stream-rules.ts";

/**
 * A hold that is placed or released is an event. An answer that says so without one was put there by somebody with the
 * database's role.
 */
const answersWithoutEvents: BookCheck = {
  check: "keys",
  sql: `
    select k.position, 'The answer kept under ' || k.scope || '/' || k.key ||
        ' says that payouts were held or released, but no event does' as message
    from log.command_keys k
    where starts_with(k.scope, 'system:holds') and k.events = 0
      and (k.answer ->> 'kind' = 'accepted' and k.answer #>> '{answer,happened}' = 'false') is not true
    order by 1, 2 limit 10`,
};

export const holdChecks: readonly BookCheck[] = [
  answersWithoutEvents,
  // Requests read the person's stream, the worker and the admins' list read the other.
  extendsTogether(PayoutsHeld, holdStreamIds),
  extendsTogether(PayoutsReleased, holdStreamIds),
  extendsTogether(PayoutHoldLifted, holdStreamIds),
];
