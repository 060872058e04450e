// Proving the typed rows in SQL: nothing stands without its event, no version is skipped, the books sum to zero.
import type { Sql, TransactionSql } from "postgres";
import type { Problem } from "#ledger/verify/problem.ts";

type Finding = { readonly position: number; readonly message: string };

const CHECKS: readonly { readonly check: Problem["check"]; readonly sql: string }[] = [
  {
    check: "rows",
    sql: `select r.position, r.what || ' row at position ' || r.position || ' has no event' as message
      from (select position, 'posting' as what from log.postings
            union all select position, 'movement' from log.movements
            union all select position, 'stream' from log.event_streams) r
      where not exists (select 1 from log.events e where e.position = r.position)
      order by r.position limit 10`,
  },
  {
    check: "rows",
    sql: `select e.position, 'event ' || e.position || ' extends no stream' as message from log.events e
      where not exists (select 1 from log.event_streams s where s.position = e.position)
      order by e.position limit 10`,
  },
  {
    // The table's constraints say the same; a superuser can drop a constraint, so the proof does not rest on it.
    check: "postings",
    sql: `select position, 'posting at ' || position || ' does not move a positive amount between two accounts' as message
      from log.postings where cents <= 0 or from_account = to_account order by position limit 10`,
  },
  {
    check: "movements",
    sql: `select position, 'movement at ' || position || ' does not move units between two holdings' as message
      from log.movements where units <= 0 or from_holding = to_holding order by position limit 10`,
  },
  {
    check: "streams",
    sql: `select v.position, 'stream ' || v.stream_id || ' jumps to version ' || v.version as message
      from (select stream_id, version, position,
              row_number() over (partition by stream_id order by version) as expected,
              lag(position) over (partition by stream_id order by version) as before
            from log.event_streams) v
      where v.version <> v.expected or v.before >= v.position order by v.position limit 10`,
  },
  {
    check: "keys",
    sql: `select e.position, 'event ' || e.position || ' has no stored answer under its key' as message
      from log.events e
      where not exists (select 1 from log.command_keys k
                        where k.scope = e.key_scope and k.key = e.command_key)
      order by e.position limit 10`,
  },
];

/** Runs every row check; the findings are in order of position within each check. */
export async function checkRows(sql: Sql | TransactionSql): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const { check, sql: text } of CHECKS) {
    const findings = await sql.unsafe<Finding[]>(text);
    problems.push(...findings.map((finding) => ({ check, ...finding })));
  }
  return problems;
}

/** The trial balance: every account's and holding's net; each list sums to zero or the books are broken. */
export async function trialBalance(
  sql: Sql | TransactionSql,
): Promise<{ accounts: number; cents: number; holdings: number; units: number }> {
  const [row] = await sql<{ accounts: number; cents: number; holdings: number; units: number }[]>`
    with money as (
      select account, sum(cents)::bigint as cents from (
        select to_account as account, cents from log.postings
        union all select from_account, -cents from log.postings) p group by account),
    stock as (
      select holding, sum(units)::bigint as units from (
        select to_holding as holding, units from log.movements
        union all select from_holding, -units from log.movements) m group by holding)
    select (select count(*) from money) as accounts,
      (select coalesce(sum(cents), 0)::bigint from money) as cents,
      (select count(*) from stock) as holdings,
      (select coalesce(sum(units), 0)::bigint from stock) as units`;
  return row ?? { accounts: 0, cents: 0, holdings: 0, units: 0 };
}
