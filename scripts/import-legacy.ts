// npm run import-legacy: loads the old app's accounts for the people they belong to, and reports what was rounded.
import { readFile } from "node:fs/promises";
import { LegacyFileProblem, readLegacyFile } from "#features/migration/legacy-file.ts";
import type { LegacyAccount } from "#features/migration/legacy-file.ts";
import {
  noticesOf,
  roundingsOf,
  stageLegacy,
  summaryOf,
} from "#features/migration/legacy-staging.ts";
import type { LegacyLoaded } from "#features/migration/legacy-staging.ts";
import { migrateAll } from "#features/migration/migration.ts";
import type { MigrateAllResponse } from "#features/migration/contract.ts";
import { createPayoutHandles } from "#identity/payout-handles.ts";
import { createReservationKeys } from "#identity/reservation-keys.ts";
import type { Books } from "./books.ts";
import { withBooks } from "./books.ts";
import type { CommandLine } from "./command-line.ts";
import {
  endWithUsage,
  progressBar,
  readCommandLine,
  refuseNoFile,
  refuseTogether,
  runScript,
} from "./command-line.ts";
import { withWriter } from "./writer.ts";

const SHOWN = 20;

const about = `Loads a JSON export of the old app. Its accounts wait in the database until they are migrated: an
admin migrates one user or all of them on the screen, or --migrate does it here. An account goes to the
user with the same verified email; a weaker match has to be confirmed by an admin. Loading the same
file again updates the accounts that still wait, and doubles nothing.

{
  "users": [{
    "id": "...", "email": "...", "username": "...",   one of the three at least; the first names the account
    "displayName": "...",
    "balance": 12.34,                                 dollars, may be negative
    "items":   [{ "itemName", "barcode1", "quantity",
                  "listingTitle", "barcode2", "location", "link", "imageUrl", "asin" }],
    "sales":   [{ "itemName", "soldQuantity", "salePrice", "shippingCost", "payoutAmount",
                  "dateSold" or "timestamp" }],
    "payouts": [{ "amount", "method": "cashapp" or "venmo", "paid", "date",
                  "handle", or "cashAppLink" (a link or $cashtag), or "venmoUsername" }]
  }]
}

Items need the first three fields, sales need salePrice, payouts need amount and method; other fields
are not taken over, and are named with how often they are there. Money is in dollars, as a number or text; fractions of a cent are rounded half up and listed.
Dates are ISO 8601 or milliseconds since 1970. Equal barcodes of one user become one item. Unpaid payouts
wait to be paid, without a link where no handle is named; past sales and paid payouts become lines in the history that move no money.`;

const options = {
  "dry-run": { type: "boolean", help: "check the file and report; nothing is loaded" },
  migrate: {
    type: "boolean",
    help: "after loading, migrate every user whose verified email matches",
  },
} as const;

function printNotices(accounts: readonly LegacyAccount[]): void {
  const { ignored, withoutHandle } = noticesOf(accounts);
  if (withoutHandle > 0) {
    process.stdout.write(`  ! unpaid payouts without a handle: ${withoutHandle}\n`);
  }
  for (const { field, count } of ignored.slice(0, SHOWN)) {
    process.stdout.write(`  ! not taken over: ${field} (${count})\n`);
  }
  if (ignored.length > SHOWN) {
    process.stdout.write(`  … and ${ignored.length - SHOWN} more fields; --json lists all\n`);
  }
}

/** `loaded` is null if the file was only checked. */
function printLoaded(
  line: CommandLine,
  accounts: readonly LegacyAccount[],
  loaded: LegacyLoaded | null,
): void {
  if (line.json) {
    return;
  }
  const cents = accounts.reduce((sum, { holdings }) => sum + holdings.balanceCents, 0);
  const items = accounts.reduce((sum, account) => sum + summaryOf(account).items, 0);
  const what =
    loaded === null
      ? "nothing was loaded"
      : `${loaded.added} new, ${loaded.updated} updated, ${loaded.migrated} migrated before`;
  process.stdout.write(
    `${accounts.length} accounts: ${what}\n` +
      `${items} items, balances of ${(cents / 100).toFixed(2)} dollars together\n`,
  );
  printNotices(accounts);
  const roundings = roundingsOf(accounts);
  for (const { account, what: figure, from, toCents } of roundings.slice(0, SHOWN)) {
    process.stdout.write(
      `  ~ ${account}, ${figure}: ${from} became ${(toCents / 100).toFixed(2)}\n`,
    );
  }
  if (roundings.length > SHOWN) {
    process.stdout.write(`  … and ${roundings.length - SHOWN} more; --json lists all\n`);
  }
}

function printMigrated(line: CommandLine, report: Omit<MigrateAllResponse, "message">): void {
  if (line.json) {
    return;
  }
  const { totalUsers, migrated, skipped, needsReview, failed, details } = report;
  process.stdout.write(
    `${totalUsers} users: ${migrated} migrated, ${skipped} skipped, ${needsReview} to review, ${failed} failed\n`,
  );
  for (const { uid, status, error, reason } of details) {
    if (status === "needs_review" || status === "failed") {
      process.stdout.write(`  ! ${uid}: ${error ?? reason ?? status}\n`);
    }
  }
}

function migrate(books: Books, silent: boolean) {
  const { sql } = books;
  const clock = () => new Date();
  const payoutHandles = createPayoutHandles(sql, clock);
  const progress = progressBar(silent);
  return withWriter(books, "import-legacy", (ledger) =>
    migrateAll({ sql, ledger, clock, payoutHandles }, "system:import-legacy", (done) =>
      progress.update("migrating", done, done + 1),
    ).finally(() => progress.end()),
  );
}

async function run(
  line: CommandLine,
  accounts: readonly LegacyAccount[],
  books: Books,
): Promise<number> {
  const { sql } = books;
  const keys = createReservationKeys(sql);
  const loaded = await stageLegacy({ sql, keys, clock: () => new Date() }, accounts);
  printLoaded(line, accounts, loaded);
  const report = line.flags.has("migrate") ? await migrate(books, line.json) : null;
  if (report !== null) {
    printMigrated(line, report);
  }
  if (line.json) {
    process.stdout.write(
      `${JSON.stringify({ loaded: { ...loaded, ...noticesOf(accounts) }, report })}\n`,
    );
  }
  return report !== null && report.failed > 0 ? 1 : 0;
}

const line = readCommandLine("npm run import-legacy -- FILE.json [options]", about, options);
refuseTogether(line, ["dry-run", "migrate"]);
const [path, ...more] = line.positionals;
if (path === undefined || more.length > 0) {
  endWithUsage("One file is needed: npm run import-legacy -- FILE.json");
}
refuseNoFile(path);
await runScript(async () => {
  try {
    const accounts = readLegacyFile(await readFile(path, "utf8"), new Date());
    if (line.flags.has("dry-run")) {
      printLoaded(line, accounts, null);
      if (line.json) {
        const roundings = roundingsOf(accounts);
        const checked = { users: accounts.length, roundings, ...noticesOf(accounts) };
        process.stdout.write(`${JSON.stringify({ checked })}\n`);
      }
      return 0;
    }
    return await withBooks({ name: "import-legacy", mayBegin: true }, (books) =>
      run(line, accounts, books),
    );
  } catch (error) {
    if (error instanceof LegacyFileProblem) {
      process.stderr.write(`${error.message}\nNothing was loaded.\n`);
      return 1;
    }
    throw error;
  }
});
