// The new files of a screen: the call it reads, the list that it shows, and the test that opens it in a browser.

export type ScreenNames = {
  /** sales-per-item */
  readonly file: string;
  readonly feature: string;
  /** salesPerItem */
  readonly name: string;
  /** SalesPerItem */
  readonly typeName: string;
  /** "Sales per Item" */
  readonly title: string;
};

export function apiFile({ file, feature, name, typeName, title }: ScreenNames): string {
  return `// The calls behind ${title.toLowerCase()}.
import { ${name}Response, type ${typeName}Response } from "#features/${feature}/contract.ts";
import { useRead, type Read } from "#web/lib/read.ts";

export function use${typeName}(): Read<${typeName}Response> {
  return useRead("/${file}", ${name}Response);
}
`;
}

export function screenFile({ file, feature, typeName, title }: ScreenNames): string {
  return `// /admin/${file}: ${title.toLowerCase()}.
import type { ${typeName}Row } from "#features/${feature}/contract.ts";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { Page } from "#web/ui/page.tsx";
import { HistoryIcon } from "#web/ui/thing-icons.ts";
import { use${typeName} } from "./${file}-api.ts";

const columns: readonly Column<${typeName}Row>[] = [
  { id: "id", header: "Id", cell: (row) => row.id, isTruncated: true, card: "title" },
  { id: "events", header: "Events", cell: (row) => row.events, align: "end", card: "amount" },
];

const idOf = (row: ${typeName}Row): string => row.id;

export function ${typeName}Screen() {
  const { data, error, freshness, refresh } = use${typeName}();
  return (
    <Page title="${title}" subtitle={<FreshnessLine freshness={freshness} />} isWide>
      <DataTable
        label="${title}"
        columns={columns}
        rows={data?.rows}
        rowId={idOf}
        error={error}
        errorTitle="The list could not be loaded"
        onRetry={refresh}
        empty={<EmptyState icon={HistoryIcon} title="Nothing is here yet" />}
      />
    </Page>
  );
}
`;
}

export function browserTestFile({ file, title }: ScreenNames): string {
  return `// ${title} in a real browser.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOf } from "#testing/browser/look-at.ts";

let shop: BrowserStore;

beforeAll(async () => {
  shop = await openBrowserStore();
  await shop.person("admin@store.test", "Robin Admin", "admin");
});

afterAll(() => shop.close());

const looks = [
  [1280, "light"],
  [1024, "light"],
  [360, "dark"],
] as const;

it.each(looks)("is loading, then empty, and says what failed, at %i px, %s", async (width, theme) => {
  const errorsBefore = shop.pageErrors.length;
  const context = await shop.visitor({ width, height: 800 });
  const page = await shop.signIn(context, "admin@store.test");
  await page.evaluate((name) => localStorage.setItem("theme", name), theme);
  const calls = /\\/api\\/${file}(?:\\?|$)/u;
  const { promise: isReleased, resolve: release } = Promise.withResolvers<undefined>();
  await page.route(calls, async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto(\`\${shop.url}/admin/${file}\`);
  await page.getByRole("heading", { name: "${title}", level: 1 }).waitFor();
  await page.getByText("Loading ${title}").waitFor({ state: "attached" });
  release(undefined);
  await page.getByText("Nothing is here yet").waitFor();
  expect(await problemsOf(page)).toEqual([]);
  expect(shop.pageErrors.slice(errorsBefore)).toEqual([]);

  await page.unroute(calls);
  await page.route(calls, (route) => route.fulfill({ status: 500, json: { error: "internal" } }));
  await page.reload();
  await page.getByText("The list could not be loaded").waitFor();
  expect(await problemsOf(page)).toEqual([]);
  await page.unroute(calls);
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByText("Nothing is here yet").waitFor();
  await context.close();
});

it("shows what an admin needs", () => {
  expect.fail("Replace this spec: say what a person sees and does on /admin/${file}");
});
`;
}
