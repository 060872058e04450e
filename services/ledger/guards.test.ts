// Shows that the concurrency tests can fail: removing any guard breaks a promise, and with all guards none is broken.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { removeGuard } from "#testing/rush/guards.ts";
import { brokenUntil } from "#testing/rush/broken-until.ts";
import { rushWorkers, rushWriters } from "#testing/jar/jar-rush.ts";
import type { JarShop } from "#testing/jar/jar-shop.ts";
import { openJarShop } from "#testing/jar/jar-shop.ts";
import { sized } from "#testing/trial/size.ts";

let shop: JarShop;

beforeEach(async () => {
  shop = await openJarShop();
});

afterEach(() => shop.close());

describe("with every guard in place", () => {
  it("breaks no promise when four processes write to the same jars at once", async () => {
    for (const seed of sized([1], [1, 2, 3])) {
      expect(await rushWriters(shop, sized(300, 600), seed)).toEqual([]);
    }
  });

  it("breaks no promise when six workers fold the same events", async () => {
    expect(await rushWorkers(shop, 8)).toEqual([]);
  });
});

describe("with one guard removed", () => {
  it("gives a refusal that is wrong at its position without the version check", async () => {
    await removeGuard(shop.database.ownerSql, "version check");
    const sign = /was refused at|failed|contended/u;
    expect(await brokenUntil(sign, 1, (seed) => rushWriters(shop, 600, seed))).toMatch(sign);
  });

  it("gives two events one position without the log's lock", async () => {
    await removeGuard(shop.database.ownerSql, "log lock");
    // Small rushes: one shows it nearly always, and what would follow are only retries.
    const sign = /./u;
    expect(await brokenUntil(sign, 1, (seed) => rushWriters(shop, 100, seed))).toMatch(sign);
  });

  it("cannot answer a repeated command without the key check", async () => {
    await removeGuard(shop.database.ownerSql, "key check");
    const sign = /contended|two events/u;
    expect(await brokenUntil(sign, 1, (seed) => rushWriters(shop, 100, seed))).toMatch(sign);
  });

  it("folds events twice without the checkpoint's lock", async () => {
    await removeGuard(shop.database.ownerSql, "checkpoint lock");
    const sign = /folded wrong|quarantined|jar_lines/u;
    expect(await brokenUntil(sign, 1, () => rushWorkers(shop, 8))).toMatch(sign);
  });
});
