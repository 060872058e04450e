// What must be true of old accounts that were given to people: part of `npm run verify`.
import { move } from "#ledger/posting.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { posts } from "#ledger/verify/posting-check.ts";
import { availableAccount } from "#features/accounts/streams.ts";
import { UserMigrated } from "#features/migration/events.ts";
import { OPENING_BALANCES } from "#features/migration/streams.ts";

/** Requests that waited in the old app are booked right behind the migration that counts them. */
const pendingFromOldApp: BookCheck = {
  check: "balances",
  sql: `
    select e.position, 'payout ' || (e.data ->> 'payoutId') || ' of ' || (e.data ->> 'consignorId') ||
        ' is paid for by the old app, but no migration before it counts it' as message
    from {events} e
    join log.postings p on p.position = e.position and p.from_account = '${OPENING_BALANCES}'
    where e.type = 'PayoutRequested' and not exists (
      select from {events} m
      where m.type = 'UserMigrated' and m.data ->> 'uid' = e.data ->> 'consignorId'
        and e.position > m.position
        and e.position <= m.position + (m.data ->> 'pendingPayouts')::bigint)
    order by 1 limit 10`,
};

export const migrationChecks: readonly BookCheck[] = [
  posts(UserMigrated, ({ uid, openingCents }) =>
    move(OPENING_BALANCES, availableAccount.of(uid), openingCents),
  ),
  pendingFromOldApp,
];
