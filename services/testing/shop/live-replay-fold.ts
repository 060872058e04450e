// The promise of every projection, as a check: fed live, rebuilt, folded by hand and folded key by key give the same rows.
import * as fc from "fast-check";
import { expect } from "vitest";
import type { StoredEvent } from "#ledger/log/read.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import type { MoneyStep } from "#testing/shop/money-steps.ts";
import { ordinaryDays, moneyStep } from "#testing/shop/money-steps.ts";
import { refoldEachKey } from "#testing/shop/refold-each-key.ts";
import { sized } from "#testing/trial/size.ts";

/**
 * Takes generated steps, catching up after each group of them, then rebuilds in chunks of a generated size.
 * Each history ends with days on which everything happens once, so that no comparison is empty.
 */
export async function expectLiveReplayFold<Row>(
  shop: MoneyShop,
  projection: Projection,
  readRows: () => Promise<readonly Row[]>,
  fold: (events: readonly StoredEvent[]) => readonly Row[],
): Promise<void> {
  const groups = fc.array(fc.array(moneyStep, { minLength: 1, maxLength: 12, size: "max" }), {
    minLength: 3,
    maxLength: 8,
    size: "max",
  });
  let refolded = 0;
  let refoldedKeys = 0;
  await fc.assert(
    fc.asyncProperty(
      groups,
      fc.integer({ min: 1, max: 60 }),
      async (days: MoneyStep[][], chunk) => {
        for (const day of [...days, ...ordinaryDays]) {
          for (const step of day) {
            await shop.take(step);
          }
          await shop.runner.catchUp();
        }
        const expected = fold(await shop.events());
        expect([...(await readRows())]).toEqual(expected);
        const rebuilt = await rebuildProjection(shop.database.sql, projection, {
          chunk,
          events: shop.register,
        });
        expect(rebuilt).toMatchObject({ flipped: true, differences: [] });
        expect([...(await readRows())]).toEqual(expected);
        const { sql } = shop.database;
        const { keys, through } = await refoldEachKey(sql, projection, shop.register, refolded);
        refolded = through;
        refoldedKeys += keys;
        expect([...(await readRows())]).toEqual(expected);
      },
    ),
    // Each run adds to the same log, so a few of them make long histories.
    { numRuns: sized(2, 5), endOnFailure: true },
  );
  expect(refoldedKeys).toBeGreaterThan(0);
}
