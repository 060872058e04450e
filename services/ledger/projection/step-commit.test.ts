// A step need not wait for the disk, unless a standby is read: unflushed commits are not sent there.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Projection } from "#ledger/projection/define.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { openJarShop, type JarShop, under } from "#testing/jar/jar-shop.ts";
import { fillJar, jarEvents } from "#testing/jar/jar.ts";

/** Records how each step commits. It cannot fold the jar "bad", so later steps pass it one by one. */
const commitNotes: Projection = {
  name: "commit_notes",
  version: 1,
  tables: [
    {
      name: "commit_notes",
      columns: "jar text not null, commit text not null, one integer not null",
      keys: ["primary key (jar)"],
      indexes: [],
    },
  ],
  step: [
    `insert into {table:commit_notes} (jar, commit, one)
     select to_account, current_setting('synchronous_commit'),
       1 / case when to_account = 'jar-bad' then 0 else 1 end
     from log.postings
     where position > $1::bigint and position <= $2::bigint and {key:to_account}`,
  ],
  keysTouched: `
    select distinct to_account as key from log.postings
    where position > $1::bigint and position <= $2::bigint`,
  forgetKeys: ["delete from {table:commit_notes} where jar = any ($1::text[])"],
  streamsOfKey: "array[key]",
};

let shop: JarShop;

beforeAll(async () => {
  shop = await openJarShop();
  const { sql } = shop.database;
  await ensureProjections({ sql, projections: [commitNotes], events: jarEvents });
});

afterAll(() => shop.close());

async function commitOf(jars: readonly string[], commit?: "local"): Promise<readonly string[]> {
  for (const jar of jars) {
    await shop.ledger.execute(fillJar, { jar, cents: 1 }, under(jar));
  }
  const { sql } = shop.database;
  const runner = createRunner({
    sql,
    projections: [commitNotes],
    events: jarEvents,
    ...(commit === undefined ? {} : { commit }),
  });
  await runner.catchUp();
  const rows = await sql<{ commit: string }[]>`
    select commit from read.commit_notes where jar = any (${jars.map((jar) => `jar-${jar}`)})
    order by jar`;
  return rows.map((row) => row.commit);
}

test("a step does not wait for the disk", async () => {
  expect(await commitOf(["a"])).toEqual(["off"]);
});

test("if a standby is read, every step waits for the disk, also when it passes a key that it cannot fold", async () => {
  expect(await commitOf(["b"], "local")).toEqual(["local"]);
  expect(await commitOf(["c", "bad", "d"], "local")).toEqual(["local", "local"]);
});
