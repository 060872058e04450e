// Events that the report's shortcut does not fit: they take the whole step, and the lines are those of a replay.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { setBalance } from "#features/accounts/decider.ts";
import { availableAccount, consignorStreamId, payoutsAccount } from "#features/accounts/streams.ts";
import { PayoutRequested } from "#features/payouts/events.ts";
import { payoutStreamId } from "#features/payouts/streams.ts";
import { reportsProjection } from "#features/reports/projection.ts";
import { CUSTOMERS, STORE_REVENUE } from "#features/sales/streams.ts";
import { tradeStreamName } from "#features/trades/streams.ts";
import type { NewEvent } from "#ledger/event.ts";
import { emit } from "#ledger/event.ts";
import { move } from "#ledger/posting.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { checkReplay } from "#ledger/verify/replay.ts";
import { forge } from "#testing/shop/forge.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { AVERY, BLAKE } from "#testing/shop/money-steps.ts";

const happenedAt = "2026-11-27T10:00:00.000Z";

/** A request that extends these streams, whoever's account it posts to. */
function requested(uid: string, ...consignors: readonly string[]): NewEvent {
  const payoutId = randomUUID();
  const handle = { method: "cashapp", handleId: randomUUID(), handleHash: null } as const;
  return emit(
    PayoutRequested,
    { payoutId, consignorId: uid, amountCents: 100, ...handle },
    {
      streams: [payoutStreamId(payoutId), ...consignors.map(consignorStreamId)],
      happenedAt,
      postings: move(availableAccount.of(uid), payoutsAccount.of(uid), 100),
    },
  );
}

let shop: MoneyShop;

/** Feeds only the reports: with the others, the step would fail for their reasons. */
async function feedReports(): Promise<void> {
  const runner = createRunner({
    sql: shop.database.sql,
    projections: [reportsProjection],
    events: shop.register,
  });
  await runner.catchUp();
}

const give = (uid: string, balanceCents: number) =>
  shop.execute(setBalance, { uid, balanceCents, expectedCents: null, noteId: null, happenedAt });

beforeAll(async () => {
  shop = await openMoneyShop();
  for (const uid of [AVERY, BLAKE]) {
    await give(uid, 1_000);
  }
  await feedReports();
});

afterAll(() => shop.close());

it.each([
  ["posts to nobody's ledger", requested(BLAKE)],
  ["posts to another account than its ledger's", requested(BLAKE, AVERY)],
  ["is an entry of two ledgers", requested(AVERY, AVERY, BLAKE)],
])("an event that %s has the lines of a replay", async (_what, event) => {
  const { sql } = shop.database;
  const lines = async () => {
    const [row] = await sql<{ lines: number }[]>`select count(*) as lines from read.report_lines`;
    return row?.lines ?? 0;
  };
  const before = await lines();
  await shop.execute(forge, event);
  await feedReports();
  const { problems } = await checkReplay(sql, reportsProjection, { events: shop.register });
  expect([problems, (await lines()) > before]).toEqual([[], true]);
});

it("an event of another type that extends a trade has no line of its own, as in a replay", async () => {
  const { sql } = shop.database;
  const facts = {
    streams: [payoutStreamId(randomUUID()), tradeStreamName.of(randomUUID())],
    happenedAt,
    postings: move(CUSTOMERS, STORE_REVENUE, 100),
  };
  await shop.execute(forge, { ...requested(AVERY), ...facts });
  // Alone, it touches no row, so there would be no step.
  await give(AVERY, 2_000);
  await feedReports();
  const { problems } = await checkReplay(sql, reportsProjection, { events: shop.register });
  expect(problems).toEqual([]);
});
