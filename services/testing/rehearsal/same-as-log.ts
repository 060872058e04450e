// Compares a rehearsal with what the log has after the same call was carried out.
import { type RehearsalResponse, rehearsalResponse } from "#features/rehearsal/contract.ts";
import { toDollars } from "#ledger/money.ts";
import { readRange } from "#ledger/log/read.ts";
import type { TestAnswer, TestApp } from "#testing/service/test-app.ts";
import { KnownIds } from "#testing/shop/same-facts.ts";

/** Under this header a call only says what it would do. */
export const rehearses = { "Ledger-Rehearsal": "true" } as const;

/**
 * Where a rehearsal differs from what the call then did, when nothing came between the two. New ids differ each time,
 * so they only have to be in the same places. Only admins see all postings and movements. Accepting an offer of which
 * none are left is refused, but the ledger takes the command and closes the offer: the rehearsal has that event.
 */
export async function differencesOf(
  { database: { sql } }: TestApp,
  rehearsed: TestAnswer,
  done: TestAnswer,
  seesAll = true,
): Promise<string[]> {
  if (rehearsed.status !== 200) {
    return new KnownIds().differences(refusalOf(rehearsed), refusalOf(done));
  }
  const { position, ...said } = rehearsalResponse.parse(rehearsed.body);
  const written = await readRange(sql, position, Number.MAX_SAFE_INTEGER);
  const ids = new KnownIds();
  const wrong = ids.differences(
    said.events.map(({ type, ...moved }) => ({ type, moved: seesAll ? movedBy(moved) : null })),
    written.map(({ type, postings, movements }) => {
      const amounts = postings.map(({ cents, ...way }) => ({ ...way, amount: toDollars(cents) }));
      return { type, moved: seesAll ? { postings: amounts, movements } : null };
    }),
  );
  const states = await sql<{ id: string; state: unknown }[]>`
    select s.id, s.state from log.streams s where s.id in (
      select stream_id from log.event_streams where position > ${position})`;
  const now = (streamId: string, field: string) =>
    Reflect.get(Object(states.find(({ id }) => id === ids.served(streamId))?.state), field);
  const after = [
    ...said.balances.map(({ uid, account, after: amount }) => [
      `${uid} ${account}`,
      amount * 100,
      now(`consignor-${uid}`, account === "available" ? "availableCents" : "inTransitCents"),
    ]),
    ...said.items.map(({ itemId, after: units }) => [
      itemId,
      units,
      now(`item-${itemId}`, "quantity"),
    ]),
    ...said.heldForTrades.map(({ tradeID, after: amount }) => [
      tradeID,
      amount * 100,
      now(`trade-${tradeID}`, "heldCents"),
    ]),
  ] as const;
  return [
    ...wrong,
    ...after.flatMap(([what, expected, found]) =>
      Math.round(Number(expected)) === found
        ? []
        : [`${String(what)}: ${String(expected)} rehearsed, ${String(found)} in the log`],
    ),
  ];
}

type Moved = Pick<RehearsalResponse["events"][number], "postings" | "movements">;

function movedBy({ postings, movements }: Moved): Moved {
  return { postings, movements };
}

function refusalOf({ status, body }: TestAnswer) {
  const { requestId: _unlike, ...said } = Object(body) as Record<string, unknown>;
  return { status, ...said };
}

/** A hash of every table and sequence of the database but the attempt counters, by its name. */
export async function contentsOf({
  database: { ownerSql },
}: TestApp): Promise<Map<string, string>> {
  const tables = await ownerSql<{ name: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'S') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and format('%I.%I', n.nspname, c.relname) <> 'identity.rate_limits'`;
  const hashes = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(coalesce(string_agg(t::text, '' order by t::text), '')) as hash from ${name} t`,
  );
  const rows = await ownerSql.unsafe<{ name: string; hash: string }[]>(hashes.join(" union all "));
  return new Map(rows.map(({ name, hash }) => [name, hash]));
}
