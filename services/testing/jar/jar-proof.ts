// A jar shop with thirteen events, its read tables, and the proof of everything, for tests that change something behind its back.
import { expect } from "vitest";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { Problem } from "#ledger/verify/problem.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import type { VerifyOptions, VerifyReport } from "#ledger/verify/verify.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { filledOnce } from "#testing/database/test-database.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import type { JarShop } from "#testing/jar/jar-shop.ts";
import { jarShopOn, under } from "#testing/jar/jar-shop.ts";
import { fillJar, payOut, jarEvents, jarStreams } from "#testing/jar/jar.ts";

export type JarProof = JarShop & {
  /** Folds new events. */
  readonly catchUp: () => Promise<void>;
  readonly verify: (options?: Partial<VerifyOptions>) => Promise<VerifyReport>;
  /** What the proof finds after a change by the owner of the schema. */
  readonly afterwards: (change: string) => Promise<readonly Problem[]>;
};

export const jarChecks: readonly BookCheck[] = [
  {
    check: "balances",
    readsFrom: [jarBook.name],
    sql: "select 0 as position, 'a jar is below zero' as message from read.jar_sums where cents < 0",
  },
];

/** Fills t1, t2, t0, t1, … twelve times under f1 to f12, and pays from t1 to t2 under p1. */
const withThirteenEvents = filledOnce(async (database) => {
  const shop = jarShopOn(database);
  const { sql } = database;
  await ensureProjections({ sql, projections: [jarBook], events: jarEvents });
  for (let index = 1; index <= 12; index += 1) {
    await shop.ledger.execute(
      fillJar,
      { jar: `t${index % 3}`, cents: 100 + index },
      under(`f${index}`),
    );
  }
  await shop.ledger.execute(payOut, { from: "t1", to: "t2", cents: 50 }, under("p1"));
  await createRunner({ sql, projections: [jarBook], events: jarEvents }).catchUp();
  await shop.release();
});

export async function openJarProof(): Promise<JarProof> {
  const shop = jarShopOn(await withThirteenEvents());
  const { sql, ownerSql } = shop.database;
  const catchUp = () => createRunner({ sql, projections: [jarBook], events: jarEvents }).catchUp();
  const verify = (options: Partial<VerifyOptions> = {}) =>
    verifyBooks({
      sql,
      events: jarEvents,
      streams: jarStreams,
      projections: [jarBook],
      heads: [],
      checks: jarChecks,
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

/** A finding to match, with a part of its message. */
export const finding = (check: string, position: number, message: string | RegExp) => ({
  check,
  position,
  message: expect.stringMatching(message),
});
