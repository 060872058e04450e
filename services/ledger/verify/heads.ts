// Compares the heads published outside the database with the log: only this finds a cut or rewritten end of the log.
import type { TransactionSql } from "postgres";
import { findContradicted } from "#ledger/log/contradicted-heads.ts";
import type { HeadSource } from "#ledger/log/head-files.ts";
import type { HeadLine } from "#ledger/log/head-lines.ts";
import type { PublishedHead } from "#ledger/verify/chain.ts";
import type { Problem } from "#ledger/verify/problem.ts";

/** What is reported about the heads in addition to problems. */
export type HeadsReport = {
  readonly sources: number;
  readonly compared: number;
  /** The highest position that a published head confirms; 0 without one. */
  readonly through: number;
  /** Descriptions of lines that a full disk or a power cut tore; they are skipped. */
  readonly torn: readonly string[];
};

export type HeadsProof = { readonly report: HeadsReport; readonly problems: readonly Problem[] };

/** The most lines reported for one source; a longer list would not help. */
const MOST_TORN = 20;
/** A process publishes once a second: a killed one leaves less than this without a head. */
const MOST_UNPUBLISHED_MS = 60_000;

const ACCEPT =
  "If the log was restored to an earlier state, or heads were lost, and you know why: " +
  "`npm run verify -- --accept-heads` sets them aside and publishes the current head";

type Found = { readonly line: number; readonly position: number };

/** The findings about one source, collected while it is read. */
type SourceFindings = {
  garbage: { line: number; count: number } | null;
  /** The lowest position with a different hash, and how many there are. */
  rewritten: (Found & { count: number }) | null;
  /** The highest position beyond the log's end, and how many there are. */
  beyond: (Found & { count: number }) | null;
};

/** A source of heads that are given directly. */
export function headsInHand(name: string, heads: readonly PublishedHead[]): HeadSource {
  const lines = heads.map((head, index): HeadLine => ({
    kind: "head",
    line: index + 1,
    text: `${head.position}:${head.hash}`,
    at: null,
    ...head,
  }));
  return { name, read: () => [lines] };
}

/**
 * Compares every head of every source with the log, with a few hundred in memory at a time. If there is any source,
 * the heads together must reach the log's end, except for what a killed process may leave.
 */
export async function checkHeads(
  snapshot: TransactionSql,
  sources: readonly HeadSource[],
  headPosition: number,
): Promise<HeadsProof> {
  const problems: Problem[] = [];
  const torn: string[] = [];
  let compared = 0;
  let through = 0;
  for (const { name, read } of sources) {
    const findings: SourceFindings = { garbage: null, rewritten: null, beyond: null };
    for await (const lines of read()) {
      const heads = lines.filter((line) => line.kind === "head");
      const contradicted = new Set(await findContradicted(snapshot, heads));
      for (const head of heads) {
        if (contradicted.has(head)) {
          noteContradiction(findings, head, headPosition);
        } else {
          through = Math.max(through, head.position);
        }
      }
      compared += heads.length;
      for (const { kind, line } of lines) {
        if (kind === "garbage") {
          findings.garbage = {
            line: findings.garbage?.line ?? line,
            count: 1 + (findings.garbage?.count ?? 0),
          };
        } else if (kind === "torn" && torn.length < MOST_TORN) {
          torn.push(`${name}, line ${line}: the head is torn, and was skipped`);
        }
      }
    }
    problems.push(...problemsOf(name, findings, headPosition));
  }
  if (problems.length === 0 && sources.length > 0) {
    const names = sources.map(({ name }) => name);
    problems.push(...(await checkReach(snapshot, names, compared, through)));
  }
  return { report: { sources: sources.length, compared, through, torn }, problems };
}

function noteContradiction(
  findings: SourceFindings,
  { position, line }: Found,
  headPosition: number,
): void {
  if (position > headPosition) {
    const { beyond } = findings;
    const higher = beyond === null || position > beyond.position ? { position, line } : beyond;
    findings.beyond = { ...higher, count: 1 + (beyond?.count ?? 0) };
  } else {
    const { rewritten } = findings;
    const lower =
      rewritten === null || position < rewritten.position ? { position, line } : rewritten;
    findings.rewritten = { ...lower, count: 1 + (rewritten?.count ?? 0) };
  }
}

function problemsOf(
  name: string,
  { garbage, rewritten, beyond }: SourceFindings,
  headPosition: number,
): Problem[] {
  const problems: Problem[] = [];
  const others = (count: number) => (count === 1 ? "" : `, and ${count - 1} more in it`);
  if (rewritten !== null) {
    problems.push({
      check: "head",
      position: rewritten.position,
      message:
        `The hash at ${rewritten.position} is not the published one (${name}, line ${rewritten.line}` +
        `${others(rewritten.count)}): the log was rewritten. ${ACCEPT}`,
    });
  }
  if (beyond !== null) {
    problems.push({
      check: "head",
      position: headPosition + 1,
      message:
        `The log ends at ${headPosition}, but position ${beyond.position} was published (${name}, line ` +
        `${beyond.line}${others(beyond.count)}): the end was cut off. ${ACCEPT}`,
    });
  }
  if (garbage !== null) {
    problems.push({
      check: "head",
      position: 0,
      message:
        `${name}, line ${garbage.line}${others(garbage.count)}: this is not a head or part of one, so somebody ` +
        `changed the file. ${ACCEPT}`,
    });
  }
  return problems;
}

/** Events at the log's end may lack a head only for as long as a kill explains. */
async function checkReach(
  snapshot: TransactionSql,
  names: readonly string[],
  compared: number,
  through: number,
): Promise<Problem[]> {
  const [end] = await snapshot<{ position: number; without_ms: number }[]>`
    select last.position,
      (extract(epoch from last.recorded_at - first.recorded_at) * 1000)::bigint as without_ms
    from (select position, recorded_at from log.events order by position desc limit 1) last,
      (select recorded_at from log.events where position > ${through} order by position limit 1) first`;
  if (end === undefined || (compared > 0 && end.without_ms < MOST_UNPUBLISHED_MS)) {
    return [];
  }
  const where = names.length > 3 ? `${names.length} files` : names.join(", ");
  const found =
    compared === 0
      ? `No head of the log is published (${where}), so its end could be cut off unnoticed`
      : `The published heads end at ${through} (${where}), but the log goes on to ${end.position}, recorded ` +
        `${Math.round(end.without_ms / 60_000)} minutes of events later: they could be cut off unnoticed`;
  return [
    {
      check: "head",
      position: through + 1,
      message: `${found}. Name files of heads kept elsewhere with \`--heads PATH\`. ${ACCEPT}`,
    },
  ];
}
