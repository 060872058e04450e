// Importing stock from the browser: a preview that writes nothing, then each line once, by the rules of the command line.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openItemDesk, type ItemDesk } from "#testing/shop/item-desk.ts";
import { TEST_NOW } from "#testing/service/test-app.ts";
import { beginFile } from "./import-file.ts";

let desk: ItemDesk;
let files = 0;

beforeAll(async () => {
  desk = await openItemDesk();
});

afterAll(() => desk.shop.close());

const columns = { itemName: 0, code: 1, quantity: 2, location: 3, consignor: 4 };

/** A new file whose lines begin below the header. */
function fileOf(...rows: readonly (readonly string[])[]) {
  files += 1;
  return {
    fileHash: String(files).padStart(64, "0"),
    consignorID: null,
    width: 5,
    columns,
    rows: rows.map((cells, index) => ({ line: index + 2, cells })),
  };
}

const check = (body: unknown) => desk.asAdmin("POST", "/import/check", body);
const bringIn = (body: unknown) => desk.asAdmin("POST", "/import", body);

async function eventCount(): Promise<number> {
  const [row] = await desk.shop.deps.sql<{ count: number }[]>`
    select count(*)::int as count from log.events`;
  return row?.count ?? 0;
}

describe("importing stock from the browser", () => {
  it("says what each line would do, and writes nothing", async () => {
    const known = await desk.newItem(null, { itemName: "Brass lamp" });
    const before = await eventCount();
    const answer = await check(
      fileOf(
        ["Vase", desk.newBarcode(), "2", "A-1", ""],
        ["Lamp", known.barcode1, "3", "", ""],
        ["Chair", desk.newBarcode(), "1", "", desk.avery.email],
        ["", "X", "1", "", ""],
        ["Chair", "X", "1", "", "nobody@people.test"],
        ["Chair", "X", "one", "", ""],
      ),
    );
    expect(answer).toMatchObject({
      status: 200,
      body: {
        planned: [
          { line: 2, kind: "new", itemName: "Vase", units: 2, ownerUid: null },
          { line: 3, kind: "more", itemName: "Brass lamp", units: 3, ownerUid: null },
          { line: 4, kind: "new", itemName: "Chair", units: 1, ownerUid: desk.avery.uid },
        ],
        refused: [
          { line: 5, reason: "empty_name" },
          { line: 6, reason: "unknown_consignor" },
          {
            line: 7,
            reason: "bad_quantity",
            itemName: "Chair",
            barcode1: "X",
            quantity: "one",
            location: "",
            consignor: "",
          },
        ],
      },
    });
    expect(await eventCount()).toBe(before);
    const [begun] = await desk.shop.deps.sql`
      select 1 from log.command_keys where key like 'import:%'`;
    expect(begun).toBeUndefined();
  });

  it("imports the good lines once, however often they are sent, in the name of the admin", async () => {
    const known = await desk.newItem(null, { quantity: 5 });
    const barcode = desk.newBarcode();
    const file = fileOf(
      ["Vase", barcode, "2", "A-1", ""],
      ["Vase", barcode, "1", "A-2", ""],
      ["Lamp", known.barcode1, "3", "", ""],
      ["Lamp", "", "3", "", ""],
    );
    expect(await bringIn(file)).toMatchObject({
      status: 200,
      body: { imported: 3, repeated: 0, refused: [{ line: 5, reason: "empty_code" }] },
    });
    const again = await Promise.all([bringIn(file), bringIn(file)]);
    for (const answer of again) {
      expect(answer).toMatchObject({ status: 200, body: { imported: 0, repeated: 3 } });
    }
    expect(await desk.itemNow(known.id)).toMatchObject({ quantity: 8 });
    expect((await desk.search(`searchTerm=${barcode}`)).items).toMatchObject([
      { itemName: "Vase", quantity: 3, location: "A-2" },
    ]);
    const actors = await desk.shop.deps.sql<{ actor: string }[]>`
      select distinct actor from log.events where data ->> 'source' = 'import'`;
    expect(actors.map(({ actor }) => actor)).toEqual([desk.admin.uid]);
    expect(await check(file)).toMatchObject({
      body: { planned: [{ kind: "done" }, { kind: "done" }, { kind: "done" }] },
    });
  });

  it("continues when the rest of a file comes later", async () => {
    const rows = Array.from({ length: 4 }, () => ["Vase", desk.newBarcode(), "1", "", ""]);
    const file = fileOf(...rows);
    const part = { ...file, rows: file.rows.slice(0, 2) };
    expect(await bringIn(part)).toMatchObject({ body: { imported: 2 } });
    expect(await bringIn(file)).toMatchObject({ body: { imported: 2, repeated: 2 } });
  });

  it("continues under the same key after the browser went away", async () => {
    const file = fileOf(["Vase", desk.newBarcode(), "1", "", ""]);
    const headers = { "Idempotency-Key": "import-of-one-who-left" };
    const signal = AbortSignal.abort();
    const request = { as: desk.admin, body: file, headers };
    const path = "/api/inventory/import";
    expect(await desk.shop.call("POST", path, { ...request, signal })).toMatchObject({
      body: { imported: 0 },
    });
    expect(await desk.shop.call("POST", path, request)).toMatchObject({ body: { imported: 1 } });
  });

  it("gives lines without a consignor to the selected one", async () => {
    const barcode = desk.newBarcode();
    const file = {
      ...fileOf(["Vase", barcode, "1", "", ""], ["Vase", barcode, "1", "", desk.blake.email]),
      consignorID: desk.avery.uid,
    };
    await bringIn(file);
    const { items } = await desk.search(`searchTerm=${barcode}`);
    expect(new Set(items.map(({ consignorID }) => consignorID))).toEqual(
      new Set([desk.avery.uid, desk.blake.uid]),
    );
  });

  it("keeps the first meaning of a line when the columns are mapped differently afterwards", async () => {
    const file = fileOf(["Vase", desk.newBarcode(), "2", "7", ""]);
    await bringIn(file);
    const other = { ...file, columns: { ...columns, quantity: 3, location: 2 } };
    const refused = [{ line: 2, reason: "imported_differently" }];
    expect(await check(other)).toMatchObject({ body: { planned: [], refused } });
    expect(await bringIn(other)).toMatchObject({ body: { imported: 0, refused } });
  });

  it("refuses a file that was imported as sales before, and anyone who is not an admin", async () => {
    const file = fileOf(["Vase", desk.newBarcode(), "2", "", ""]);
    expect(await desk.callAs(desk.avery, "POST", "/import", file)).toMatchObject({ status: 403 });
    const begunAt = TEST_NOW.toISOString();
    const asSales = {
      kind: "sales",
      consignors: 40,
      begunAt,
      timeZone: "UTC",
      order: "file",
    } as const;
    await beginFile(desk.shop.deps.ledger, file.fileHash, asSales, "system:import");
    for (const send of [check, bringIn]) {
      expect(await send(file)).toMatchObject({ status: 409, body: { error: "file_refused" } });
    }
  });

  it("says in an item's history that it was imported", async () => {
    const barcode = desk.newBarcode();
    await bringIn(fileOf(["Vase", barcode, "2", "", ""]));
    const [item] = (await desk.search(`searchTerm=${barcode}`)).items;
    const timeline = await desk.asAdmin("GET", `/items/${item?.id ?? ""}/timeline`);
    expect(timeline).toMatchObject({
      body: { lines: [{ type: "ItemAdded", unitsDelta: 2, actor: desk.admin.uid }] },
    });
  });
});
