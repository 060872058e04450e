// Tables whose row is lost are dropped, and no others; where a shown row is lost, the earlier tables are shown.
import { afterEach, beforeEach, expect, it } from "vitest";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createGeneration, dropUnnamed, readGenerations } from "#ledger/projection/generation.ts";
import { cancelRebuild, rebuildProjection } from "#ledger/projection/rebuild.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { JarShop } from "#testing/jar/jar-shop.ts";
import { openJarShop, under } from "#testing/jar/jar-shop.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import { fillJar, jarEvents } from "#testing/jar/jar.ts";

let shop: JarShop;

beforeEach(async () => {
  shop = await openJarShop();
  await ensureProjections({ sql: shop.database.sql, projections: [jarBook], events: jarEvents });
});

afterEach(() => shop.close());

const fill = (jar: string) =>
  shop.ledger.execute(fillJar, { jar, cents: 20 }, under(`fill-${jar}`));

const jars = async () =>
  (await shop.database.sql<{ jar: string }[]>`select jar from read.jar_sums order by jar`).map(
    ({ jar }) => jar,
  );

it("drops tables that no row names, and none that are shown, kept or being built", async () => {
  const { sql, ownerSql } = shop.database;
  await fill("t1");
  await rebuildProjection(sql, jarBook, { events: jarEvents });
  await rebuildProjection(sql, jarBook, { events: jarEvents, mayFlip: () => false });
  await createGeneration(sql, jarBook);
  await createGeneration(sql, jarBook);
  await sql`delete from read.projections where name = 'jar_book' and generation = 5`;
  await ownerSql`create table read.jar_sums_g6 ()`;
  await ownerSql`create view public.own_view as select * from read.jar_sums_g1`;
  await sql`delete from read.projections where name = 'jar_book' and generation = 1`;
  expect(await dropUnnamed(sql, jarBook)).toEqual([
    "read.jar_lines_g1",
    "read.jar_lines_g5",
    "read.jar_sums_g5",
  ]);
  expect(await dropUnnamed(sql, jarBook)).toEqual([]);
  expect((await readGenerations(sql)).map(({ generation }) => generation)).toEqual([2, 3, 4]);
  expect(await cancelRebuild(sql, jarBook)).toBe(2);
  expect(await jars()).toEqual(["jar-t1"]);
});

it("shows the earlier tables where the row of the shown ones is lost, and empty ones if those are broken", async () => {
  const { sql, ownerSql } = shop.database;
  const start = () => ensureProjections({ sql, projections: [jarBook], events: jarEvents });
  const shown = async () => (await readGenerations(sql)).find(({ state }) => state === "live");
  await fill("t1");
  await rebuildProjection(sql, jarBook, { events: jarEvents });
  await sql`delete from read.projections where state = 'live'`;
  await start();
  expect(await shown()).toMatchObject({ generation: 1 });
  await createRunner({ sql, projections: [jarBook], events: jarEvents }).catchUp();
  expect(await jars()).toEqual(["jar-t1"]);

  await rebuildProjection(sql, jarBook, { events: jarEvents });
  await sql`delete from read.projections where state = 'live'`;
  await ownerSql`alter table read.jar_lines_g1 drop column cents_after cascade`;
  await start();
  expect(await shown()).toMatchObject({ generation: 4, position: 0 });
});
