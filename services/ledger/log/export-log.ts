// Writes a part of the log as canonical lines with everything that its hashes cover, so that anybody can prove it elsewhere.
import type { Sql } from "postgres";
import { answerHash, canonicalJson, GENESIS_HASH } from "#ledger/log/chain.ts";
import { textArray } from "#ledger/log/encode.ts";
import type { StoredEvent } from "#ledger/log/read.ts";
import { readRange } from "#ledger/log/read.ts";

/** What the first line says; `scripts/prove-export.mjs` knows it too. */
const FORMAT = "consignment-ledger export 1";

/** Positions, both included. */
export type ExportRange = { readonly from: number; readonly to: number };

/** Events read and written together. */
const EVENTS_A_CHUNK = 2_000;

type Kept = {
  readonly scope: string;
  readonly key: string;
  readonly requestHash: string;
  readonly answer: unknown;
  /** The first event of the command, whose hash covers the answer. */
  readonly first: number;
};

/** The hashes of the answers that the first events of commands cover, by position. */
async function answerHashes(
  sql: Sql,
  events: readonly StoredEvent[],
): Promise<Map<number, string>> {
  const pairs = new Map(
    events.map(({ keyScope, commandKey }) => [
      JSON.stringify([keyScope, commandKey]),
      { keyScope, commandKey },
    ]),
  );
  // "offset 0" keeps each key a look-up of its own: a join would read all keys of the store for each piece.
  const rows = await sql.unsafe<Kept[]>(
    `select k.scope, k.key, encode(k.request_hash, 'hex') as "requestHash", k.answer,
       k.position - k.events + 1 as first
     from unnest($1::text[], $2::text[]) as a (scope, key)
     cross join lateral (
       select * from log.command_keys c where c.scope = a.scope and c.key = a.key offset 0) k
     where k.events > 0`,
    [
      textArray([...pairs.values()].map(({ keyScope }) => keyScope)),
      textArray([...pairs.values()].map(({ commandKey }) => commandKey)),
    ],
    { prepare: true },
  );
  return new Map(
    rows.map((kept) => [
      kept.first,
      answerHash({ ...kept, answerJson: canonicalJson(kept.answer) }),
    ]),
  );
}

function eventLine(event: StoredEvent, answer: string | undefined): string {
  const { happenedAtMicros, recordedAtMicros, ...fields } = event;
  return canonicalJson({
    kind: "event",
    ...fields,
    happenedAtMicros: String(happenedAtMicros),
    recordedAtMicros: String(recordedAtMicros),
    answerHash: fields.hashForm === 1 ? null : (answer ?? null),
  });
}

/** The link before a position. Throws if the log does not have it. */
async function linkBefore(sql: Sql, position: number): Promise<string> {
  if (position === 1) {
    return GENESIS_HASH;
  }
  const [before] = await sql<{ hash: string }[]>`
    select encode(hash, 'hex') as hash from log.events where position = ${position - 1}`;
  if (before === undefined) {
    throw new RangeError(`Position ${position - 1} is not in the log`);
  }
  return before.hash;
}

/**
 * The lines of an export, in pieces of many lines: a first line with the range and the link before it, one for each
 * event, and a last line with the head. No personal data is in them, because none is in the log.
 */
export async function* exportLog(sql: Sql, { from, to }: ExportRange): AsyncGenerator<string> {
  const before = { position: from - 1, hash: await linkBefore(sql, from) };
  yield `${canonicalJson({ kind: "start", format: FORMAT, from, to, before })}\n`;
  let head = before;
  let events = 0;
  for (let after = from - 1; after < to; after += EVENTS_A_CHUNK) {
    const range = await readRange(sql, after, Math.min(after + EVENTS_A_CHUNK, to));
    const answers = await answerHashes(sql, range);
    let text = "";
    for (const event of range) {
      text += `${eventLine(event, answers.get(event.position))}\n`;
      head = { position: event.position, hash: event.hash };
    }
    events += range.length;
    yield text;
  }
  yield `${canonicalJson({ kind: "end", events, head })}\n`;
}
