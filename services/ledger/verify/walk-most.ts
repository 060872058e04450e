// The first part of a verification: walks the log in short snapshots, so that a shop that sells is not slowed.
import type { TransactionSql } from "postgres";
import { eventRulesOf } from "#ledger/verify/event-rules.ts";
import type { Findings } from "#ledger/verify/findings.ts";
import { streamRulesOf } from "#ledger/verify/stream-rules.ts";
import type { VerifyOptions } from "#ledger/verify/verify.ts";
import type { LogWalk } from "#ledger/verify/walk.ts";
import { startWalk } from "#ledger/verify/walk.ts";

export const SNAPSHOT = "isolation level repeatable read read only";
export const CHAIN = { check: "chain", what: "The hash chain" } as const;

/** The highest valid head: positions too large for a number are a finding of the rows. */
export type ProvableHead = { readonly position: number; readonly hash: string | null };

export async function readProvableHead(sql: TransactionSql): Promise<ProvableHead> {
  const [row] = await sql<{ position: number; hash: string }[]>`
    select position, encode(hash, 'hex') as hash from log.events
    where position between 1 and ${Number.MAX_SAFE_INTEGER} order by position desc limit 1`;
  return row ?? { position: 0, hash: null };
}

/**
 * Walks the log as far as it goes now, each range in a snapshot of its own: in a shop that sells, a snapshot of minutes makes
 * steps slow. Undefined if it cannot be walked.
 */
export async function walkMost(
  options: VerifyOptions,
  findings: Findings,
): Promise<LogWalk | undefined> {
  const { sql, events, streams, checks, signal, onProgress } = options;
  return findings.attempt(CHAIN, async () => {
    const { position } = await sql.begin(SNAPSHOT, readProvableHead);
    const walk = startWalk(
      {
        events,
        streams,
        rules: { ...eventRulesOf(checks), ...streamRulesOf(checks) },
        headPosition: position,
        ...(onProgress === undefined ? {} : { onProgress }),
        ...(signal === undefined ? {} : { signal }),
      },
      findings,
    );
    while (await sql.begin(SNAPSHOT, (snapshot) => walk.next(snapshot, position))) {
      // The next range has the next snapshot.
    }
    return walk;
  });
}
