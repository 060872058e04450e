// Shows that breaking any house rule is reported, and that correct files pass.
import { expect, test } from "vitest";
import { breachesIn } from "./house-rules.ts";

const messages = (path: string, text: string) =>
  breachesIn(path, `// Opens with a comment.\n${text}`).map(
    ({ line, message }) => `${line}: ${message}`,
  );

test.each([
  ["the ledger imports no feature", "services/ledger/a.ts", "#features/sales/events.ts"],
  ["the ledger imports no http", "services/ledger/a.ts", "../http/app.ts"],
  [
    "a feature imports no other's decider",
    "services/features/a/b.ts",
    "#features/sales/decider.ts",
  ],
  [
    "a feature made of others' commands imports no other's",
    "services/features/import/decider.ts",
    "#features/users/decider.ts",
  ],
  [
    "a feature made of others' commands imports none of their queries",
    "services/features/import/decider.ts",
    "#features/sales/queries.ts",
  ],
  [
    "a feature imports no other's projection, only its tables",
    "services/features/a/b.ts",
    "#features/sales/projection.ts",
  ],
  [
    "a feature imports no other's later projection, only its tables",
    "services/features/a/b.ts",
    "#features/sales/projection-per-day.ts",
  ],
  ["queries use no raw SQL", "services/features/a/queries.ts", "#db/connect.ts"],
  ["searches use no raw SQL", "services/features/a/search-sorted.ts", "#db/connect.ts"],
  ["a feature imports no register", "services/features/a/b.ts", "../../features.ts"],
  ["identity imports no http", "services/identity/a.ts", "#http/errors.ts"],
  ["identity has no contract of its own", "web/lib/a.ts", "#identity/contract.ts"],
  ["http imports no feature", "services/http/app.ts", "#features/sales/routes.ts"],
  ["the register imports no process", "services/features.ts", "./api.ts"],
  ["a contract imports no server code", "services/features/a/contract.ts", "#db/connect.ts"],
  ["the web imports no queries", "web/a.ts", "#features/sales/queries.ts"],
  ["the web's library imports no kit", "web/lib/a.ts", "#web/ui/button.tsx"],
  ["the kit imports no shared part", "web/ui/a.tsx", "#web/shared/sale/sale-form.tsx"],
  ["a shared part imports no feature", "web/shared/sale/a.tsx", "#web/features/pos/till.ts"],
  ["a web feature imports no other", "web/features/pos/a.tsx", "../sales/sale-drawer.tsx"],
  ["a web feature imports no shell", "web/features/pos/a.tsx", "#web/shell/frame.tsx"],
  ["nothing but tests imports test tools", "services/api.ts", "#testing/database/test-database.ts"],
  ["services import no scripts", "services/api.ts", "../scripts/demo.ts"],
])("%s", (_, path, specifier) => {
  expect(messages(path, `import { x } from "${specifier}";`)).toHaveLength(1);
  expect(messages(path, `import {\n  x,\n} from "${specifier}";`)).toHaveLength(1);
  expect(messages(path, `export { x } from "${specifier}";`)).toHaveLength(1);
  expect(messages(path, `const x = await import("${specifier}");`)).toHaveLength(1);
});

test.each([
  ["services/features/a/decider.ts", "#features/sales/events.ts"],
  ["services/features/a/decider.ts", "#features/sales/streams.ts"],
  ["services/features/a/decider.ts", "./contract.ts"],
  ["services/features/today/queries.ts", "#features/shipments/conditions.ts"],
  ["services/features/import/decider.ts", "#features/sales/decider-record.ts"],
  ["services/features/import/cells.ts", "#features/inventory/contract.ts"],
  ["services/features.ts", "#features/sales/routes.ts"],
  ["services/api.ts", "./features.ts"],
  ["web/features/sales/form.tsx", "#features/sales/contract.ts"],
  ["web/features/sales/form.tsx", "#ledger/money.ts"],
  ["web/features/sales/form.tsx", "#web/shared/sale/sale-form.tsx"],
  ["web/shared/sale/a.tsx", "#web/shared/item/owner-chip.tsx"],
  ["web/shell/frame.tsx", "#web/features/pos/unsent-bar.tsx"],
  ["services/ledger/log/writer.test.ts", "#testing/database/test-database.ts"],
])("%s may import %s", (path, specifier) => {
  expect(messages(path, `import { x } from "${specifier}";`)).toEqual([]);
});

test("of another feature's projection only the tables may be imported", () => {
  const imported = (names: string, path = "services/features/a/queries.ts") =>
    messages(path, `import { ${names} } from "#features/sales/projection.ts";`);
  expect(imported("salesTable")).toEqual([]);
  expect(imported("salesTable,\n  otherTable,\n ")).toEqual([]);
  expect(imported("salesTable, salesProjection")).toHaveLength(1);
  expect(imported("salesProjection", "services/features/sales/checks.ts")).toEqual([]);
  expect(
    messages("services/features/a/look-ups.ts", 'import type { Sql } from "#db/connect.ts";'),
  ).toEqual([]);
});

test("a contract that imports all of zod is reported", () => {
  expect(messages("services/features/a/contract.ts", 'import { z } from "zod";')).toHaveLength(1);
  expect(messages("services/features/a/contract.ts", 'import * as z from "zod/mini";')).toEqual([]);
});

test("barrel files and vague names are reported", () => {
  expect(messages("web/ui/index.ts", "")).toHaveLength(1);
  expect(messages("services/http/utils/a.ts", "")).toHaveLength(1);
  expect(messages("services/db/string-util.ts", "")).toHaveLength(1);
  expect(messages("services/jobs/job-manager.ts", "")).toHaveLength(1);
  expect(messages("services/utilities-bill.ts", "")).toEqual([]);
});

test("reading the environment anywhere else is reported with its line", () => {
  const text = "const x = 1;\nconst port = process.env.PORT;";
  expect(messages("services/api.ts", text)).toEqual([expect.stringMatching(/^3: process\.env/)]);
  expect(messages("services/config.ts", text)).toEqual([]);
});

test("color literals are reported, imports and anchors are not", () => {
  expect(messages("web/a.css", "a { color: #fff }")).toHaveLength(1);
  expect(messages("web/a.tsx", 'const c = "rgb(1, 2, 3)";')).toHaveLength(1);
  expect(messages("web/ui/tokens.css", ":root { --ink: #1a1a1a }")).toEqual([]);
  expect(
    messages("web/a.tsx", 'import { x } from "#web/ui/add.tsx";\nconst a = "#details";'),
  ).toEqual([]);
});

test.each([
  "where s.id = 'user-' || p.uid",
  "where stream_id like 'item-%'",
  "b.account = 'consignor:' || p.uid || ':available'",
  "split_part(p.from_account, ':', 2)",
  "substr(s.stream_id, 6)",
  "`consignor:${uid}:payouts`",
])("a stream or account name that is built or parsed by hand is reported: %s", (text) => {
  expect(messages("services/features/a/queries.ts", text)).not.toEqual([]);
  expect(messages("scripts/a.ts", text)).not.toEqual([]);
  expect(messages("services/features/a/streams.ts", text)).toEqual([]);
  expect(messages("services/features/a/queries.test.ts", text)).toEqual([]);
});

test("names made by their feature's functions are fine", () => {
  const text = "log.user_stream(p.uid) and log.is_item_stream(s.stream_id) // `item-<id>`";
  expect(messages("services/features/a/queries.ts", text)).toEqual([]);
});

test("SQL that names another feature's read table without importing it is reported", () => {
  const query = "const q = sql`select * from read.sales s join read.balances b on true`;";
  const table = 'import { balancesTable } from "#features/accounts/projection.ts";';
  expect(messages("services/features/sales/queries.ts", query)).toEqual([
    expect.stringMatching(/^2: read\.balances belongs to accounts/),
  ]);
  expect(messages("services/features/sales/queries.ts", `${table}\n${query}`)).toEqual([]);
  const later = table.replace("projection.ts", "projection-per-day.ts");
  expect(messages("services/features/sales/queries.ts", `${later}\n${query}`)).toEqual([]);
});

test("a file without an opening comment is reported", () => {
  expect(breachesIn("services/a.ts", "export const a = 1;\n")).toHaveLength(1);
  expect(breachesIn("services/a.ts", "// Why.\nexport const a = 1;\n")).toEqual([]);
});

test.each(["services/features/a/projection.ts", "services/features/a/projection-per-day.ts"])(
  "%s reads events with their upcasts",
  (step) => {
    expect(messages(step, "`select from log.events e`")).toHaveLength(1);
    expect(messages(step, "`select from log.postings p`")).toHaveLength(1);
    expect(messages(step, "`select log.sale_stream(s.id) from {streams} s`")).toEqual([]);
    expect(messages(step, "`select e.data ->> 'saleId' from {events} e`")).toEqual([]);
  },
);

test("events that are read without their upcasts are reported", () => {
  expect(messages("services/features/a/checks.ts", "`select from log.events`")).toHaveLength(1);
  expect(messages("services/features/a/checks.ts", "`select from log.postings`")).toEqual([]);
  const query = "services/features/a/queries.ts";
  expect(messages(query, "`select e.data ->> 'saleId' from log.events e`")).toHaveLength(1);
  expect(messages(query, "`select e.type, e.schema_version, e.data from log.events e`")).toEqual(
    [],
  );
});
