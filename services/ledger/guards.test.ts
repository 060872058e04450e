// Proof that the concurrency tests can fail: each guard taken out breaks a promise, and with all in none breaks.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { removeGuard } from "#testing/guards.ts";
import { rushWorkers, rushWriters } from "#testing/till-rush.ts";
import type { TillShop } from "#testing/till-shop.ts";
import { openTillShop } from "#testing/till-shop.ts";

let shop: TillShop;

beforeEach(async () => {
  shop = await openTillShop();
});

afterEach(() => shop.close());

/** Runs until a promise breaks, at most thirty times: a race is likely in one run, not certain. */
async function firstBroken(run: (seed: number) => Promise<string[]>): Promise<string[]> {
  for (let seed = 1; seed <= 30; seed += 1) {
    const broken = await run(seed);
    if (broken.length > 0) {
      return broken;
    }
  }
  return [];
}

describe("with every guard in its place", () => {
  it("breaks no promise when four processes rush the same tills", async () => {
    for (const seed of [1, 2, 3]) {
      expect(await rushWriters(shop, 600, seed)).toEqual([]);
    }
  });

  it("breaks no promise when six workers fold the same events", async () => {
    expect(await rushWorkers(shop, 8)).toEqual([]);
  });
});

describe("with one guard taken out", () => {
  it("lets a refusal be untrue at its position without the version check", async () => {
    await removeGuard(shop.database.ownerSql, "version check");
    const broken = await firstBroken((seed) => rushWriters(shop, 600, seed));
    expect(broken.join("\n")).toMatch(/was refused at|failed|contended/u);
  });

  it("gives two events one position without the log's lock", async () => {
    await removeGuard(shop.database.ownerSql, "log lock");
    const broken = await firstBroken((seed) => rushWriters(shop, 600, seed));
    expect(broken).not.toEqual([]);
  });

  it("cannot answer a repeated command without the key check", async () => {
    await removeGuard(shop.database.ownerSql, "key check");
    const broken = await firstBroken((seed) => rushWriters(shop, 100, seed));
    expect(broken.join("\n")).toMatch(/contended|two events/u);
  });

  it("folds events twice without the checkpoint's lock", async () => {
    await removeGuard(shop.database.ownerSql, "checkpoint lock");
    const broken = await firstBroken(() => rushWorkers(shop, 8));
    expect(broken.join("\n")).toMatch(/folded wrong|quarantined|till_lines/u);
  });
});
