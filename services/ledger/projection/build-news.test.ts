// A start that has to build read tables again first says so, how far it is, and how long it took.
import { afterEach, beforeEach, expect, it } from "vitest";
import { readHead } from "#ledger/log/read.ts";
import type { BuildNews } from "#ledger/projection/build-news.ts";
import { describeBuildNews, tellOfBuild } from "#ledger/projection/build-news.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import type { JarShop } from "#testing/jar/jar-shop.ts";
import { openJarShop, under } from "#testing/jar/jar-shop.ts";
import { fillJar, jarEvents } from "#testing/jar/jar.ts";

const newer = { ...jarBook, version: jarBook.version + 1 };
const tables = { projection: "jar_book", version: newer.version, number: 1, of: 1 };

let shop: JarShop;

beforeEach(async () => {
  shop = await openJarShop();
  const parts = { sql: shop.database.sql, projections: [jarBook], events: jarEvents };
  await ensureProjections(parts);
  for (const key of ["one", "two", "three"]) {
    await shop.ledger.execute(fillJar, { jar: "t1", cents: 100 }, under(key));
  }
  await createRunner(parts).catchUp();
});

afterEach(() => shop.close());

it("a start tells of tables of an older version until they are shown, and nothing at the next start", async () => {
  const { sql } = shop.database;
  const told: BuildNews[] = [];
  const onNews = (news: BuildNews) => void told.push(news);
  const parts = { sql, projections: [newer], events: jarEvents };
  await ensureProjections({ ...parts, onNews, newsEveryMs: 0 });
  const { position: head } = await readHead(sql);
  expect(told[0]).toEqual({ kind: "begun", ...tables, head });
  const all = { position: head, head, percent: 100 };
  const going = { kind: "going", ...tables, ...all, heldCount: 0 };
  expect(told).toContainEqual({ ...going, phase: "filling", secondsLeft: 0 });
  expect(told).toContainEqual({ ...going, phase: "indexing", secondsLeft: null });
  expect(told.at(-1)).toMatchObject({ kind: "shown", ...tables, position: head });
  const { length } = told;
  await ensureProjections({ ...parts, onNews, newsEveryMs: 0 });
  expect(told).toHaveLength(length);
});

it("a start whose new step fails for rows says how many are held back and where it is, and ends when it is asked to", async () => {
  const { sql } = shop.database;
  for (const jar of ["t2", "t3", "t4"]) {
    await shop.ledger.execute(fillJar, { jar, cents: 100 }, under(jar));
  }
  const failing = {
    ...newer,
    step: [
      ...newer.step,
      `select 1 / (p.cents - p.cents) from {postings} p
       where p.position > $1::bigint and p.position <= $2::bigint and {key:p.to_account}`,
    ],
  };
  const asked = new AbortController();
  const lines: string[] = [];
  const onNews = (news: BuildNews) => {
    lines.push(describeBuildNews(news));
    if (news.kind === "going" && news.heldCount === 2) {
      asked.abort(new Error("asked to end"));
    }
  };
  const { signal } = asked;
  const parts = { sql, projections: [failing], events: jarEvents, newsEveryMs: 0 };
  await expect(ensureProjections({ ...parts, onNews, signal })).rejects.toThrow("asked to end");
  // A slow machine says each more than once.
  const said = [...new Set(lines.filter((line) => line.includes("held back")))];
  expect(said.slice(0, 2)).toEqual([
    expect.stringMatching(/position 0 of 6.*; 1 row is held back so far, because the step fails$/u),
    expect.stringMatching(/position 3 of 6.*; 2 rows are held back so far/u),
  ]);
  const [notShown] = await ensureProjections(parts);
  expect(notShown?.reason).toContain("they hold back 4 row keys");
});

it("a start that waits for another process to build them says so", async () => {
  const { sql } = shop.database;
  const other = await shop.openPool().reserve();
  await other`select pg_advisory_lock(4711, 2)`;
  const said = Promise.withResolvers<void>();
  const made = ensureProjections({
    sql,
    projections: [newer],
    events: jarEvents,
    onWaiting: said.resolve,
  });
  await said.promise;
  await other`select pg_advisory_unlock(4711, 2)`;
  other.release();
  expect(await made).toEqual([]);
});

it("the position, the share and the time left are those of the events that are folded", async () => {
  const lines: string[] = [];
  const onNews = (news: BuildNews) => void lines.push(describeBuildNews(news));
  const teller = tellOfBuild(newer, { number: 2, of: 3 }, 200_000, { onNews, newsEveryMs: 0 });
  const at = async (phase: "filling" | "indexing" | "comparing", position: number) => {
    teller.options.onProgress?.(position, 200_000);
    await teller.options.onStage?.({ phase, generation: 2, position, head: 200_000 });
  };
  await at("filling", 0);
  await at("filling", 50_000);
  await at("indexing", 200_000);
  await at("comparing", 200_000);
  teller.shown(200_000);
  teller.close();
  const which = `the read tables of jar_book (version ${newer.version}, 2 of 3)`;
  expect(lines).toEqual([
    `${which} are built again from 200,000 events`,
    `${which}: 0 %, position 0 of 200,000`,
    expect.stringMatching(/: 25 %, position 50,000 of 200,000, about \d+ s left$/u),
    `${which}: all events are in, their indexes are made`,
    `${which}: all events are in, they are compared with the shown ones`,
    expect.stringMatching(/ were built again in \d+(?:\.\d)? s and are shown now$/u),
  ]);
});

it("a build that continues after a kill reckons the time left from where it began again", async () => {
  const told: BuildNews[] = [];
  const onNews = (news: BuildNews) => void told.push(news);
  const teller = tellOfBuild(newer, tables, 1_000, { onNews, newsEveryMs: 0 });
  const stage = { phase: "filling", generation: 2, head: 1_000 } as const;
  await teller.options.onStage?.({ ...stage, position: 600 });
  teller.close();
  // Nothing is folded yet since it began again, so nothing is known of its speed.
  expect(told.at(-1)).toMatchObject({ position: 600, percent: 60, secondsLeft: null });
});
