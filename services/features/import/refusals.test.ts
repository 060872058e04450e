// Files that cannot be imported at all, imports that contradict an earlier one, and changes between imports.
import { readFile, writeFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { archiveItem } from "#features/inventory/decider-archive.ts";
import { readHead } from "#ledger/log/read.ts";
import type { ImportDesk } from "#testing/shop/import-desk.ts";
import { openImportDesk } from "#testing/shop/import-desk.ts";
import { refusalRow, refusalText, summaryText, writeReport } from "./report.ts";

const header =
  "InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country\n";
const line = (code: string, quantity = 1, invoice = "536365"): string =>
  `${invoice},${code},MUG,${quantity},2010-12-01T08:26:00Z,2.55,17850,France\n`;

let desk: ImportDesk;

const opens = async (): Promise<void> => {
  desk = await openImportDesk();
};
const closes = (): Promise<void> => desk.close();

async function expectNothingWritten(): Promise<void> {
  expect(await readHead(desk.sql)).toEqual({ position: 0, hash: null });
  expect(await desk.sql`select 1 from log.command_keys`).toHaveLength(0);
  expect(await desk.sql`select 1 from identity.profiles`).toHaveLength(0);
}

describe("a date without a time zone", () => {
  beforeAll(opens);
  afterAll(closes);

  it("is the store's, and stays so for later imports of the file", async () => {
    const content = [
      header.trim(),
      "1,A,MUG,1,2010-12-01,2.55,17850,France",
      "1,B,MUG,1,2010-12-01 08:26,2.55,17850,France",
      "1,C,MUG,1,2010-12-01T08:26:00Z,2.55,17850,France",
    ].join("\n");
    const path = await desk.fileOf(content);
    await desk.importOnce(path, { timeZone: "America/Chicago" });
    expect(await desk.importOnce(path, { timeZone: "Asia/Tokyo" })).toMatchObject({ repeated: 3 });
    await desk.catchUp();
    const sales = await desk.sql<{ at: Date }[]>`
      select sold_at as at from read.sales order by barcode1`;
    expect(sales.map(({ at }) => at.toISOString())).toEqual([
      "2010-12-01T06:00:00.000Z",
      "2010-12-01T14:26:00.000Z",
      "2010-12-01T08:26:00.000Z",
    ]);
  });
});

describe("a file that cannot be imported", () => {
  beforeAll(opens);
  afterAll(closes);

  const good = header + line("A");
  it.each<[string, string | Buffer, string]>([
    ["is empty", "", "The file is empty"],
    ["has only blank lines", "\n\r\n \n,,\n", "The file is empty"],
    [
      "is not UTF-8",
      Buffer.from(`${good}1,A,caf\xe9`, "latin1"),
      "Line 3: characters that are not",
    ],
    ["has a NUL in it", `${good}1,A,\u0000`, "Line 3: a NUL character"],
    ["is UTF-16", Buffer.from(`\uFEFF${good}`, "utf16le"), "This file is UTF-16"],
    ["lacks columns", "InvoiceNo,Price\n1,2\n", "needs columns that are not there: stockcode or"],
    ["names a column twice", good.replace("Country", "Stock code"), "Stock code is there twice"],
    [
      "is our own list of sales, which has no invoices",
      "Date sold,Consignor,Barcode,Quantity,Consignor %\n",
      "needs columns that are not there: invoiceno or",
    ],
    ["is separated otherwise", good.replaceAll(",", ";"), "must be separated by commas"],
    [
      "never closes a quote",
      `${good}1,"A,B\n${line("B")}`,
      "Line 3: a quote opens and never closes",
    ],
    ["goes on after a quote", `${good}1,"A" B,C\n`, "Line 3: a quoted cell goes on"],
    ["has an endless line", good + "x".repeat(1_300_000), "Line 3: a line of more than a million"],
  ])("says so when it %s, and writes nothing", async (_what, content, message) => {
    const path = await desk.fileOf(content);
    await expect(desk.importOnce(path)).rejects.toThrow(message);
    await expectNothingWritten();
  });

  it("says so when there is no such file", async () => {
    await expect(desk.plan("/nowhere/sales.csv")).rejects.toThrow("There is no file");
  });

  it("says so when the file changes between plan and import", async () => {
    const path = await desk.fileOf(good);
    const changing = desk.importOnce(path, {}, (ledger) => ({
      execute: async (decider, command, context) => {
        await writeFile(path, header + line("B"));
        return ledger.execute(decider, command, context);
      },
    }));
    await expect(changing).rejects.toThrow("changed");
    expect((await readHead(desk.sql)).position).toBe(0);
  });
});

describe("a plan", () => {
  beforeEach(opens);
  afterEach(closes);

  it("writes nothing, and counts refused lines by reason", async () => {
    const text = header + line("A") + line("B", 0) + line("B", 1, "C7");
    const plan = await desk.plan(await desk.fileOf(text));
    expect(plan.summary).toMatchObject({
      planned: 1,
      refused: 2,
      soldCents: 255,
      payoutCents: 128,
    });
    expect(summaryText(plan)).toMatch(/^ +cancellation_not_negative +1\n +zero_quantity +1$/m);
    await expectNothingWritten();
  });
});

describe("a refusal", () => {
  beforeAll(opens);
  afterAll(closes);

  const sales = [
    "1,A,MUG,6,2011-01-10T09:00:00Z,2.55,17850,France",
    "2,A,MUG,2,2011-01-11,2.95,17850,France",
    "C3,A,MUG,-4,2011-01-12,2.55,17850,France",
    "C4,A,MUG,-3,2011-01-13,2.55,17850,France",
    "C5,A,MUG,-1,2011-01-14,1.99,17850,France",
    "C6,A,MUG,-1,2011-01-15,2.55,13047,France",
    "C7,=B1,MUG,-12,2011-01-16,2.55,,France",
    "8,A,MUG,two,2011-01-17,2.55,17850,France",
  ];

  it("distinguishes a refund of something never sold from one of more than is left", async () => {
    const { refused, summary } = await desk.plan(await desk.fileOf(header + sales.join("\n")));
    expect(refused.map(({ line, reason, message }) => [line, reason, message])).toEqual([
      [
        5,
        "too_few_left",
        "Of 6 “A” sold to customer “17850” at $2.55 before it, 2 are left to refund, not 3",
      ],
      [
        6,
        "sold_at_other_price",
        "Before it, “A” was sold to customer “17850” at $2.55, $2.95, never at $1.99",
      ],
      [7, "never_sold", "No line before it sells “A” to customer “13047”"],
      [8, "never_sold", "No line before it sells “=B1” to a buyer without a number"],
      [9, "bad_quantity", "The quantity “two” is not a whole number"],
    ]);
    expect(summary.refusedByReason).toMatchObject({ never_sold: 2, too_few_left: 1 });
  });

  it("distinguishes units spread over several sales from too few", async () => {
    const lines = [1, 2].map((day) => `${day},A,MUG,3,2011-01-0${day},2.55,17850,France\n`);
    const text = `${header}${lines.join("")}C3,A,MUG,-5,2011-01-12,2.55,17850,France\n`;
    const { refused } = await desk.plan(await desk.fileOf(text));
    expect(refused).toMatchObject([
      {
        reason: "too_few_left",
        message:
          "6 of “A” sold to customer “17850” at $2.55 are left to refund, but in 2 sales with at most 3 each, not 5 in one",
      },
    ]);
  });

  it("has invoice, customer, code, quantity, price and date, for people and for programs", async () => {
    const { refused } = await desk.plan(await desk.fileOf(header + sales.join("\n")));
    const [first] = refused;
    if (first === undefined) {
      throw new Error("Nothing was refused");
    }
    const row = {
      line: 5,
      reason: "too_few_left",
      message: first.message,
      invoice: "C4",
      customer: "17850",
      code: "A",
      quantity: "-3",
      price: "2.55",
      date: "2011-01-13",
    };
    expect(refusalRow(first)).toEqual(row);
    expect(refusalText(first)).toBe(
      `  ! line 5, invoice C4, customer 17850, -3 × A at 2.55 on 2011-01-13:\n      ${first.message} [too_few_left]\n`,
    );
    const json = await desk.fileOf("");
    await writeReport(`${json}.json`, "sales", refused);
    expect(JSON.parse(await readFile(`${json}.json`, "utf8"))).toMatchObject([row, {}, {}, {}, {}]);
    await writeReport(json, "sales", refused);
    const [head, ...lines] = (await readFile(json, "utf8")).split("\n");
    expect(head).toBe("line,reason,message,invoice,customer,code,quantity,price,date");
    // A spreadsheet shows a number below zero and runs no code.
    expect(lines[3]).toMatch(/,C7,,"?'=B1"?,-12,2\.55,2011-01-16$/u);
  });

  it("has the cells of a line of stock too", async () => {
    const path = await desk.fileOf("name,barcode,quantity,location\nLamp,L-1,many,A-01\n");
    const { refused } = await desk.plan(path);
    expect(refused.map(refusalRow)).toMatchObject([
      { itemName: "Lamp", barcode1: "L-1", quantity: "many", location: "A-01", consignor: "" },
    ]);
    await writeReport(path, "inventory", refused);
    expect(await readFile(path, "utf8")).toMatch(
      /,itemName,barcode1,quantity,location,consignor\n/u,
    );
  });
});

describe("a file that was imported before", () => {
  beforeEach(opens);
  afterEach(closes);

  it("keeps its kind and its number of consignors", async () => {
    const path = await desk.fileOf(header + line("A"));
    await desk.importOnce(path, { consignors: 7 });
    await expect(desk.importOnce(path, { consignors: 8 })).rejects.toThrow("for 7 consignors");
    await expect(desk.importOnce(path, { kind: "inventory" })).rejects.toThrow("as sales before");
    expect(await desk.importOnce(path)).toMatchObject({ imported: 0, repeated: 1 });
  });

  it("keeps its kind, whatever its columns look like", async () => {
    const path = await desk.fileOf(header + line("A", 3));
    await desk.importOnce(path, { kind: "inventory" });
    expect(await desk.importOnce(path)).toMatchObject({ imported: 0, repeated: 1, refused: [] });
  });
});

describe("a store that changes between imports", () => {
  beforeEach(opens);
  afterEach(closes);

  const uid = "import-consignor-0001";
  async function deleteItems(): Promise<void> {
    await desk.catchUp();
    const items = await desk.sql<{ id: string }[]>`
      select id from read.inventory_items where not archived`;
    for (const { id: itemId } of items) {
      const command = { itemId, ownerUid: uid, happenedAt: "2011-01-01T00:00:00.000Z" };
      const context = { actor: "system:test", scope: "store", key: itemId, requestHash: "ab" };
      await desk.withLedger((ledger) => ledger.execute(archiveItem, command, context));
    }
  }

  it("gets a new item with the code of a deleted one", async () => {
    await desk.importOnce(await desk.fileOf(header + line("A", 2)), { consignors: 1 });
    await deleteItems();
    const path = await desk.fileOf(header + line("A", 5) + line("A", -5, "C1") + line("A"));
    const result = await desk.importOnce(path, { consignors: 1 });
    expect(result).toMatchObject({ imported: 3, refused: [] });
    await desk.catchUp();
    const items = await desk.sql`
      select quantity, archived from read.inventory_items order by added_position`;
    expect([...items]).toEqual([
      { quantity: 0, archived: true },
      { quantity: 5, archived: false },
    ]);
  });

  it("reports a line that the ledger refuses: a refund into the stock of a deleted item", async () => {
    const path = await desk.fileOf(header + line("A", 5) + line("A", -2, "C1") + line("B"));
    let sent = 0;
    const interrupted = desk.importOnce(path, { consignors: 1 }, (ledger) => ({
      execute: (decider, command, context) => {
        sent += 1;
        return sent <= 2
          ? ledger.execute(decider, command, context)
          : Promise.reject(new Error("killed"));
      },
    }));
    await expect(interrupted).rejects.toThrow("killed");
    await deleteItems();
    for (const imported of [1, 0]) {
      expect(await desk.importOnce(path)).toMatchObject({
        imported,
        repeated: 2 - imported,
        refused: [
          {
            line: 3,
            reason: "ledger_refused",
            message: expect.stringContaining("deleted"),
            said: { invoice: "C1", customer: "17850", code: "A", quantity: "-2", price: "2.55" },
          },
        ],
      });
    }
    expect((await desk.verify({ withoutReplay: true })).problems).toEqual([]);
  });

  it("reports which lines an earlier run understood differently", async () => {
    const text = header.replace("Country", "Consignor") + line("A").replace("France", "drew");
    const path = await desk.fileOf(text);
    const drew = "drew-consignor-000000001";
    await desk.ensureUser({ uid: drew, email: "d@x.test" });
    await desk.sql`update identity.profiles set username = 'drew' where uid = ${drew}`;
    expect(await desk.importOnce(path)).toMatchObject({ imported: 1 });
    await desk.sql`update identity.profiles set username = null where uid = ${drew}`;
    const other = "drew-consignor-000000002";
    await desk.ensureUser({ uid: other, email: "e@x.test" });
    await desk.sql`update identity.profiles set username = 'drew' where uid = ${other}`;
    expect(await desk.importOnce(path)).toMatchObject({
      imported: 0,
      refused: [{ line: 2, reason: "imported_differently" }],
    });
  });
});
