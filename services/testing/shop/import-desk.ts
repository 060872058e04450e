// A store for tests of importing files; each import runs as if in a process of its own.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bookChecks, events, projections, streams } from "../../features.ts";
import { importFile } from "#features/import/import-file.ts";
import type { ImportResult } from "#features/import/import-file.ts";
import { planFile } from "#features/import/plan-file.ts";
import type { ImportPlan, ImportRequest } from "#features/import/plan-file.ts";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import type { Accounts } from "#identity/accounts.ts";
import { createAccounts } from "#identity/accounts.ts";
import { createPasswords } from "#identity/passwords.ts";
import type { Ledger } from "#ledger/log/ledger.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { VerifyReport } from "#ledger/verify/verify.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { RETAIL_NOW } from "#testing/shop/retail-file.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";

/** Options of an import. */
export type Asked = Partial<Omit<ImportRequest, "path">>;

export type ImportDesk = {
  readonly sql: Sql;
  readonly ensureUser: Accounts["ensureUser"];
  /** Writes a file; returns its path. */
  readonly fileOf: (content: string | Buffer) => Promise<string>;
  readonly plan: (path: string, asked?: Asked) => Promise<ImportPlan>;
  /** Plans and imports with a new writer; `around` wraps its ledger. */
  readonly importOnce: (
    path: string,
    asked?: Asked,
    around?: (ledger: Ledger) => Ledger,
  ) => Promise<ImportResult>;
  /** Runs other commands on the same log. */
  readonly withLedger: <Result>(work: (ledger: Ledger) => Promise<Result>) => Promise<Result>;
  readonly catchUp: () => Promise<void>;
  /** Folding every read table again is most of its work. */
  readonly verify: (options?: { readonly withoutReplay?: true }) => Promise<VerifyReport>;
  readonly close: () => Promise<void>;
};

export async function openImportDesk(): Promise<ImportDesk> {
  const database = await readableDatabase();
  const folder = await mkdtemp(join(tmpdir(), "import-"));
  const { sql } = database;
  const { ensureUser } = createAccounts(sql, () => RETAIL_NOW, createPasswords());
  let files = 0;

  const plan = (path: string, asked: Asked = {}): Promise<ImportPlan> =>
    planFile(sql, {
      path,
      kind: null,
      consignors: null,
      sort: false,
      now: RETAIL_NOW,
      timeZone: "UTC",
      ...asked,
    });

  async function withLedger<Result>(work: (ledger: Ledger) => Promise<Result>): Promise<Result> {
    const writerSql = connect(database.appUrl, { applicationName: "import", maxConnections: 1 });
    const ledger = openLedger({ sql: writerSql, streams, events, newId: randomUUID });
    try {
      return await work(ledger);
    } finally {
      await ledger.close();
      await writerSql.end();
    }
  }

  return {
    sql,
    ensureUser,
    plan,
    withLedger,
    async fileOf(content) {
      const path = join(folder, `file-${(files += 1)}.csv`);
      await writeFile(path, content);
      return path;
    },
    importOnce: (path, asked, around = (ledger) => ledger) =>
      withLedger(async (ledger) =>
        importFile({ ledger: around(ledger), ensureUser }, await plan(path, asked)),
      ),
    catchUp: () => createRunner({ sql, projections, events }).catchUp(),
    verify: (options = {}) => {
      const books = { sql, events, streams, projections, heads: [], checks: bookChecks };
      return verifyBooks({ ...books, ...options });
    },
    async close() {
      await rm(folder, { recursive: true });
      await database.close();
    },
  };
}
