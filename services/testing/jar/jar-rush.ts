// A rush on a few jars from several processes, and the list of promises that it broke.
import type { Outcome } from "#ledger/log/ledger.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { readRange } from "#ledger/log/read.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { netOf } from "#ledger/posting.ts";
import type { JarShop } from "#testing/jar/jar-shop.ts";
import { under } from "#testing/jar/jar-shop.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import { fillJar, payOut, jarEvents } from "#testing/jar/jar.ts";

type Command =
  | { readonly kind: "fill"; readonly key: string; readonly jar: string }
  | { readonly kind: "pay"; readonly key: string; readonly from: string; readonly cents: number };

type Answer = { readonly command: Command; readonly outcome: Outcome<unknown> };

/** Numbers that repeat with the seed. */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function commandsOf(count: number, seed: number): Command[] {
  const random = seededNumbers(seed);
  return Array.from({ length: count }, (_, index): Command => {
    const jar = `t${Math.floor(random() * 8)}`;
    // Every fifth command repeats the key and the request of the one before it.
    const key = `${seed}-${index}`;
    return random() < 0.45
      ? { kind: "fill", key, jar }
      : { kind: "pay", key, from: jar, cents: 10 + Math.floor(random() * 40) };
  }).flatMap((command, index) => (index % 5 === 4 ? [command, command] : [command]));
}

/** Each jar's balance at the positions at which it changed. */
async function balancesOf(shop: JarShop): Promise<Map<string, [number, number][]>> {
  const events = await readRange(shop.database.sql, 0, 1_000_000);
  const balances = new Map<string, [number, number][]>();
  for (const event of events) {
    for (const { streamId } of event.streams) {
      const history = balances.get(streamId) ?? [];
      const last = history.at(-1)?.[1] ?? 0;
      history.push([event.position, last + netOf(event.postings, streamId)]);
      balances.set(streamId, history);
    }
  }
  return balances;
}

function judge(
  answers: readonly PromiseSettledResult<Answer>[],
  balances: ReadonlyMap<string, [number, number][]>,
): string[] {
  const broken: string[] = [];
  for (const answer of answers) {
    if (answer.status === "rejected") {
      broken.push(`a command failed: ${String(answer.reason)}`);
      continue;
    }
    const { command, outcome } = answer.value;
    if (outcome.kind === "contended" || outcome.kind === "key-reused") {
      broken.push(`${command.key} was answered ${outcome.kind}`);
    } else if (outcome.kind === "rejected" && command.kind === "pay") {
      const history = balances.get(`jar-${command.from}`) ?? [];
      const then = history.findLast(([position]) => position <= outcome.position)?.[1] ?? 0;
      if (outcome.rejection.status === 409 && then >= command.cents) {
        broken.push(`${command.key} was refused at ${outcome.position}, when ${then} were there`);
      }
    }
  }
  for (const [jar, history] of balances) {
    if (!jar.endsWith("-sink") && history.some(([, cents]) => cents < 0)) {
      broken.push(`${jar} was overdrawn`);
    }
  }
  return broken;
}

async function ask(writer: LedgerWriter, command: Command): Promise<Answer> {
  const context = under(command.key);
  const outcome =
    command.kind === "fill"
      ? await writer.execute(fillJar, { jar: command.jar, cents: 20 }, context)
      : await writer.execute(
          payOut,
          { from: command.from, to: `${command.from}-sink`, cents: command.cents },
          context,
        );
  return { command, outcome };
}

/** Four processes, 24 callers, the same few jars, every fifth command sent twice. Returns the broken promises. */
export async function rushWriters(shop: JarShop, count: number, seed: number): Promise<string[]> {
  const writers = [shop.ledger, shop.openWriter(), shop.openWriter(), shop.openWriter()];
  const queue = commandsOf(count, seed);
  const answers: PromiseSettledResult<Answer>[] = [];
  const callers = Array.from({ length: 24 }, async (_, caller) => {
    const writer = writers[caller % 4] ?? shop.ledger;
    for (let command = queue.pop(); command !== undefined; command = queue.pop()) {
      const [settled] = await Promise.allSettled([ask(writer, command)]);
      answers.push(settled);
    }
  });
  await Promise.all(callers);
  const broken = judge(answers, await balancesOf(shop));
  const { sql } = shop.database;
  const gaps = await sql`
    select 'streams with a gap' from log.event_streams group by stream_id having count(*) <> max(version)
    union all
    select 'positions with a gap' from log.events having count(*) <> max(position)
    union all
    select 'a key with two events' from log.events group by key_scope, command_key having count(*) > 1`;
  return [...broken, ...gaps.map((row) => JSON.stringify(row))];
}

/** Six workers fold the same new events at once. Returns the jars whose sum differs from their postings. */
export async function rushWorkers(shop: JarShop, rounds: number): Promise<string[]> {
  const { sql } = shop.database;
  await ensureProjections({ sql, projections: [jarBook], events: jarEvents });
  const workers = Array.from({ length: 6 }, () =>
    createRunner({ sql: shop.openPool(), projections: [jarBook], events: jarEvents }),
  );
  const broken: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        shop.ledger.execute(
          fillJar,
          { jar: `w${index % 4}`, cents: 20 },
          under(`w-${round}-${index}`),
        ),
      ),
    );
    const folded = await Promise.allSettled(workers.map((worker) => worker.catchUp()));
    broken.push(
      ...folded.flatMap((fold) => (fold.status === "rejected" ? [String(fold.reason)] : [])),
    );
  }
  const wrong = await sql<{ jar: string }[]>`
    select p.account as jar from (
      select account, sum(cents)::bigint as cents from (
        select to_account as account, cents from log.postings
        union all select from_account, -cents from log.postings) b
      where account like 'jar-%' group by account) p
    left join read.jar_sums s on s.jar = p.account
    where s.cents is distinct from p.cents`;
  const quarantined = await sql`select key from read.quarantine`;
  return [
    ...broken,
    ...wrong.map(({ jar }) => `${jar} is folded wrong`),
    ...quarantined.map((row) => `quarantined ${JSON.stringify(row)}`),
  ];
}
