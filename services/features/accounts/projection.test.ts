// Balances and ledger lines: the same live, replayed and folded by hand, and one broken account stops no other.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StoredEvent } from "#ledger/log/read.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { refoldKeys } from "#ledger/projection/refold-keys.ts";
import { createUpcasts } from "#ledger/projection/upcasts.ts";
import { accountHistoryProjection, balancesProjection } from "#features/accounts/projection.ts";
import { expectLiveReplayFold } from "#testing/shop/live-replay-fold.ts";
import { openAt } from "#testing/shop/account-fold.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { AVERY, BLAKE, plainStep } from "#testing/shop/money-steps.ts";

let shop: MoneyShop;

beforeAll(async () => {
  shop = await openMoneyShop();
});

afterAll(() => shop.close());

type BalanceRow = { account: string; balance_cents: number; position: number };

function foldBalances(events: readonly StoredEvent[]): BalanceRow[] {
  const rows = new Map<string, BalanceRow>();
  for (const { position, postings } of events) {
    for (const { from, to, cents } of postings) {
      for (const [account, change] of [
        [from, 0 - cents],
        [to, cents],
      ] as const) {
        const before = rows.get(account)?.balance_cents ?? 0;
        rows.set(account, { account, balance_cents: before + change, position });
      }
    }
  }
  return [...rows.values()].sort((a, b) => (a.account < b.account ? -1 : 1));
}

const balances = () =>
  shop.database.sql<BalanceRow[]>`
    select account, balance_cents, position from read.balances order by account collate "C"`;

type LineRow = {
  uid: string;
  line: number;
  position: number;
  available_delta_cents: number;
  available_after_cents: number;
  in_transit_delta_cents: number;
  in_transit_after_cents: number;
  credits_after_cents: number;
  booked_at: string;
  effective_at: string;
  type: string;
  origin_line: number | null;
};

function changeOf({ postings }: StoredEvent, account: string): number {
  let change = 0;
  for (const { from, to, cents } of postings) {
    change += to === account ? cents : 0;
    change -= from === account ? cents : 0;
  }
  return change;
}

function foldLines(events: readonly StoredEvent[]): LineRow[] {
  const ledgers = new Map<string, LineRow[]>();
  const soldAt = new Map<string, string>();
  const origins = new Map<string, number>();
  const openAtOf = openAt();
  for (const event of events) {
    const opened = openAtOf(event);
    const happened = new Date(Number(event.happenedAtMicros / 1000n)).toISOString();
    const saleId = String(Object(event.data).saleId);
    soldAt.set(saleId, soldAt.get(saleId) ?? happened);
    for (const { streamId } of event.streams) {
      if (!streamId.startsWith("consignor-")) {
        continue;
      }
      const uid = streamId.replace("consignor-", "");
      const lines = ledgers.get(uid) ?? [];
      const last = lines.at(-1);
      const available = changeOf(event, `consignor:${uid}:available`);
      const inTransit = changeOf(event, `consignor:${uid}:payouts`);
      lines.push({
        uid,
        line: lines.length + 1,
        position: event.position,
        available_delta_cents: available,
        available_after_cents: (last?.available_after_cents ?? 0) + available,
        in_transit_delta_cents: inTransit,
        in_transit_after_cents: (last?.in_transit_after_cents ?? 0) + inTransit,
        credits_after_cents: (last?.credits_after_cents ?? 0) + Math.max(available, 0),
        booked_at: last === undefined || opened > last.booked_at ? opened : last.booked_at,
        effective_at: event.type === "SaleCorrected" ? (soldAt.get(saleId) ?? "") : happened,
        type: event.type,
        origin_line: origins.get(`${uid} ${saleId}`) ?? null,
      });
      if (saleId !== "undefined" && !origins.has(`${uid} ${saleId}`)) {
        origins.set(`${uid} ${saleId}`, lines.length);
      }
      ledgers.set(uid, lines);
    }
  }
  return [...ledgers.keys()].sort().flatMap((uid) => ledgers.get(uid) ?? []);
}

const lines = async () => {
  const rows = await shop.database.sql<
    (Omit<LineRow, "booked_at" | "effective_at"> & { booked_at: Date; effective_at: Date })[]
  >`
    select * from read.account_history order by uid collate "C", line`;
  return rows.map((row) => ({
    ...row,
    booked_at: row.booked_at.toISOString(),
    effective_at: row.effective_at.toISOString(),
  }));
};

describe("live, replayed and folded by hand", () => {
  test("every account has the same balance", async () => {
    await expectLiveReplayFold(shop, balancesProjection, balances, foldBalances);
    const [sum] = await shop.database.sql<{ cents: number }[]>`
      select sum(balance_cents)::bigint as cents from read.balances`;
    expect(sum).toEqual({ cents: 0 });
  }, 240_000);

  test("every consignor has the same lines with the same running balances", async () => {
    await expectLiveReplayFold(shop, accountHistoryProjection, lines, foldLines);
    // There were enough lines for a meaningful comparison.
    const shown = await lines();
    for (const uid of [AVERY, BLAKE]) {
      expect(
        shown.filter((line) => line.uid === uid && line.available_delta_cents > 0),
      ).not.toEqual([]);
    }
    expect(shown.filter((line) => line.available_delta_cents < 0)).not.toEqual([]);
    expect(shown.filter((line) => line.in_transit_delta_cents < 0)).not.toEqual([]);
  }, 240_000);
});

test("a sale that pays nothing and a paid payout are lines that do not change the available balance", async () => {
  await shop.take({ ...plainStep, act: "set-balance", price: 9000 });
  await shop.take({ ...plainStep, act: "sell", percentage: 0 });
  await shop.take({ ...plainStep, act: "request" });
  await shop.take({ ...plainStep, act: "pay" });
  await shop.runner.catchUp();
  expect((await lines()).filter(({ uid }) => uid === AVERY).slice(-3)).toMatchObject([
    { available_delta_cents: 0, in_transit_delta_cents: 0 },
    { available_delta_cents: -5, in_transit_delta_cents: 5 },
    { available_delta_cents: 0, in_transit_delta_cents: -5 },
  ]);
});

test.each([
  {
    projection: accountHistoryProjection,
    column: "uid",
    key: AVERY,
    rows: async () => lines(),
    fold: foldLines,
  },
  {
    projection: balancesProjection,
    column: "account",
    key: `consignor:${AVERY}:available`,
    rows: async () => [...(await balances())],
    fold: foldBalances,
  },
])(
  "one $column that cannot be folded is held back, all others go on, and after a fix it is folded again",
  async ({ projection, column, key, rows, fold }) => {
    const { sql } = shop.database;
    await shop.runner.catchUp();
    const live = async () =>
      (await readGenerations(sql)).find(
        (entry) => entry.name === projection.name && entry.state === "live",
      );
    const generation = await live();
    const table = `read.${projection.name}_g${generation?.generation ?? 0}`;
    const last = await sql.unsafe(`select max(position) as position from ${table}`);
    const poison = `${column} <> '${key}' or position <= ${String(last[0]?.["position"])}`;
    await sql.unsafe(`alter table ${table} add constraint poison check (${poison})`);
    await shop.take({ ...plainStep, uid: BLAKE });
    await shop.take(plainStep);
    await shop.take({ ...plainStep, uid: BLAKE });
    await shop.runner.catchUp();
    await shop.take(plainStep);
    await shop.runner.catchUp();
    expect(shop.quarantined).toContain(`${projection.name} ${key}`);
    const isOther = (row: object) => Reflect.get(row, column) !== key;
    const expected: readonly object[] = fold(await shop.events());
    const shown: readonly object[] = await rows();
    expect(shown.filter(isOther)).toEqual(expected.filter(isOther));
    expect(shown).not.toEqual(expected);

    await sql.unsafe(`alter table ${table} drop constraint poison`);
    const mended = await live();
    if (mended === undefined) {
      throw new Error(`${projection.name} is not live`);
    }
    await refoldKeys(sql, projection, mended, [key], createUpcasts(sql, shop.register));
    expect(await rows()).toEqual(expected);
  },
);

test("what is corrected and refunded while an account is folded again still belongs to its sale", async () => {
  const { sql } = shop.database;
  await shop.take({ ...plainStep, act: "sell", units: 2, price: 4000, percentage: 50, daysAgo: 3 });
  await shop.runner.catchUp();
  const live = (await readGenerations(sql)).find(
    ({ name, state }) => name === "account_history" && state === "live",
  );
  if (live === undefined) {
    throw new Error("account_history is not live");
  }
  const before = await lines();
  const reader = createUpcasts(sql, shop.register);
  let looks = 0;
  // The first look for older events comes before the fold, and the second one before the swap.
  const upcasts = {
    ...reader,
    async bringTo(...given: Parameters<typeof reader.bringTo>) {
      looks += 1;
      if (looks === 1) {
        await shop.take({ ...plainStep, act: "correct", price: 3000, percentage: 50 });
        await shop.take({ ...plainStep, act: "refund" });
        await shop.runner.catchUp();
      }
      return reader.bringTo(...given);
    },
  };
  await refoldKeys(sql, accountHistoryProjection, live, [AVERY], upcasts);
  expect(looks).toBe(2);
  const after = await lines();
  expect(after).toEqual(foldLines(await shop.events()));
  expect(after.slice(before.length).map(({ type }) => type)).not.toEqual([]);
  const added = after.filter(({ uid }) => uid === AVERY).slice(-2);
  expect(added.map(({ type }) => type)).toEqual(["SaleCorrected", "SaleRefunded"]);
  expect(added.every(({ origin_line }) => origin_line !== null)).toBe(true);
});
