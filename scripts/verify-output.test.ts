// What `npm run verify` prints for people and for machines, and its exit code.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { events, projections } from "../services/features.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { testDatabase } from "#testing/database/test-database.ts";

let database: TestDatabase;
let dataDir: string;

beforeAll(async () => {
  database = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "ledger-verify-output-"));
  await ensureProjections({ sql: database.sql, projections, events });
});

afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});

async function verify(...args: string[]): Promise<{ code: number; text: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "verify.ts"), ...args], {
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: database.appUrl },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const [code] = await once(child, "close");
  return { code: Number(code), text };
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
