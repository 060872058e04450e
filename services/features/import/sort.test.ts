// Sales files that are not in order of time: what the dry run says, and what sorting changes without doubling anything.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readHead } from "#ledger/log/read.ts";
import type { ImportDesk } from "#testing/shop/import-desk.ts";
import { openImportDesk } from "#testing/shop/import-desk.ts";
import { RETAIL_NOW, seededRandom } from "#testing/shop/retail-file.ts";
import { beginImport } from "./decider.ts";
import type { ImportBegun } from "./decider.ts";
import { fileKey } from "./plan-file.ts";
import { orderText, summaryText } from "./report.ts";

const header = "InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID\n";
type Line = readonly [invoice: string, code: string, units: number, day: string];

/** One line each; all by one customer at $2.00. */
function fileText(lines: readonly Line[]): string {
  return (
    header +
    lines
      .map(
        ([invoice, code, units, at]) => `${invoice},${code},MUG,${units},2011-${at},2.00,17850\n`,
      )
      .join("")
  );
}

/**
 * Line 2 refunds what line 4 sells. Line 3 sells in May, and line 5 refunds in March; its actual sale, in
 * February, is line 6.
 */
const mixedUp = fileText([
  ["C1", "A", -1, "01-20"],
  ["2", "B", 3, "05-01"],
  ["3", "A", 2, "01-10"],
  ["C4", "B", -3, "03-01"],
  ["5", "B", 3, "02-01"],
]);

let desk: ImportDesk;
const one = { consignors: 1 } as const;
const sorted = { sort: true } as const;

beforeEach(async () => {
  desk = await openImportDesk();
});

afterEach(() => desk.close());

/** What each line became in the ledger, in the log's order. */
async function events(): Promise<unknown[]> {
  const rows = await desk.sql<{ line: string; type: string; units: number }[]>`
    select split_part(command_key, ':', 3) as line, type, (data ->> 'units')::int as units
    from log.events where type in ('SaleRecorded', 'SaleRefunded') order by position`;
  return rows.map(({ line, type, units }) => `${line} ${type} ${units}`);
}

/** Each refund's line with its sale's line. */
async function refundedSales(): Promise<unknown> {
  const rows = await desk.sql<{ refund: string; sale: string }[]>`
    select split_part(r.command_key, ':', 3) as refund, split_part(s.command_key, ':', 3) as sale
    from log.events r
    join log.events s on s.type = 'SaleRecorded' and s.data ->> 'saleId' = r.data ->> 'saleId'
    where r.type = 'SaleRefunded'`;
  return Object.fromEntries(rows.map(({ refund, sale }) => [Number(refund), Number(sale)]));
}

/** Accounts and stock, without ids. */
async function books(): Promise<unknown> {
  await desk.catchUp();
  const { sql } = desk;
  return {
    balances: [...(await sql`select account, balance_cents from read.balances order by account`)],
    stock: [...(await sql`select barcode1, quantity from read.inventory_items order by barcode1`)],
  };
}

describe("the dry run of a file of sales", () => {
  it("says how many lines are out of order, which refunds come before their sale, and what sorting changes", async () => {
    const path = await desk.fileOf(mixedUp);
    const plan = await desk.plan(path);
    expect(plan.order).toEqual({
      linesOutOfOrder: 3,
      firstOutOfOrder: 4,
      refunds: 1,
      refundsBeforeTheirSale: 1,
      sorted: { refunds: 2, nowTaken: [2], nowRefused: [], ofOtherSales: 1 },
    });
    const text = orderText(plan);
    expect(text).toContain("3 lines are dated before a line above (the first is line 4)");
    expect(text).toContain("1 of 1 refund before the sale that is refunded");
    expect(text).toContain("--sort takes the lines in order of their dates");
    expect(text).toContain("2 refunds instead of 1: 1 more, 0 no longer, 1 of another sale");
    expect(plan.refused[0]?.message).toMatch(/With --sort it is taken$/u);
    expect((await readHead(desk.sql)).position).toBe(0);
  });

  it("says nothing about a file that is in order or is being sorted", async () => {
    const inOrder = await desk.plan(await desk.fileOf(fileText([["1", "A", 1, "01-10"]])));
    const taken = await desk.plan(await desk.fileOf(mixedUp), sorted);
    expect(summaryText(taken)).toMatch(/Order +of time/u);
    for (const plan of [inOrder, taken]) {
      expect(plan.order).toBeNull();
      expect(orderText(plan)).toBe("");
    }
  });

  it("refuses to sort a file of stock, which has no dates", async () => {
    const path = await desk.fileOf("name,barcode,quantity\nLamp,1,1\n");
    await expect(desk.plan(path, sorted)).rejects.toThrow("no dates");
  });
});

describe("a sorted import", () => {
  it("books by date, and no refund before its sale", async () => {
    const path = await desk.fileOf(mixedUp);
    expect(await desk.importOnce(path, sorted)).toMatchObject({ imported: 5, refused: [] });
    expect(await events()).toEqual([
      "4 SaleRecorded 2",
      "2 SaleRefunded 1",
      "6 SaleRecorded 3",
      "5 SaleRefunded 3",
      "3 SaleRecorded 3",
    ]);
    expect(await refundedSales()).toEqual({ 2: 4, 5: 6 });
  });

  it("is remembered: the same file again changes nothing, sorted or not", async () => {
    const path = await desk.fileOf(mixedUp);
    await desk.importOnce(path, sorted);
    const { position } = await readHead(desk.sql);
    for (const asked of [{}, sorted, {}]) {
      expect(await desk.importOnce(path, asked)).toMatchObject({ imported: 0, repeated: 5 });
    }
    expect((await readHead(desk.sql)).position).toBe(position);
  });

  it("keeps lines of the same instant in the file's order, and puts a refund after a sale of the same day", async () => {
    const path = await desk.fileOf(
      fileText([
        ["9", "Z", 1, "06-01"],
        ["C1", "A", -1, "05-01"],
        ["2", "B", 1, "05-01"],
        ["3", "A", 2, "05-01"],
        ["C4", "B", -1, "05-01"],
      ]),
    );
    expect(await desk.importOnce(path, sorted)).toMatchObject({ imported: 5, refused: [] });
    expect(await events()).toEqual([
      "4 SaleRecorded 1",
      "5 SaleRecorded 2",
      "6 SaleRefunded 1",
      "3 SaleRefunded 1",
      "2 SaleRecorded 1",
    ]);
  });

  it("gives the same books whatever the order of the lines, also when it is killed and run again", async () => {
    const random = seededRandom(14);
    const lines = Array.from({ length: 240 }, (_, index): Line => {
      const isRefund = random() < 0.2;
      const units = 1 + Math.floor(random() * 4);
      const minute = new Date(Date.UTC(2011, 0, 1) + index * 60_000).toISOString().slice(5);
      const code = `K${Math.floor(random() * 12)}`;
      return [`${isRefund ? "C" : ""}${index}`, code, isRefund ? -units : units, minute];
    });
    const inOrder = await desk.fileOf(fileText(lines));
    const expected = await desk.importOnce(inOrder, one);
    expect((await desk.plan(inOrder)).summary.refunds).toBeGreaterThan(20);
    const books1 = await books();
    await desk.close();

    desk = await openImportDesk();
    const keyed = lines.map((line) => ({ line, key: random() }));
    const shuffled = keyed.toSorted((a, b) => a.key - b.key).map(({ line }) => line);
    const path = await desk.fileOf(fileText(shuffled));
    let sent = 0;
    const killed = desk.importOnce(path, { ...one, ...sorted }, (ledger) => ({
      execute: (decider, command, context) => {
        sent += 1;
        return sent <= 120
          ? ledger.execute(decider, command, context)
          : Promise.reject(new Error("killed"));
      },
    }));
    await expect(killed).rejects.toThrow("killed");
    const result = await desk.importOnce(path);
    expect(result.refused).toEqual([]);
    expect(result.imported + result.repeated).toBe(expected.imported);
    expect(result.repeated).toBeGreaterThan(60);
    expect(await books()).toEqual(books1);
    expect((await desk.verify()).problems).toEqual([]);
  }, 240_000);
});

describe("a file that was imported unsorted", () => {
  it("keeps its lines when it is sorted, and adds the refunds that had found no sale: nothing is doubled", async () => {
    const path = await desk.fileOf(mixedUp);
    expect(await desk.importOnce(path, one)).toMatchObject({ imported: 4, refused: [] });
    expect((await desk.plan(path)).refused).toMatchObject([{ line: 2, reason: "never_sold" }]);
    const before = await events();
    expect(await desk.plan(path)).toMatchObject({
      order: { sorted: { refunds: 2, nowTaken: [2], nowRefused: [], ofOtherSales: 0 } },
    });
    expect(await desk.importOnce(path, sorted)).toMatchObject({
      imported: 1,
      repeated: 4,
      refused: [],
    });
    expect(await events()).toEqual([...before, "2 SaleRefunded 1"]);
    expect(await refundedSales()).toEqual({ 2: 4, 5: 3 });
    for (const asked of [{}, sorted]) {
      expect((await desk.plan(path, asked)).refused).toEqual([]);
      expect(await desk.importOnce(path, asked)).toMatchObject({ imported: 0, repeated: 5 });
    }
    expect((await desk.verify({ withoutReplay: true })).problems).toEqual([]);
  });

  it("never gives such a refund a sale that is dated after it", async () => {
    const late = fileText([
      ["C1", "A", -1, "01-20"],
      ["2", "A", 2, "03-10"],
    ]);
    const path = await desk.fileOf(late);
    await desk.importOnce(path);
    expect((await desk.plan(path, sorted)).refused).toMatchObject([
      { line: 2, reason: "never_sold", message: expect.stringContaining("No line before it") },
    ]);
    expect(await desk.importOnce(path, sorted)).toMatchObject({ imported: 0, repeated: 1 });
  });

  it("imports by date the rest of an import that was stopped, however it is started again", async () => {
    const path = await desk.fileOf(mixedUp);
    let sent = 0;
    const stopped = desk.importOnce(path, one, (ledger) => ({
      execute: (decider, command, context) => {
        sent += 1;
        return sent <= 2
          ? ledger.execute(decider, command, context)
          : Promise.reject(new Error("killed"));
      },
    }));
    await expect(stopped).rejects.toThrow("killed");
    expect(await events()).toEqual(["3 SaleRecorded 3"]);
    await expect(
      desk.importOnce(path, sorted, (ledger) => ({
        execute: (decider, command, context) =>
          decider.type === "ImportLine"
            ? Promise.reject(new Error("killed"))
            : ledger.execute(decider, command, context),
      })),
    ).rejects.toThrow("killed");
    expect(await desk.importOnce(path)).toMatchObject({ imported: 4, repeated: 1, refused: [] });
    expect(await refundedSales()).toEqual({ 2: 4, 5: 6 });
  });

  it("continues in the file's order, and with dates in UTC, if it was started before there was a choice", async () => {
    const path = await desk.fileOf(mixedUp);
    const { file } = await desk.plan(path);
    const begunAt = RETAIL_NOW.toISOString();
    const old = { kind: "sales", consignors: 7, begunAt } as ImportBegun;
    const key = fileKey(file.sha256);
    const context = { actor: "system:import", scope: "store", key, requestHash: "ab" };
    await desk.withLedger((ledger) => ledger.execute(beginImport, old, context));
    const plan = await desk.plan(path);
    expect(plan.begun).toEqual({ ...old, order: "file", timeZone: "UTC" });
  });
});
