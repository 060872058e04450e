// A step need not wait for the disk, unless a standby is read: unflushed commits are not sent there.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Projection } from "#ledger/projection/define.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { openTillShop, type TillShop, under } from "#testing/till/till-shop.ts";
import { fillTill, tillEvents } from "#testing/till/till.ts";

/** Records how each step commits. It cannot fold the till "bad", so later steps pass it one by one. */
const commitNotes: Projection = {
  name: "commit_notes",
  version: 1,
  tables: [
    {
      name: "commit_notes",
      columns: "till text not null, commit text not null, one integer not null",
      keys: ["primary key (till)"],
      indexes: [],
    },
  ],
  step: [
    `insert into {table:commit_notes} (till, commit, one)
     select to_account, current_setting('synchronous_commit'),
       1 / case when to_account = 'till-bad' then 0 else 1 end
     from log.postings
     where position > $1::bigint and position <= $2::bigint and {key:to_account}`,
  ],
  keysTouched: `
    select distinct to_account as key from log.postings
    where position > $1::bigint and position <= $2::bigint`,
  forgetKeys: ["delete from {table:commit_notes} where till = any ($1::text[])"],
  streamsOfKey: "array[key]",
};

let shop: TillShop;

beforeAll(async () => {
  shop = await openTillShop();
  const { sql } = shop.database;
  await ensureProjections({ sql, projections: [commitNotes], events: tillEvents });
});

afterAll(() => shop.close());

async function commitOf(tills: readonly string[], commit?: "local"): Promise<readonly string[]> {
  for (const till of tills) {
    await shop.ledger.execute(fillTill, { till, cents: 1 }, under(till));
  }
  const { sql } = shop.database;
  const runner = createRunner({
    sql,
    projections: [commitNotes],
    events: tillEvents,
    ...(commit === undefined ? {} : { commit }),
  });
  await runner.catchUp();
  const rows = await sql<{ commit: string }[]>`
    select commit from read.commit_notes where till = any (${tills.map((till) => `till-${till}`)})
    order by till`;
  return rows.map((row) => row.commit);
}

test("a step does not wait for the disk", async () => {
  expect(await commitOf(["a"])).toEqual(["off"]);
});

test("if a standby is read, every step waits for the disk, also when it passes a key that it cannot fold", async () => {
  expect(await commitOf(["b"], "local")).toEqual(["local"]);
  expect(await commitOf(["c", "bad", "d"], "local")).toEqual(["local", "local"]);
});
