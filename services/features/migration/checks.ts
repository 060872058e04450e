// What must be true of old accounts that were given to people: part of `npm run verify`.
import { MIGRATION_KEYS, STORE_SCOPE } from "#http/own-keys.ts";
import { move } from "#ledger/posting.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { posts } from "#ledger/verify/event-rules.ts";
import { availableAccount } from "#features/accounts/streams.ts";
import { UserMigrated } from "#features/migration/events.ts";
import { migrationFollows } from "#features/migration/follows.ts";
import { OPENING_BALANCES } from "#features/migration/streams.ts";

const UUID_LENGTH = 36;
/** The parts of a key: `migrate:<legacyId>:<uid>`. */
const legacyIdSql = `substr(k.key, ${MIGRATION_KEYS.length + 1}, ${UUID_LENGTH})`;
const uidSql = `substr(k.key, ${MIGRATION_KEYS.length + UUID_LENGTH + 2})`;

/**
 * An old account is taken over once, under a key of its own. An answer under it without an event keeps the account
 * waiting for ever. Only a deleted person is refused for good.
 */
const stuckMigrations: BookCheck = {
  check: "users",
  sql: `
    select k.position, 'the old account ' || l.id || ' still waits: its migration to ' || u.uid ||
        ' was answered under ' || k.key || ', but nothing was booked' as message
    from log.command_keys k
    cross join lateral (select ${legacyIdSql} as legacy_id, ${uidSql} as uid) u
    join identity.legacy_users l on l.id::text = u.legacy_id
    left join log.streams s on s.id = log.user_stream(u.uid)
    where k.scope = '${STORE_SCOPE}' and k.key like '${MIGRATION_KEYS}%' and k.events = 0 and l.migrated_uid is null
      and s.state ->> 'deactivatedAt' is null
    order by 1, 2 limit 10`,
};

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
  ...migrationFollows,
  posts(UserMigrated, ({ uid, openingCents }) =>
    move(OPENING_BALANCES, availableAccount.of(uid), openingCents),
  ),
  stuckMigrations,
  pendingFromOldApp,
];
