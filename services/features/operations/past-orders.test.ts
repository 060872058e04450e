// Earlier orders about a projection's tables: each stays with who gave it, why, and what came of it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { actionsResponse, tableOrdersResponse } from "#features/operations/contract.ts";
import type { CarryOutParts } from "#ledger/projection/carry-out.ts";
import { noteEnd, OtherOrder } from "#ledger/projection/carry-out.ts";
import { noteOrder, readOrder, writeOrder } from "#ledger/projection/orders.ts";
import { workOnTables } from "#testing/service/table-worker.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";

let shop: TestApp;
let boss: TestPerson;
let other: TestPerson;

const why = "Looks wrong since the last update";

beforeAll(async () => {
  shop = await openTestApp();
  boss = await shop.person("Boss", "admin");
  other = await shop.person("Other", "admin");
  await shop.runner.catchUp();
});

afterAll(() => shop.close());

async function get(path: string): Promise<unknown> {
  const answer = await shop.call("GET", `/api/operations/${path}`, { as: boss });
  expect(answer.status).toBe(200);
  return answer.body;
}

async function onBalances(act: string, as = boss): Promise<void> {
  const path = `/api/operations/projections/balances/${act}`;
  const answer = await shop.call("POST", path, { as, body: { why } });
  expect([act, answer.status]).toEqual([act, 200]);
}

const work = (parts: Partial<CarryOutParts> = {}) =>
  workOnTables(shop.database.sql, "balances", parts);

/** Each order about the balances, newest first. */
async function ordersOfBalances() {
  return tableOrdersResponse.parse(await get("projections/balances/orders")).orders;
}

describe("earlier orders", () => {
  const outcomes = async () => (await ordersOfBalances()).map(({ act, outcome }) => [act, outcome]);

  test("stay with what came of them, who gave them, and why", async () => {
    await onBalances("rebuild");
    await onBalances("pause", other);
    await onBalances("resume");
    await work();
    await onBalances("flip", other);
    await work();
    await onBalances("take-back");
    await work();
    await onBalances("rebuild");
    await work();
    await onBalances("cancel");
    await work();
    await onBalances("rebuild");
    const [begun] = await ordersOfBalances();
    const order = { projection: "balances", rebuildId: begun?.rebuildId ?? "" };
    await noteOrder(shop.database.sql, order, { phase: "failed", error: "division by zero" });
    await onBalances("resume");
    await work();
    await onBalances("cancel");
    await work();
    const orders = await ordersOfBalances();
    expect(await outcomes()).toEqual([
      ["cancel", "done"],
      ["resume", "done"],
      ["rebuild", "failed"],
      ["cancel", "done"],
      ["rebuild", "done"],
      ["take-back", "done"],
      ["flip", "done"],
      ["resume", "done"],
      ["pause", "done"],
      ["rebuild", "paused"],
    ]);
    expect(orders[2]).toMatchObject({ error: "division by zero", version: 1, why });
    expect(orders[5]).toMatchObject({ actor: { uid: boss.uid, displayName: "Boss" }, why });
    expect(orders[6]).toMatchObject({ actor: { uid: other.uid, displayName: "Other" } });
    for (const { outcome, act, seconds, endedAt } of orders) {
      const isTimed = (outcome === "done" && act !== "pause") || outcome === "failed";
      expect([act, outcome, seconds !== null, endedAt !== null]).toEqual([
        act,
        outcome,
        isTimed,
        isTimed,
      ]);
    }
    const { actions } = actionsResponse.parse(await get("actions"));
    const switched = actions.filter(({ outcome }) => outcome !== null);
    expect(switched.map(({ text, outcome }) => [text, outcome])).toEqual([
      ["Asked to switch balances back to its earlier tables", "done"],
      ["Asked to switch to the rebuilt tables of balances", "done"],
    ]);
  });

  test("follow from the log as far as they can where what came of them is lost", async () => {
    const { sql } = shop.database;
    await sql`delete from read.order_outcomes`;
    await sql`delete from read.rebuilds`;
    expect((await outcomes()).slice(-4)).toEqual([
      ["flip", "unknown"],
      ["resume", "done"],
      ["pause", "done"],
      ["rebuild", "paused"],
    ]);
    expect((await outcomes())[0]).toEqual(["cancel", "unknown"]);
  });

  test("are at most fifty, the newest first", async () => {
    await onBalances("rebuild");
    expect((await outcomes())[0]).toEqual(["rebuild", "waiting"]);
    for (let time = 0; time < 25; time += 1) {
      await onBalances("pause");
      await onBalances("resume");
    }
    await onBalances("cancel");
    await work();
    const positions = (await ordersOfBalances()).map(({ position }) => position);
    expect(positions).toHaveLength(50);
    expect(positions).toEqual(positions.toSorted((one, other) => other - one));
    expect((await outcomes()).slice(0, 3)).toEqual([
      ["cancel", "done"],
      ["resume", "canceled"],
      ["pause", "done"],
    ]);
  });
});

test("an order whose work threw has failed, unless it was replaced, stopped, or the server was in trouble", async () => {
  const { sql } = shop.database;
  const order = { projection: "thrown", rebuildId: "00000000-0000-4000-8000-0000000000a1" };
  await writeOrder(sql, { ...order, orderId: null, wanted: "built", acceptHeld: false });
  const lost = Object.assign(new Error("gone"), { code: "ECONNRESET" });
  expect(await noteEnd({ sql }, order, new OtherOrder("another"))).toBe("replaced");
  expect(await noteEnd({ sql }, order, lost)).toBe("broken-off");
  const stopped = { sql, signal: AbortSignal.abort() };
  expect(await noteEnd(stopped, order, new Error("stopped"))).toBe("broken-off");
  expect(await readOrder(sql, "thrown")).toMatchObject({ phase: "waiting", error: null });
  expect(await noteEnd({ sql }, order, new Error("division by zero"))).toBe("failed");
  const failed = { phase: "failed", error: "division by zero" };
  expect(await readOrder(sql, "thrown")).toMatchObject(failed);
});
