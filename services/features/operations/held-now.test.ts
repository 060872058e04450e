// How many rows are held back: of the shown tables for the tile, and now for an alert that was raised when there were fewer.
import { afterAll, beforeAll, expect, test } from "vitest";
import { raiseAlert } from "#features/alerts/decider.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";

let shop: TestApp;
let boss: TestPerson;

beforeAll(async () => {
  shop = await openTestApp();
  boss = await shop.person("Boss", "admin");
  const { sql } = shop.database;
  await sql`
    insert into read.projections (name, generation, version, state, position)
    values ('balances', 99, 1, 'building', 0)`;
  await sql`
    insert into read.quarantine (projection, generation, key, at_position, error)
    select name, generation, key, 1, 'division by zero'
    from read.projections, unnest(array['store:cash', 'store:till']) key
    where name = 'balances' and (state = 'live' or key = 'store:cash')`;
});

afterAll(() => shop.close());

test("held rows of tables that are not shown are counted apart", async () => {
  const { body } = await shop.call("GET", "/api/operations/held", { as: boss });
  expect(body).toMatchObject({ count: 3, shownCount: 2 });
});

test("an alert that was raised for the first held row says how many there are now", async () => {
  await shop.deps.ledger.execute(
    raiseAlert,
    {
      key: "held:balances",
      kind: "held",
      subject: "balances",
      rowKey: "store:cash",
      count: 1,
      atPosition: 1,
      happenedAt: shop.deps.clock().toISOString(),
    },
    { actor: "system:alerts", scope: "test", key: "raised", requestHash: "" },
  );
  const { body } = await shop.call("GET", "/api/alerts", { as: boss });
  expect(body).toMatchObject({ open: [{ description: "2 rows of balances are held back" }] });
});
