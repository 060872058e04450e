// The list of payouts: the same live, replayed and folded by hand, and one broken request stops no other.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { StoredEvent } from "#ledger/log/read.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { refoldKeys } from "#ledger/projection/refold-keys.ts";
import { createUpcasts } from "#ledger/projection/upcasts.ts";
import { payoutsProjection } from "#features/payouts/projection.ts";
import { expectLiveReplayFold } from "#testing/shop/live-replay-fold.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import type { MoneyStep } from "#testing/shop/money-steps.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { plainStep } from "#testing/shop/money-steps.ts";

let shop: MoneyShop;

beforeAll(async () => {
  shop = await openMoneyShop();
});

afterAll(() => shop.close());

type Row = Record<string, unknown>;

function fold(events: readonly StoredEvent[]): Row[] {
  const rows = new Map<unknown, Row>();
  for (const { type, data, position, happenedAtMicros } of events) {
    const { payoutId, consignorId, amountCents, method, handleId, noteId, ...rest } = Object(
      data,
    ) as Row;
    const happenedAt = new Date(Number(happenedAtMicros / 1000n));
    const before = rows.get(payoutId);
    if (type === "PayoutRequested") {
      rows.set(payoutId, {
        payout_id: payoutId,
        consignor_uid: consignorId,
        amount_cents: amountCents,
        method,
        handle_id: handleId,
        handle_position: position,
        status: "pending",
        requested_at: happenedAt,
        position,
        claimed_by: null,
        claimed_until: null,
        settled_at: null,
        settled_position: null,
        reference: null,
        withdrawn: false,
        returned_at: null,
        returned_position: null,
        return_note_id: null,
      });
    } else if (before !== undefined && (type === "PayoutPaid" || type === "PayoutDeleted")) {
      const status = type === "PayoutPaid" ? "paid" : "deleted";
      rows.set(payoutId, {
        ...before,
        status,
        settled_at: happenedAt,
        settled_position: position,
        method,
        handle_id: handleId ?? before["handle_id"],
        handle_position: (handleId ?? null) === null ? before["handle_position"] : position,
        reference: rest["reference"] ?? null,
        withdrawn: rest["by"] === "consignor",
      });
    } else if (before !== undefined && type === "PayoutHandleCorrected") {
      const corrected = { method, handle_id: handleId, handle_position: position };
      rows.set(payoutId, { ...before, ...corrected });
    } else if (before !== undefined && type === "PayoutClaimed") {
      const until = new Date(String(rest["claimedUntil"]));
      rows.set(payoutId, { ...before, claimed_by: rest["claimedBy"], claimed_until: until });
    } else if (before !== undefined && type === "PayoutClaimReleased") {
      rows.set(payoutId, { ...before, claimed_by: null, claimed_until: null });
    } else if (before !== undefined && type === "PayoutReturned") {
      rows.set(payoutId, {
        ...before,
        status: "returned",
        returned_at: happenedAt,
        returned_position: position,
        return_note_id: noteId,
      });
    }
  }
  return [...rows.values()];
}

const read = () => shop.database.sql<Row[]>`select * from read.payouts order by position`;

test("live, replayed and folded by hand every payout is the same", async () => {
  await expectLiveReplayFold(shop, payoutsProjection, read, fold);
  const statuses = (await read()).map((row) => row["status"]);
  // There were enough payouts for a meaningful comparison.
  expect(new Set(statuses)).toEqual(new Set(["pending", "paid", "deleted", "returned"]));
  const rows = await read();
  const isThere = (what: (row: Row) => boolean) => expect(rows.some(what)).toBe(true);
  isThere((row) => row["claimed_by"] !== null);
  isThere((row) => row["handle_position"] !== row["position"]);
  isThere((row) => row["reference"] !== null);
  isThere((row) => row["withdrawn"] === true);
}, 240_000);

const step: MoneyStep = { ...plainStep, act: "request" };

test("a payout that cannot be folded is held back, all others go on, and after a fix it is folded again", async () => {
  const { sql } = shop.database;
  await shop.take({ ...step, act: "set-balance", price: 9000 });
  await shop.runner.catchUp();
  const live = async () =>
    (await readGenerations(sql)).find(
      (entry) => entry.name === payoutsProjection.name && entry.state === "live",
    );
  const generation = await live();
  const table = `read.payouts_g${generation?.generation ?? 0}`;
  await sql.unsafe(
    `alter table ${table} add constraint poison check (amount_cents <> 13) not valid`,
  );
  await shop.take(step);
  await shop.take({ ...step, price: 260 });
  await shop.take({ ...step, act: "pay" });
  await shop.take(step);
  await shop.runner.catchUp();

  const expected = fold(await shop.events());
  const broken = expected.at(-2)?.["payout_id"];
  expect(shop.quarantined).toEqual([`payouts ${String(broken)}`]);
  expect([...(await read())]).toEqual(expected.filter((row) => row["payout_id"] !== broken));

  await sql.unsafe(`alter table ${table} drop constraint poison`);
  const mended = await live();
  if (mended === undefined) {
    throw new Error("payouts is not live");
  }
  await refoldKeys(
    sql,
    payoutsProjection,
    mended,
    [String(broken)],
    createUpcasts(sql, shop.register),
  );
  expect([...(await read())]).toEqual(expected);
});
