// An event that posts to somebody's account without extending their stream: their lines are held back, and nobody else's.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { projections } from "../../features.ts";
import { availableAccount, consignorStreamId, payoutsAccount } from "#features/accounts/streams.ts";
import { setBalance } from "#features/accounts/decider.ts";
import { PayoutRequested } from "#features/payouts/events.ts";
import { payoutStreamId } from "#features/payouts/streams.ts";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import type { NewEvent } from "#ledger/event.ts";
import { emit } from "#ledger/event.ts";
import { move } from "#ledger/posting.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { refoldHeld } from "#ledger/projection/refold.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { AVERY, BLAKE } from "#testing/shop/money-steps.ts";

const happenedAt = "2026-11-27T10:00:00.000Z";

const forge: Decider<NewEvent, null> = {
  type: "Forge",
  streams: ({ streams }) => streams,
  decide: (forged) => accept([forged], null),
};

/** Takes 100 cents of this person without extending their stream; `also` may extend somebody else's. */
function taken(consignorId: string, ...also: readonly string[]): NewEvent {
  const payoutId = randomUUID();
  const handle = { method: "cashapp", handleId: randomUUID(), handleHash: null } as const;
  return emit(
    PayoutRequested,
    { payoutId, consignorId, amountCents: 100, ...handle },
    {
      streams: [payoutStreamId(payoutId), ...also],
      happenedAt,
      postings: move(availableAccount.of(consignorId), payoutsAccount.of(consignorId), 100),
    },
  );
}

const CASEY = "casey-000000000000001";

let shop: MoneyShop;

const give = (uid: string, balanceCents: number) =>
  shop.execute(setBalance, { uid, balanceCents, expectedCents: null, noteId: null, happenedAt });

beforeAll(async () => {
  shop = await openMoneyShop();
  for (const uid of [AVERY, BLAKE, CASEY]) {
    await give(uid, 1_000);
  }
  await shop.runner.catchUp();
});

afterAll(() => shop.close());

const balances = () => shop.database.sql`
  select distinct on (uid) uid, available_after_cents as cents from read.account_history
  order by uid, line desc`;

it("holds back the lines of the person alone, whether it extends nobody's stream or another person's", async () => {
  await shop.execute(forge, taken(BLAKE));
  await shop.runner.catchUp();
  expect(shop.quarantined).toEqual([`account_history ${BLAKE}`]);
  await shop.execute(forge, taken(CASEY, consignorStreamId(AVERY)));
  await give(AVERY, 2_000);
  await shop.runner.catchUp();
  expect(shop.quarantined).toEqual([`account_history ${BLAKE}`, `account_history ${CASEY}`]);
  expect(await balances()).toContainEqual({ uid: AVERY, cents: 2_000 });
});

it("lets every read table be rebuilt, with the same lines held back", async () => {
  const { sql } = shop.database;
  for (const projection of projections) {
    const { name } = projection;
    const { held, flipped } = await rebuildProjection(sql, projection, { events: shop.register });
    const keys = held.map(({ key }) => key).toSorted();
    const expected = name === "account_history" ? [BLAKE, CASEY] : [];
    expect({ name, flipped, keys }).toEqual({ name, flipped: true, keys: expected });
  }
  await give(AVERY, 3_000);
  await shop.runner.catchUp();
  expect(await balances()).toContainEqual({ uid: AVERY, cents: 3_000 });
});

it("does not show lines without the event when they are computed again", async () => {
  const again = await refoldHeld(shop.database.sql, projections, shop.register);
  expect(again.refolded).toBe(0);
  expect(new Set(again.failed.map(({ key }) => key))).toEqual(new Set([BLAKE, CASEY]));
});
