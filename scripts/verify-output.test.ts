// What `npm run verify` prints for people and for machines, and its exit code.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { callScript } from "#testing/service/script-host.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";

let database: TestDatabase;
let dataDir: string;

beforeAll(async () => {
  database = await readableDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "ledger-verify-output-"));
});

afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});

async function verify(...args: string[]): Promise<{ code: number; text: string }> {
  const environment = { DATA_DIR: dataDir, DATABASE_URL: database.appUrl };
  const { code, out } = await callScript("verify.ts", args, environment);
  return { code, text: out };
}

it("says how many kept answers are in the chain and how many are not, and exits with 0 if all is right", async () => {
  const { code, text } = await verify();
  expect(text).toMatch(
    /^ {2}Kept answers +0 in the chain; not in it: 0 refusals, 0 accepted without an event, 0 older ones$/mu,
  );
  expect(code).toBe(0);
});

it("says the same as JSON, with every finding by its name, and exits with 1", async () => {
  await database.ownerSql`grant update on log.events to ledger_app`;
  await database.ownerSql`drop view read.sales`;
  const { code, text } = await verify("--json", "--without-replay");
  expect(JSON.parse(text)).toMatchObject({
    answers: { chained: 0, older: 0, refused: 0, acceptedWithoutEvents: 0 },
    problems: [
      { check: "schema", message: "ledger_app may UPDATE log.events, which no migration grants" },
      {
        check: "balances",
        message:
          'The contents of a feature\'s tables cannot be checked: relation "read.sales" does not exist',
      },
      { check: "views", message: "read.sales is missing: it should show read.sales_g1" },
    ],
    unlistedProblems: 0,
  });
  expect(code).toBe(1);
});
