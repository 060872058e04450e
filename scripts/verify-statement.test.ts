// `npm run verify-statement` and `npm run rotate-statement-key` as an operator calls them: words, JSON and exit codes.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callScript } from "#testing/service/script-host.ts";
import { openSaleShop, saleOf, type SaleShop } from "#testing/shop/sale-shop.ts";
import { TEST_SECRET_KEY } from "#testing/service/test-secrets.ts";

let sales: SaleShop;
let folder: string;

beforeAll(async () => {
  sales = await openSaleShop();
  folder = await mkdtemp(path.join(tmpdir(), "statements-"));
});

afterAll(async () => {
  await sales.close();
  await rm(folder, { recursive: true });
});

function run(script: string, ...args: readonly string[]) {
  const { appUrl, ownerUrl } = sales.shop.database;
  return callScript(script, args, {
    DATABASE_URL: appUrl,
    DATABASE_OWNER_URL: ownerUrl,
    DATA_DIR: folder,
    SECRET_KEY: TEST_SECRET_KEY,
  });
}

test("statements are told apart in words and as JSON, also after their key was rotated", async () => {
  const owner = await sales.consignorWith(3);
  await sales.record(saleOf(owner));
  const statement = `/api/accounts/${owner.person.uid}/statement?from=2026-11-01&to=2026-11-30`;
  const csv = await sales.shop.call("GET", `${statement}&format=csv`, { as: owner.person });
  const [good, changed] = [path.join(folder, "good.csv"), path.join(folder, "changed.csv")];
  const ofYear = `/api/accounts/${owner.person.uid}/years/2026?format=csv`;
  const year = await sales.shop.call("GET", ofYear, { as: owner.person });
  const yearly = path.join(folder, "year.csv");
  await writeFile(yearly, `\uFEFF${String(year.body)}`);
  await writeFile(good, `\uFEFF${String(csv.body)}`);
  await writeFile(changed, `\uFEFF${String(csv.body).replace("17.50", "17.51")}`);
  await sales.shop.runner.catchUp();

  expect(await run("rotate-statement-key.ts")).toMatchObject({
    code: 0,
    out: expect.stringContaining("its public part stays published"),
  });
  const { code, out } = await run("verify-statement.ts", good, changed, yearly);
  expect(code).toBe(1);
  expect(out).toContain(
    `${good}: Genuine and unchanged. The store signed this file with a key that`,
  );
  expect(out).toContain("Closing balance (available)  $17.50");
  expect(out).toContain(`${changed}: Changed after it was signed.`);
  // As on the yearly statement: the sum, and what it is of.
  expect(out).toMatch(
    /year\.csv: Genuine[^]*Closing balance {14}\$17\.50\n {2}Available {20}\$17\.50\n {2}Requested {20}\$0\.00\n {2}Held for trades {14}\$0\.00\n/u,
  );
  // A file that is missing does not keep the others from being checked.
  const missing = `${good}.missing`;
  const asJson = await run("verify-statement.ts", missing, good, "--json");
  expect(asJson.code).toBe(1);
  expect(JSON.parse(asJson.out)).toMatchObject([
    { file: missing, kind: "unreadable", sentence: `There is no file ${missing}` },
    { file: good, kind: "genuine", later: { late: { count: 0 } } },
  ]);
}, 60_000);
