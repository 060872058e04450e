// The promise of every projection, as a check: fed live, rebuilt, folded by hand and folded key by key give the same rows.
import * as fc from "fast-check";
import { expect } from "vitest";
import type { StoredEvent } from "#ledger/log/read.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import type { ProjectionRunner } from "#ledger/projection/run.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { expectNothingHeld } from "#testing/shop/nothing-held.ts";
import { refoldEachKey } from "#testing/shop/refold-each-key.ts";
import { sized } from "#testing/trial/size.ts";

/** A shop whose commands follow generated days: `openMoneyShop` for money, `openStockShop` for units of items. */
export type DayShop<Step> = {
  readonly database: TestDatabase;
  readonly runner: ProjectionRunner;
  readonly days: {
    /** Any step. */
    readonly step: fc.Arbitrary<Step>;
    /** Days on which everything happens once. */
    readonly ordinary: readonly (readonly Step[])[];
  };
  /** Before the generated days, and before the ordinary ones: steps that pick a thing then pick among new ones. */
  readonly begin?: () => void;
  readonly take: (step: Step) => Promise<void>;
  /** All stored events so far. */
  readonly events: () => Promise<StoredEvent[]>;
  /** Every event type that the shop writes. */
  readonly register: EventRegister;
};

/**
 * Takes generated steps, catching up after each group of them, then rebuilds in chunks of a generated size.
 * Each history ends with days on which everything happens once, and an oracle without rows is refused, so that no
 * comparison is empty.
 */
export async function expectLiveReplayFold<Step, Row>(
  shop: DayShop<Step>,
  projection: Projection,
  readRows: () => Promise<readonly Row[]>,
  fold: (events: readonly StoredEvent[]) => readonly Row[],
): Promise<void> {
  const groupOf = (maxLength: number) =>
    fc.array(shop.days.step, { minLength: 1, maxLength, size: "max" });
  // Many of one or two steps: ranges of few events take other statements.
  const groups = fc.array(fc.oneof(groupOf(2), groupOf(12)), {
    minLength: 6,
    maxLength: 16,
    size: "max",
  });
  let refolded = 0;
  let refoldedKeys = 0;
  await fc.assert(
    fc.asyncProperty(groups, fc.integer({ min: 1, max: 60 }), async (days: Step[][], chunk) => {
      for (const some of [days, shop.days.ordinary]) {
        shop.begin?.();
        for (const day of some) {
          for (const step of day) {
            await shop.take(step);
          }
          await shop.runner.catchUp();
        }
      }
      const { sql } = shop.database;
      await expectNothingHeld(sql, projection.name);
      const expected = fold(await shop.events());
      expect(
        expected.length,
        "rows of the oracle: take a shop in which such events happen, or add steps to it",
      ).toBeGreaterThan(0);
      expect([...(await readRows())]).toEqual(expected);
      const rebuilt = await rebuildProjection(sql, projection, { chunk, events: shop.register });
      await expectNothingHeld(sql, projection.name);
      expect(rebuilt).toMatchObject({ flipped: true, differences: [] });
      expect([...(await readRows())]).toEqual(expected);
      const { keys, through } = await refoldEachKey(sql, projection, shop.register, refolded);
      refolded = through;
      refoldedKeys += keys;
      expect([...(await readRows())]).toEqual(expected);
    }),
    // Each run adds to the same log, so a few of them make long histories.
    { numRuns: sized(2, 5), endOnFailure: true },
  );
  expect(refoldedKeys).toBeGreaterThan(0);
}
