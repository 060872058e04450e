// Sums of the store's accounts by blocks of events: the same live, replayed and folded by hand, and written only once.
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountBlocksProjection, BLOCK_EVENTS } from "#features/accounts/projection-blocks.ts";
import type { StoredEvent } from "#ledger/log/read.ts";
import { expectLiveReplayFold } from "#testing/shop/live-replay-fold.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { plainStep } from "#testing/shop/money-steps.ts";

const QUARTER_MICROS = 900_000_000n;

let shop: MoneyShop;

beforeAll(async () => {
  shop = await openMoneyShop();
});

afterAll(() => shop.close());

type BlockRow = {
  account: string;
  block: number;
  quarter_at: string;
  type: string;
  events: number;
  in_cents: number;
  out_cents: number;
};

/** Rows of the blocks that have all their events. */
function foldBlocks(events: readonly StoredEvent[]): BlockRow[] {
  const rows = new Map<string, BlockRow>();
  for (const { position, type, postings, recordedAtMicros } of events) {
    const block = Math.ceil(position / BLOCK_EVENTS) - 1;
    const quarter = Number(recordedAtMicros - (recordedAtMicros % QUARTER_MICROS)) / 1000;
    const ofStore = (account: string) => /^(?:store|world):/u.test(account);
    const accounts = new Set(postings.flatMap(({ from, to }) => [from, to]).filter(ofStore));
    for (const account of (block + 1) * BLOCK_EVENTS <= events.length ? accounts : []) {
      const quarter_at = new Date(quarter).toISOString();
      const key = [account, String(block).padStart(9, "0"), quarter_at, type].join(" ");
      const empty = { account, block, quarter_at, type, events: 0, in_cents: 0, out_cents: 0 };
      const row = rows.get(key) ?? empty;
      row.events += 1;
      for (const { from, to, cents } of postings) {
        row.in_cents += to === account ? cents : 0;
        row.out_cents += from === account ? cents : 0;
      }
      rows.set(key, row);
    }
  }
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

const blocks = async () => {
  const rows = await shop.database.sql<(Omit<BlockRow, "quarter_at"> & { quarter_at: Date })[]>`
    select * from read.account_blocks
    order by account collate "C", block, quarter_at, type collate "C"`;
  return rows.map((row) => ({ ...row, quarter_at: row.quarter_at.toISOString() }));
};

test("a block appears with its last event, and nothing is written before that", async () => {
  const head = async () => (await shop.events()).length;
  for (let left = BLOCK_EVENTS - 1 - ((await head()) % BLOCK_EVENTS); left > 0; left -= 1) {
    await shop.take(plainStep);
  }
  await shop.runner.catchUp();
  const before = await blocks();
  expect((await head()) % BLOCK_EVENTS).toBe(BLOCK_EVENTS - 1);
  expect(before).toEqual(foldBlocks(await shop.events()));
  await shop.take(plainStep);
  await shop.runner.catchUp();
  const after = await blocks();
  expect(after.length).toBeGreaterThan(before.length);
  expect(after).toEqual(foldBlocks(await shop.events()));
});

test("every whole block has the same sums live, replayed and folded by hand", async () => {
  await expectLiveReplayFold(shop, accountBlocksProjection, blocks, foldBlocks);
  expect(await blocks()).not.toEqual([]);
}, 240_000);
