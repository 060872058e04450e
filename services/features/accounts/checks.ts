// What must be true of the accounts' read tables, compared with the log itself: part of `npm run verify`.
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { move } from "#ledger/posting.ts";
import { posts } from "#ledger/verify/event-rules.ts";
import { extendsStream, follows, saysOther } from "#ledger/verify/stream-rules.ts";
import { BalanceSet } from "#features/accounts/events.ts";
import {
  availableAccount,
  consignorAccount,
  consignorStream,
  consignorStreamId,
  consignorStreamName,
  STORE_ADJUSTMENTS,
} from "#features/accounts/streams.ts";

/** Every account's postings up to the position that a projection has reached, summed. */
function sumsUpTo(projection: string): string {
  return `
    reached as (
      select position from read.projections where name = '${projection}' and state = 'live'),
    sums as (
      select account, sum(cents)::bigint as cents, max(position) as position
      from (
        select to_account as account, cents, position from log.postings
        union all select from_account, -cents, position from log.postings) p
      where position <= (select position from reached)
      group by account)`;
}

/** The last line of each consignor's ledger, as its two accounts. */
const lastLines = `
  select a.account, l.position, a.cents
  from (
    select distinct on (uid) uid, line, position, available_after_cents, in_transit_after_cents
    from read.account_history order by uid, line desc) l
  cross join lateral (values
    (log.consignor_available_account(l.uid), l.available_after_cents),
    (log.consignor_payouts_account(l.uid), l.in_transit_after_cents)) as a (account, cents)`;

export const accountChecks: readonly BookCheck[] = [
  posts(BalanceSet, ({ uid, beforeCents, afterCents }) =>
    move(STORE_ADJUSTMENTS, availableAccount.of(uid), afterCents - beforeCents),
  ),
  extendsStream("balances", consignorAccount, consignorStreamName),
  follows(
    BalanceSet,
    {
      check: "balances",
      definition: consignorStream,
      streamOf: ({ uid }: { readonly uid: string }) => consignorStreamId(uid),
    },
    ({ beforeCents }, { availableCents }) =>
      saysOther({ beforeCents }, { beforeCents: availableCents }),
  ),
  {
    check: "balances",
    readsFrom: ["balances"],
    sql: `
      with ${sumsUpTo("balances")}
      select coalesce(s.position, b.position) as position,
        'read.balances, row ' || coalesce(s.account, b.account) || ': ' ||
          coalesce(b.balance_cents || ' cents', 'missing') || ', but its postings sum to ' ||
          coalesce(s.cents, 0) as message
      from sums s
      full join read.balances b on b.account = s.account
      where b.balance_cents is distinct from s.cents
      order by 1, 2 limit 10`,
  },
  {
    check: "balances",
    readsFrom: ["balances"],
    sql: `
      select max(position) as position,
        'read.balances: all accounts together sum to ' || sum(balance_cents) ||
          ' cents, not to zero' as message
      from read.balances having sum(balance_cents) <> 0`,
  },
  {
    check: "balances",
    readsFrom: ["account_history"],
    sql: `
      with ${sumsUpTo("account_history")}
      select coalesce(s.position, h.position) as position,
        'read.account_history, last line of ' || coalesce(s.account, h.account) || ': ' ||
          coalesce(h.cents || ' cents', 'missing') || ', but its postings sum to ' ||
          coalesce(s.cents, 0) as message
      from (select * from sums where log.is_consignor_account(account)) s
      full join (${lastLines}) h on h.account = s.account
      where coalesce(h.cents, 0) <> coalesce(s.cents, 0)
      order by 1, 2 limit 10`,
  },
];
