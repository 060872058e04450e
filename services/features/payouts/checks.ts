// What must be true of payouts and of the handles that they name, compared with the log itself: part of `npm run verify`.
import { move } from "#ledger/posting.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { posts } from "#ledger/verify/event-rules.ts";
import { availableAccount, payoutsAccount } from "#features/accounts/streams.ts";
import { OPENING_BALANCES } from "#features/migration/streams.ts";
import {
  PayoutDeleted,
  PayoutPaid,
  PayoutRequested,
  PayoutReturned,
} from "#features/payouts/events.ts";
import { payoutFollows } from "#features/payouts/follows.ts";
import { PAID_BY } from "#features/payouts/streams.ts";

// What names a handle, its row, and whether its consignor was erased. The row's hash is computed as in payout-handles.ts.
const NAMING = `
  from {events} e
  left join identity.payout_handles h on h.id::text = e.data ->> 'handleId'
  left join log.streams s on s.id = log.user_stream(e.data ->> 'consignorId')
  where e.data ->> 'handleId' is not null`;

const REQUESTS = `${NAMING} and e.type in ('PayoutRequested', 'PayoutHandleCorrected')`;
const PAYOUTS = `${NAMING} and e.type in ('PayoutRequested', 'PayoutHandleCorrected', 'PayoutPaid')`;

const IS_ERASED = "h.id is null and s.state ->> 'deactivatedAt' is not null";

const WRONG = `case
  when h.id is null then 'its row is gone, but the consignor was not deleted'
  when h.uid <> e.data ->> 'consignorId' then 'its row is another person''s'
  when h.method <> e.data ->> 'method' then 'its row has another method'
  when e.data ->> 'handleHash' is null then null
  when encode(sha256(h.salt || convert_to(h.method || h.handle, 'UTF8')), 'hex') = e.data ->> 'handleHash' then null
  else 'its row is not the handle that was requested' end`;

export const payoutChecks: readonly BookCheck[] = [
  ...payoutFollows,
  posts(
    PayoutRequested,
    ({ consignorId, amountCents }) =>
      move(availableAccount.of(consignorId), payoutsAccount.of(consignorId), amountCents),
    // One that waited in the old app; the checks of migration say when.
    ({ consignorId, amountCents }) =>
      move(OPENING_BALANCES, payoutsAccount.of(consignorId), amountCents),
  ),
  posts(PayoutPaid, ({ consignorId, method, amountCents }) =>
    move(payoutsAccount.of(consignorId), PAID_BY[method], amountCents),
  ),
  posts(PayoutDeleted, ({ consignorId, amountCents }) =>
    move(payoutsAccount.of(consignorId), availableAccount.of(consignorId), amountCents),
  ),
  posts(PayoutReturned, ({ consignorId, method, amountCents }) =>
    move(PAID_BY[method], availableAccount.of(consignorId), amountCents),
  ),
  {
    check: "identity",
    sql: `
      select e.position,
        'payout ' || (e.data ->> 'payoutId') || ', handle ' || (e.data ->> 'handleId') || ': ' || ${WRONG}
          as message
      ${PAYOUTS} and not (${IS_ERASED}) and ${WRONG} is not null
      order by e.position limit 100`,
  },
  {
    // payment-info suggests the handle that was used last: one that the person's own request named. An admin's request
    // in their place names one too, which nobody is to be led to.
    check: "identity",
    sql: `
      select 0 as position, 'handle ' || h.id || ' of ' || h.uid
        || ': it would be suggested, but no request of their own ever named it' as message
      from identity.payout_handles h
      where h.last_used_at is not null and not exists (
        select from {events} e where e.type in ('PayoutRequested', 'PayoutHandleCorrected') and e.actor = h.uid
          and e.data ->> 'handleId' = h.id::text)
      order by h.id limit 100`,
  },
  {
    check: "identity",
    note: `
      select count(*) || ' payout requests are older than the binding of handles: unbound' as message
      ${REQUESTS} and e.data ->> 'handleHash' is null and not (${IS_ERASED})
      having count(*) > 0`,
  },
  {
    check: "identity",
    note: `
      select count(*) || ' payout requests name handles that were erased with their consignors' as message
      ${REQUESTS} and ${IS_ERASED}
      having count(*) > 0`,
  },
];
