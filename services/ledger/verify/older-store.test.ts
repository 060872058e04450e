// A store from before kept answers were hashed works with this program: its older events verify, and tampering with
// older and newer events is found.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Sql } from "#db/connect.ts";
import { appRole } from "#db/embedded.ts";
import { migrate } from "#db/migrate.ts";
import { emit } from "#ledger/event.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { move, moveUnits } from "#ledger/posting.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { appendAsBefore, migrateUpTo } from "#testing/database/older-store.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { filledOnce } from "#testing/database/test-database.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import { jarShopOn, under } from "#testing/jar/jar-shop.ts";
import type { JarShop } from "#testing/jar/jar-shop.ts";
import {
  HAPPENED_AT,
  fillJar,
  payOut,
  jarEvents,
  jarFilled,
  jarStreams,
} from "#testing/jar/jar.ts";

let shop: JarShop;
let database: TestDatabase;
let ledger: LedgerWriter;

/** The older part: f1 and f2 with one event each, f3 with two, a refusal, and a command that wrote nothing. */
async function fillBefore(sql: Sql): Promise<void> {
  let version = 0;
  const filled = (count: number) =>
    Array.from({ length: count }, () => {
      version += 1;
      return {
        ...emit(
          jarFilled,
          { jar: "t1", cents: 100 },
          {
            streams: ["jar-t1"],
            happenedAt: HAPPENED_AT,
            postings: move("world:customers", "jar-t1", 100),
            movements: moveUnits("world:received", "item:coins", 1),
          },
        ),
        id: randomUUID(),
        version,
      };
    });
  for (const [key, count] of [
    ["f1", 1],
    ["f2", 1],
    ["f3", 2],
    ["nothing", 0],
  ] as const) {
    const events = filled(count);
    const answer = { kind: "accepted", answer: { cents: version * 100 } };
    const state = { cents: version * 100 };
    await appendAsBefore(sql, { context: under(key), answer, events, state });
  }
  const rejection = { kind: "rejected", status: 409, code: "jar_too_low", message: "Too low" };
  const answer = { kind: "rejected", rejection };
  await appendAsBefore(sql, { context: under("refused"), answer, events: [], state: {} });
}

const verify = () =>
  verifyBooks({
    sql: database.sql,
    events: jarEvents,
    streams: jarStreams,
    projections: [jarBook],
    heads: [],
    checks: [],
  });

/** The older part under the current schema, followed by a newer part. */
const olderStore = filledOnce(async (old) => {
  await migrateUpTo(old.ownerUrl, 9);
  await fillBefore(old.sql);
  await migrate({ ownerUrl: old.ownerUrl, appRole });
  // Statements prepared on the older schema end with its connections, as they do with its process.
  const shop = jarShopOn(old);
  for (const key of ["g1", "g2", "g3"]) {
    await shop.ledger.execute(fillJar, { jar: "t1", cents: 50 }, under(key));
  }
  await shop.ledger.execute(
    payOut,
    { from: "t1", to: "t2", cents: 1_000_000 },
    under("refused too"),
  );
  const sql = shop.openPool();
  await ensureProjections({ sql, projections: [jarBook], events: jarEvents });
  await createRunner({ sql, projections: [jarBook], events: jarEvents }).catchUp();
  await shop.release();
}, "empty");

beforeEach(async () => {
  shop = jarShopOn(await olderStore());
  ({ database, ledger } = shop);
});

afterEach(() => shop.close());

it("passes, and says how many answers the chain does not cover", async () => {
  const forms = await database.sql`select hash_form from log.events order by position`;
  expect(forms.map((row) => row["hash_form"])).toEqual([1, 1, 1, 1, 2, 2, 2]);
  const report = await verify();
  expect(report).toMatchObject({
    problems: [],
    events: 7,
    answers: { chained: 3, older: 3, refused: 2, acceptedWithoutEvents: 1 },
  });
});

it("gives a repeated command of that time its first answer", async () => {
  expect(await ledger.execute(fillJar, { jar: "t1", cents: 9 }, under("f3"))).toMatchObject({
    kind: "accepted",
    answer: { cents: 400 },
    position: 4,
    repeated: true,
  });
});

it.each([
  [
    "an older event's data",
    `update log.events set data = '{"jar": "t1", "cents": 9}' where position = 3`,
    "chain",
    3,
  ],
  [
    "an older event marked as a newer one",
    "update log.events set hash_form = 2 where position = 3",
    "chain",
    3,
  ],
  [
    "a newer event marked as an older one",
    "update log.events set hash_form = 1 where position = 6",
    "chain",
    6,
  ],
  ["a missing older key", "delete from log.command_keys where key = 'f3'", "keys", 3],
  [
    "an older key's position",
    "update log.command_keys set position = 3 where key = 'f3'",
    "keys",
    3,
  ],
  ["an older key's count", "update log.command_keys set events = 1 where key = 'f3'", "keys", 3],
  [
    "an older answer that became a refusal",
    `update log.command_keys set answer = '{"kind": "rejected"}' where key = 'f3'`,
    "keys",
    3,
  ],
  [
    "a newer answer",
    `update log.command_keys set answer = '{"kind": "accepted", "answer": 1}' where key = 'g2'`,
    "chain",
    6,
  ],
  [
    "a newer request",
    "update log.command_keys set request_hash = sha256('x') where key = 'g2'",
    "chain",
    6,
  ],
  [
    "a newer key without a count",
    "update log.command_keys set events = null where key = 'g2'",
    "keys",
    6,
  ],
  ["a missing newer key", "delete from log.command_keys where key = 'g2'", "keys", 6],
  [
    "a key forged later in the older format",
    `insert into log.command_keys values ('store', 'forged', sha256('x'), '{"kind": "accepted", "answer": 1}', 6, null)`,
    "keys",
    6,
  ],
])("shows %s at its position", async (_what, change, check, position) => {
  await database.ownerSql.unsafe(change);
  expect((await verify()).problems[0]).toMatchObject({ check, position });
});
