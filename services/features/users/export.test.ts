// The file of users while people change.
import { afterAll, beforeAll, expect, test } from "vitest";
import { readUserExport } from "#features/users/queries.ts";
import { openTestApp, TEST_NOW, type TestApp } from "#testing/service/test-app.ts";

let shop: TestApp;

beforeAll(async () => {
  shop = await openTestApp();
});

afterAll(() => shop.close());

test("it has everybody once, although their order changes while it is written", async () => {
  const { ownerSql } = shop.database;
  await ownerSql`
    insert into identity.profiles (uid, email, display_name, created_at)
    select 'filed-' || lpad(n::text, 14, '0'), 'filed-' || n || '@people.test', 'Filed ' || lpad(n::text, 4, '0'), now()
    from generate_series(1, 1001) n`;
  const filters = { q: "filed-", role: undefined, status: "active", money: undefined } as const;
  const list = { ...filters, sort: "name", order: "asc" } as const;
  const uids: string[] = [];
  for await (const users of readUserExport(shop.deps.reads, TEST_NOW, list)) {
    uids.push(...users.map(({ uid }) => uid));
    await ownerSql`
      update identity.profiles set display_name = 'Zoe' where uid = 'filed-00000000000001'`;
  }
  expect([uids.length, new Set(uids).size]).toEqual([1001, 1001]);
});
