// A till shop with thirteen events, its book folded, and the proof of all of it: for tests that change something behind its back.
import { expect } from "vitest";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { Problem } from "#ledger/verify/problem.ts";
import type { BookCheck, VerifyOptions, VerifyReport } from "#ledger/verify/verify.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { filledOnce } from "#testing/database/test-database.ts";
import { tillBook } from "#testing/till/till-projection.ts";
import type { TillShop } from "#testing/till/till-shop.ts";
import { tillShopOn, under } from "#testing/till/till-shop.ts";
import { fillTill, payOut, tillEvents, tillStreams } from "#testing/till/till.ts";

export type TillProof = TillShop & {
  /** Folds what was appended meanwhile. */
  readonly catchUp: () => Promise<void>;
  readonly verify: (options?: Partial<VerifyOptions>) => Promise<VerifyReport>;
  /** What the proof finds after a change by the owner of the schema. */
  readonly afterwards: (change: string) => Promise<readonly Problem[]>;
};

export const tillChecks: readonly BookCheck[] = [
  {
    check: "balances",
    sql: "select 0 as position, 'a till is below zero' as message from read.till_sums where cents < 0",
  },
];

/** Fills t1, t2, t0, t1, … twelve times under f1 to f12, and pays from t1 to t2 under p1. */
const withThirteenEvents = filledOnce(async (database) => {
  const shop = tillShopOn(database);
  const { sql } = database;
  await ensureProjections({ sql, projections: [tillBook], events: tillEvents });
  for (let index = 1; index <= 12; index += 1) {
    await shop.ledger.execute(
      fillTill,
      { till: `t${index % 3}`, cents: 100 + index },
      under(`f${index}`),
    );
  }
  await shop.ledger.execute(payOut, { from: "t1", to: "t2", cents: 50 }, under("p1"));
  await createRunner({ sql, projections: [tillBook], events: tillEvents }).catchUp();
  await shop.release();
});

export async function openTillProof(): Promise<TillProof> {
  const shop = tillShopOn(await withThirteenEvents());
  const { sql, ownerSql } = shop.database;
  const catchUp = () =>
    createRunner({ sql, projections: [tillBook], events: tillEvents }).catchUp();
  const verify = (options: Partial<VerifyOptions> = {}) =>
    verifyBooks({
      sql,
      events: tillEvents,
      streams: tillStreams,
      projections: [tillBook],
      heads: [],
      checks: tillChecks,
      ...options,
    });
  return {
    ...shop,
    catchUp,
    verify,
    async afterwards(change) {
      await ownerSql.unsafe(change);
      return (await verify()).problems;
    },
  };
}

/** A finding as a test names it, its message by a part. */
export const finding = (check: string, position: number, message: string | RegExp) => ({
  check,
  position,
  message: expect.stringMatching(message),
});
