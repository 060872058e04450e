// Checks the typed rows in SQL: every row has its event, no version is skipped, and the books sum to zero.
import type { Sql, TransactionSql } from "postgres";
import type { Findings } from "#ledger/verify/findings.ts";
import type { Problem } from "#ledger/verify/problem.ts";

type Finding = { readonly position: number; readonly message: string };

/** A check in SQL: selects the `position` and `message` of what is wrong. */
export type SqlCheck = { readonly check: Problem["check"]; readonly sql: string };

const CHECKS: readonly SqlCheck[] = [
  {
    // The walk goes by position and misses events without one or with one too large for a number.
    check: "rows",
    sql: `select position, concat('event ', id, ' is at position ', coalesce(position::text, 'NULL'), ', where no event can be') as message
      from log.events where (position between 1 and 9007199254740991) is not true order by position limit 100`,
  },
  {
    check: "rows",
    sql: `select r.position, concat(r.what, ' row at position ', coalesce(r.position::text, 'NULL'), ' has no event') as message
      from (select position, 'posting' as what from log.postings
            union all select position, 'movement' from log.movements
            union all select position, 'stream' from log.event_streams) r
      where not exists (select 1 from log.events e where e.position = r.position)
      order by r.position limit 100`,
  },
  {
    check: "rows",
    sql: `select e.position, 'event ' || e.position || ' extends no stream' as message from log.events e
      where not exists (select 1 from log.event_streams s where s.position = e.position)
      order by e.position limit 100`,
  },
  {
    // The table's constraints check the same; a superuser can drop a constraint, so verify does not rely on it.
    check: "postings",
    sql: `select position, concat('posting at ', position, ' does not move a positive amount between two accounts') as message
      from log.postings where (cents > 0 and from_account <> to_account) is not true order by position limit 100`,
  },
  {
    check: "movements",
    sql: `select position, concat('movement at ', position, ' does not move units between two holdings') as message
      from log.movements where (units > 0 and from_holding <> to_holding) is not true order by position limit 100`,
  },
  {
    check: "streams",
    sql: `select v.position, concat('stream ', v.stream_id, ' jumps to version ', coalesce(v.version::text, 'NULL')) as message
      from (select stream_id, version, position,
              row_number() over (partition by stream_id order by version) as expected,
              lag(position) over (partition by stream_id order by version) as before
            from log.event_streams) v
      where v.version is distinct from v.expected or v.before >= v.position order by v.position limit 100`,
  },
];

/**
 * Runs checks that are written in SQL, each in its own savepoint; one that fails is a finding. `about` says what they
 * check.
 */
export async function runSqlChecks(
  sql: TransactionSql,
  checks: readonly SqlCheck[],
  about: string,
  findings: Findings,
): Promise<void> {
  for (const { check, sql: text } of checks) {
    await findings.attemptIn(sql, { check, what: about }, async (savepoint) => {
      // Without constraints a position may be anything; one that no event can have is reported as none.
      const found = await savepoint.unsafe<Finding[]>(
        `select case when f.position between 1 and 9007199254740991 then f.position::bigint else 0::bigint end as position,
           coalesce(f.message::text, 'a row has NULL where none belongs') as message
         from (${text}) f`,
      );
      findings.add(...found.map((finding) => ({ check, ...finding })));
    });
  }
}

/** Runs every check of the log's typed rows; the findings of each check are ordered by position. */
export function checkRows(sql: TransactionSql, findings: Findings): Promise<void> {
  return runSqlChecks(sql, CHECKS, "The log's rows", findings);
}

/** Folding goes by position, step by step: it would never get across a gap this large, made by hand. */
const ENDLESS_GAP = 100_000_000;

/** Throws if the log has a gap that is too large to fold across. */
export async function refuseEndlessGap(sql: Sql): Promise<void> {
  const [row] = await sql<{ missing: string }[]>`
    select (coalesce(max(position), 0)::numeric - count(*))::text as missing from log.events`;
  if (Number(row?.missing) > ENDLESS_GAP) {
    throw new Error(
      `the log lacks ${row?.missing} positions, and nothing can be folded across that gap`,
    );
  }
}

export type TrialBalance = {
  readonly accounts: number;
  readonly cents: number;
  readonly holdings: number;
  readonly units: number;
};

/** The trial balance: every account's and holding's net; each list must sum to zero. */
export async function trialBalance(sql: TransactionSql): Promise<TrialBalance> {
  // Sums as numeric and text, which have room for anything somebody wrote into a row.
  const [row] = await sql<{ accounts: number; cents: string; holdings: number; units: string }[]>`
    with money as (
      select account, sum(cents) as cents from (
        select to_account as account, cents from log.postings
        union all select from_account, -cents from log.postings) p group by account),
    stock as (
      select holding, sum(units) as units from (
        select to_holding as holding, units from log.movements
        union all select from_holding, -units from log.movements) m group by holding)
    select (select count(*) from money) as accounts,
      (select coalesce(sum(cents), 0)::text from money) as cents,
      (select count(*) from stock) as holdings,
      (select coalesce(sum(units), 0)::text from stock) as units`;
  return {
    accounts: row?.accounts ?? 0,
    cents: Number(row?.cents ?? 0),
    holdings: row?.holdings ?? 0,
    units: Number(row?.units ?? 0),
  };
}
