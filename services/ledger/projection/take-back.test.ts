// Going back to the tables from before a flip, where the shown ones get no further.
import { afterEach, beforeEach, expect, it } from "vitest";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { takeBack } from "#ledger/projection/take-back.ts";
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

it("takes a flip back from tables that get no further, but not to tables that get no further either", async () => {
  const { sql, ownerSql } = shop.database;
  await fill("t1");
  await rebuildProjection(sql, jarBook, { events: jarEvents });
  await ownerSql`alter table read.jar_lines_g2 rename column cents_after to spoilt`;
  await fill("t2");
  const reason =
    /^The shown tables of jar_book get no further than event \d+: .+ So they cannot be compared with the earlier ones$/u;
  let asked: unknown;
  const refused = await takeBack(sql, jarBook, jarEvents, {
    mayFlip: (compared) => {
      asked = compared;
      return Promise.resolve(false);
    },
  });
  expect(refused).toMatchObject({ kind: "refused", generation: 1 });
  expect(asked).toEqual({ kind: "stuck", reason: expect.stringMatching(reason) });

  await ownerSql`alter table read.jar_lines_g1 rename column cents_after to spoilt`;
  await fill("t3");
  await expect(takeBack(sql, jarBook, jarEvents)).rejects.toThrow("The earlier tables");
  await ownerSql`alter table read.jar_lines_g1 rename column spoilt to cents_after`;
  expect(await takeBack(sql, jarBook, jarEvents)).toMatchObject({ generation: 1, differing: 0 });
  expect(await jars()).toEqual(["jar-t1", "jar-t2", "jar-t3"]);
});
