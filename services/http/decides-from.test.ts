// Calls whose result stays are refused while the read tables that they decide from lack rows or are behind.
import { findTargetHandler } from "hono/utils/handler";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projections } from "../features.ts";
import { tableUseOf } from "#http/freshness.ts";
import { readHead } from "#ledger/log/read.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";

let shop: TestApp;
let admin: TestPerson;
let avery: TestPerson;

beforeAll(async () => {
  // The tables follow only when the test says so.
  shop = await openTestApp({ wakeUp: () => undefined, goesStale: true });
  admin = await shop.person("Admin", "admin");
  avery = await shop.person("Avery");
  await sell();
  await shop.runner.catchUp();
});

afterAll(() => shop.close());

async function sell(): Promise<void> {
  const body = { consignorID: avery.uid, itemName: "Lamp", amount: 12 };
  const answer = await shop.call("POST", "/api/sales/custom", { as: admin, body });
  expect(answer).toMatchObject({ status: 200 });
}

const id = "00000000-0000-4000-8000-000000000001";

/** Each call that decides from read tables, with a body that passes its checks. */
const deciding: Readonly<Record<string, object | undefined>> = {
  "DELETE /api/auth/users/:uid": undefined,
  "POST /api/till/days": { day: "2026-11-21", openingAmount: 100, countedAmount: 100 },
  "PUT /api/sales/:id/tender": { tender: "card", reason: "Wrong button" },
  "POST /api/sales/:id/erase-certificate": { everywhere: false },
  "POST /api/receipts/:id/email": { email: "customer@shop.test" },
  "POST /api/months/close": { month: "2026-10" },
  "POST /api/sales-tax/remittances": { month: "2026-10", amount: 1, reference: "R-1" },
  "POST /api/sales-tax/remittances/:id/reverse": { reason: "Entered twice" },
};

/** Calls that change something and show tables in their answer, or look in them for what the log then checks. */
const showing: readonly string[] = [
  // A seller whose row is held back is not asked; what the others have, their streams say at the acceptance.
  "POST /api/trades/request",
  // The balance in the answer.
  "PUT /api/auth/me",
  "POST /api/auth/users",
  "PUT /api/auth/users/:uid",
  // They change nothing.
  "POST /api/inventory/known",
  "POST /api/statements/verify",
];

function usedBy(use: "shows" | "decides"): readonly string[] {
  return shop.app.routes
    .filter(({ method }) => method !== "GET" && method !== "ALL")
    .filter(({ handler }) => tableUseOf(findTargetHandler(handler)) === use)
    .map(({ method, path }) => `${method} ${path}`);
}

const answers = () =>
  Promise.all(
    Object.entries(deciding).map(async ([call, body]) => {
      const [method = "", path = ""] = call.split(" ");
      const target = path.replace(":uid", avery.uid).replace(":id", id);
      const { status, headers, body: said } = await shop.call(method, target, { as: admin, body });
      return [call, status, Reflect.get(Object(said), "error"), headers.get("Retry-After")];
    }),
  );

test("a call that changes something says whether it decides from the tables that it reads", () => {
  expect(
    new Set(usedBy("decides")),
    "give it a body in `deciding` above, so that it is seen to be refused",
  ).toEqual(new Set(Object.keys(deciding)));
  expect(
    new Set(usedBy("shows")),
    "use `decidesFrom`: while a row is held back, it would record something wrong for good. If it cannot, add it to `showing` above",
  ).toEqual(new Set(showing));
});

test("none of them is accepted while one of its tables holds back a row", async () => {
  const { sql } = shop.database;
  const { position } = await readHead(sql);
  for (const { name } of projections) {
    await sql`
      insert into read.quarantine (projection, generation, key, at_position, error)
      select ${name}, generation, 'any', ${position}, 'cannot be folded'
      from read.projections where name = ${name} and state = 'live'`;
  }
  expect(await answers()).toEqual(
    Object.keys(deciding).map((call) => [call, 503, "held_back", "60"]),
  );
  await sql`delete from read.quarantine`;
  expect((await readHead(sql)).position).toBe(position);
});

test("none of them is accepted while the tables lack the newest entry", async () => {
  await sell();
  const { position } = await readHead(shop.database.sql);
  expect(await answers()).toEqual(
    Object.keys(deciding).map((call) => [call, 503, "not_caught_up", "2"]),
  );
  expect((await readHead(shop.database.sql)).position).toBe(position);
  await shop.runner.catchUp();
});
