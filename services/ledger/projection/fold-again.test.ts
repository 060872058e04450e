// What operators ask to have folded again is tried once for each request, also for one that comes during a try.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Projection } from "#ledger/projection/define.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { askToFold, foldAsked } from "#ledger/projection/fold-again.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { jarBook, poisonedJarBook } from "#testing/jar/jar-projection.ts";
import type { JarShop } from "#testing/jar/jar-shop.ts";
import { openJarShop, under } from "#testing/jar/jar-shop.ts";
import { fillJar, jarEvents } from "#testing/jar/jar.ts";

const TRYING = 71_104;

let shop: JarShop;

const broken = poisonedJarBook(1, "jar-plum");

/** Fails as well, after it has waited for a lock that a test holds. */
const slow: Projection = {
  ...broken,
  step: [
    `select pg_advisory_xact_lock(${TRYING}) from {postings}
     where position > $1::bigint and position <= $2::bigint and {key:to_account}`,
    ...broken.step,
  ],
};

beforeAll(async () => {
  shop = await openJarShop();
  const { sql } = shop.database;
  await ensureProjections({ sql, projections: [broken], events: jarEvents });
  await shop.ledger.execute(fillJar, { jar: "plum", cents: 20 }, under("plum"));
  await createRunner({ sql, projections: [broken], events: jarEvents }).catchUp();
});

afterAll(() => shop.close());

const held = () => shop.database.sql<{ key: string; marked: boolean; tried: boolean }[]>`
  select key, fold_again as marked, tried_at is not null as tried from read.quarantine`;

it("tries a held key once for a request, and keeps it held with the error if it fails again", async () => {
  const { sql } = shop.database;
  expect(await held()).toEqual([{ key: "jar-plum", marked: false, tried: false }]);
  await sql`update read.quarantine set error = 'an older error'`;
  expect(await askToFold(sql, broken.name, null)).toBe(1);
  expect(await foldAsked(sql, [broken], jarEvents)).toBe(0);
  expect(await held()).toEqual([{ key: "jar-plum", marked: false, tried: true }]);
  const [row] = await sql`select error from read.quarantine`;
  expect(row).toEqual({ error: "division by zero" });
});

it("keeps the mark of a key that is marked again while it is tried", async () => {
  const { sql } = shop.database;
  await askToFold(sql, slow.name, "jar-plum");
  let trying: Promise<number> | undefined;
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${TRYING})`;
    trying = foldAsked(sql, [slow], jarEvents);
    await expect
      .poll(
        () => sql`
          select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
      )
      .toHaveLength(1);
    await askToFold(sql, slow.name, "jar-plum");
  });
  expect(await trying).toBe(0);
  expect(await held()).toEqual([{ key: "jar-plum", marked: true, tried: true }]);
  expect(await foldAsked(sql, [jarBook], jarEvents)).toBe(1);
  expect(await held()).toEqual([]);
});
