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
import { knownRows } from "#web/lib/read.ts";
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
        rows={knownRows(data?.rows, freshness)}
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

/** What makes a row of a stream, for the streams that one command begins. */
const fillings: Readonly<Record<string, { readonly imports: string; readonly code: string }>> = {
  item: {
    imports:
      'import { addItem } from "#features/inventory/decider.ts";\nimport { detailsOf } from "#testing/shop/stock-room.ts";\n',
    code: `await shop.execute(addItem, {
    itemId: randomUUID(),
    ownerUid: await shop.person("avery@store.test", "Avery Stone", "user"),
    source: "manual",
    tagPriceCents: null,
    details: detailsOf("B-1"),
    quantity: 5,
    happenedAt: "2026-11-01T10:00:00.000Z",
  });`,
  },
  sale: {
    imports: 'import { recordCustomSale } from "#features/sales/decider-record.ts";\n',
    code: `await shop.execute(recordCustomSale, {
    saleId: randomUUID(),
    consignorId: await shop.person("avery@store.test", "Avery Stone", "user"),
    itemName: "Desk lamp",
    amountCents: 4_000,
    happenedAt: "2026-11-01T10:00:00.000Z",
  });`,
  },
};

/** `category` is that of the streams that make a row. */
export function browserTestFile({ file, title }: ScreenNames, category: string): string {
  const filling = fillings[category];
  const filled =
    filling === undefined
      ? ""
      : `it("shows its rows at every size", async () => {
  ${filling.code}
  // The page is told that there is something new.
  await page.getByText("Nothing is here yet").waitFor({ state: "detached" });
  expect(await problemsAtEachSize()).toEqual([]);
});

`;
  return `// ${title} in a real browser.
${filling === undefined ? "" : `import { randomUUID } from "node:crypto";\n`}import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
${filling?.imports ?? ""}import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOf } from "#testing/browser/look-at.ts";

let shop: BrowserStore;
let page: Page;

beforeAll(async () => {
  shop = await openBrowserStore();
  await shop.person("admin@store.test", "Robin Admin", "admin");
  page = await shop.signedIn(await shop.visitor(), "admin@store.test");
});

afterAll(() => shop.close());

const sizes = [
  [1280, "light"],
  [1024, "light"],
  [360, "dark"],
] as const;

/** What is wrong with the page as it is now, without loading it again. */
async function problemsAtEachSize(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [width, theme] of sizes) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate((name) => {
      document.documentElement.dataset["theme"] = name;
    }, theme);
    found.push(...(await problemsOf(page)).map((problem) => \`\${width} px, \${theme}: \${problem}\`));
  }
  return found;
}

const calls = /\\/api\\/${file}(?:\\?|$)/u;

it("is loading, also while its table is filled, and then empty", async () => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<undefined>();
  await page.route(calls, async (route) => {
    await isReleased;
    await route.fulfill({ json: { rows: [], stale: true } });
  });
  await page.goto(\`\${shop.url}/admin/${file}\`);
  await page.getByRole("heading", { name: "${title}", level: 1 }).waitFor();
  await page.getByText("Loading ${title}").waitFor({ state: "attached" });
  release(undefined);
  await page.getByText("Catching up").waitFor();
  await page.getByText("Loading ${title}").waitFor({ state: "attached" });

  await page.unroute(calls);
  await page.reload();
  await page.getByText("Nothing is here yet").waitFor();
  expect(await problemsAtEachSize()).toEqual([]);
});

${filled}it("shows what an admin needs", () => {
  expect.fail("Replace this spec: say what a person sees and does on /admin/${file}");
});

it("says what failed, and tries again", async () => {
  // Before the errors that this spec makes.
  expect(shop.pageErrors).toEqual([]);
  await page.route(calls, (route) => route.fulfill({ status: 500, json: { error: "internal" } }));
  await page.reload();
  await page.getByText("The list could not be loaded").waitFor();
  expect(await problemsAtEachSize()).toEqual([]);
  await page.unroute(calls);
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByText("The list could not be loaded").waitFor({ state: "detached" });
});
`;
}
