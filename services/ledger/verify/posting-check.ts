// A check for features: the amount in an event's data is the amount that it posts.
import type { BookCheck } from "#ledger/verify/book-checks.ts";

/**
 * What an event says in its data and what it posts to an account must be the same. `account` and `cents` are SQL over
 * the event `e`.
 */
export function saysWhatItPosts(type: string, account: string, cents: string): BookCheck {
  return {
    check: "balances",
    sql: `
      select e.position, '${type} says ' || (${cents}) || ' cents, but posts ' || p.cents || ' to ' || ${account}
          as message
      from {events} e
      cross join lateral (
        select coalesce(sum(case ${account} when p.to_account then p.cents when p.from_account then -p.cents end), 0)::bigint
            as cents
        from log.postings p where p.position = e.position) p
      where e.type = '${type}' and p.cents <> (${cents})
      order by 1 limit 10`,
  };
}
