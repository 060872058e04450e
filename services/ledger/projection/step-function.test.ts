// Small steps as one statement: what their session keeps, and which of a step's statements they leave out.
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Projection } from "#ledger/projection/define.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { checkReplay } from "#ledger/verify/replay.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import { openJarShop, type JarShop, under } from "#testing/jar/jar-shop.ts";
import { fillJar, jarEvents } from "#testing/jar/jar.ts";

let shop: JarShop;

beforeEach(async () => {
  shop = await openJarShop();
});

afterEach(() => shop.close());

async function fill(...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await shop.ledger.execute(fillJar, { jar: "t1", cents: 100 }, under(key));
  }
}

async function ensure(projection: Projection): Promise<void> {
  await ensureProjections({
    sql: shop.database.sql,
    projections: [projection],
    events: jarEvents,
  });
}

async function problemsOf(projection: Projection): Promise<readonly string[]> {
  const { problems } = await checkReplay(shop.database.sql, projection, { events: jarEvents });
  return problems.map(({ message }) => message);
}

test("a session makes the functions of its steps once, and the next session again", async () => {
  await ensure(jarBook);
  // The sessions that made functions, by the numbers that each pool gives its own.
  const makers: string[] = [];
  const openRunner = (pool: string) => {
    const sql = shop.openPool();
    sql.options.debug = (connection, query) => {
      if (query.includes("create function pg_temp.")) {
        makers.push(`${pool} ${connection}`);
      }
    };
    return createRunner({ sql, projections: [jarBook], events: jarEvents });
  };
  const first = openRunner("first");
  for (const key of ["one", "two", "three", "four", "five", "six"]) {
    await fill(key);
    await first.catchUp();
  }
  expect(new Set(makers).size).toBe(makers.length);
  await fill("seven");
  await openRunner("second").catchUp();
  expect(makers.at(-1)).toMatch(/^second/u);
  expect(await problemsOf(jarBook)).toEqual([]);
});

test("a small step leaves out statements without one of their events", async () => {
  const onlyFor = jarBook.step.map(() => ["JarFilled"]);
  const right = { ...jarBook, onlyFor };
  await ensure(right);
  await fill("one");
  await createRunner({
    sql: shop.database.sql,
    projections: [right],
    events: jarEvents,
  }).catchUp();
  expect(await problemsOf(right)).toEqual([]);
});

test("a list that lacks a type of event is found by verifying", async () => {
  const wrong = { ...jarBook, onlyFor: jarBook.step.map(() => ["JarEmptied"]) };
  await ensure(wrong);
  await fill("one");
  await createRunner({
    sql: shop.database.sql,
    projections: [wrong],
    events: jarEvents,
  }).catchUp();
  expect(await problemsOf(wrong)).not.toEqual([]);
});

const nothing = "delete from {table:jar_lines} where false";

/** The jar's book with another first statement as its shortcut. */
function bookWith(without: readonly string[], statement: string): Projection {
  return { ...jarBook, shortcuts: [{ without, statement }] };
}

async function fillAndCatchUp(projection: Projection): Promise<void> {
  await ensure(projection);
  await fill("one");
  const runner = createRunner({
    sql: shop.database.sql,
    projections: [projection],
    events: jarEvents,
  });
  await runner.catchUp();
}

test("a small step takes the shortcut of a statement where none of its events is in the range", async () => {
  const [first = ""] = jarBook.step;
  const right = bookWith(["JarEmptied"], first);
  await fillAndCatchUp(right);
  expect(await problemsOf(right)).toEqual([]);
});

test("a shortcut that changes something else is found by verifying", async () => {
  const wrong = bookWith(["JarEmptied"], nothing);
  await fillAndCatchUp(wrong);
  expect(await problemsOf(wrong)).not.toEqual([]);
});

test("a range with one of the shortcut's events takes the whole statement", async () => {
  const right = bookWith(["JarFilled"], nothing);
  await fillAndCatchUp(right);
  expect(await problemsOf(right)).toEqual([]);
});

test("where a shortcut fails, the whole step is run, and nothing is held back", async () => {
  const fails =
    "insert into {table:jar_lines} (jar, line, position, cents_after) values (read.no_shortcut($2), 1, 1, 1)";
  const failing = bookWith(["JarEmptied"], fails);
  await fillAndCatchUp(failing);
  const held = await shop.database.sql`select key from read.quarantine`;
  expect([held.length, await problemsOf(failing)]).toEqual([0, []]);
});

test("where the role may not make temporary functions, a small step goes statement by statement", async () => {
  await ensure(jarBook);
  const name = new URL(shop.database.appUrl).pathname.slice(1);
  await shop.database.ownerSql.unsafe(`revoke temporary on database "${name}" from public`);
  const sql = shop.openPool();
  let tries = 0;
  sql.options.debug = (_connection, query) => {
    tries += query.includes("create function pg_temp.") ? 1 : 0;
  };
  const runner = createRunner({ sql, projections: [jarBook], events: jarEvents });
  await fill("one");
  await runner.catchUp();
  await fill("two");
  await runner.catchUp();
  expect(tries).toBe(1);
  expect(await problemsOf(jarBook)).toEqual([]);
  const [row] = await sql<{ position: number }[]>`select position from read.projections`;
  expect(row?.position).toBe(2);
});
