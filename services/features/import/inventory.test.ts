// Files of stock: who owns the items, which are added, which get more units, and what is refused.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { insertImage, keepImages } from "#http/stored-images.ts";
import { giveUsername } from "#features/users/script-people.ts";
import type { ImportDesk } from "#testing/shop/import-desk.ts";
import { openImportDesk } from "#testing/shop/import-desk.ts";
import { RETAIL_NOW } from "#testing/shop/retail-file.ts";

let desk: ImportDesk;
const avery = "avery-consignor-00000001";

beforeEach(async () => {
  desk = await openImportDesk();
  await desk.ensureUser({ uid: avery, email: "Avery@demo.test" });
  await desk.withLedger((ledger) =>
    giveUsername({ sql: desk.sql, ledger, clock: () => RETAIL_NOW }, avery, "avery", {
      actor: "system:test",
      scope: "system",
      key: "avery",
    }),
  );
});

afterEach(() => desk.close());

async function items(): Promise<unknown[]> {
  await desk.catchUp();
  const rows = await desk.sql`
    select owner_uid as owner, item_name as name, barcode1 as barcode, quantity, location, link
    from read.inventory_items order by added_position`;
  return [...rows];
}

describe("a file of stock", () => {
  it("adds items to the store and to people named by email, username or uid", async () => {
    const path = await desk.fileOf(
      [
        "Location,Qty,Barcode,Item Name,Consignor,URL",
        'A-01,3,0001,"Lamp, brass",,https://shop.example/lamp',
        "A-02,4,0002,Chair,AVERY@demo.test,",
        ",0,0003,Vase,Avery,",
        `,5,0004,Clock,${avery},`,
      ].join("\n"),
    );
    const plan = await desk.plan(path);
    expect(plan.summary).toMatchObject({ items: 4, unitsReceived: 12, barcodes: 4, consignors: 1 });
    expect(await desk.importOnce(path)).toMatchObject({ imported: 4, refused: [] });
    const item = { location: "", link: "" };
    expect(await items()).toEqual([
      {
        owner: null,
        name: "Lamp, brass",
        barcode: "0001",
        quantity: 3,
        location: "A-01",
        link: "https://shop.example/lamp",
      },
      { ...item, owner: avery, name: "Chair", barcode: "0002", quantity: 4, location: "A-02" },
      { ...item, owner: avery, name: "Vase", barcode: "0003", quantity: 0 },
      { ...item, owner: avery, name: "Clock", barcode: "0004", quantity: 5 },
    ]);
    expect(await desk.importOnce(path)).toMatchObject({ imported: 0, repeated: 4 });
    expect(await items()).toHaveLength(4);
    expect((await desk.verify({ withoutReplay: true })).problems).toEqual([]);
  });

  it("adds units to an existing item, which keeps its name and moves to the given location", async () => {
    const header = "name,barcode,quantity,location\n";
    await desk.importOnce(await desk.fileOf(`${header}Lamp,L-1,3,A-01\nVase,l-1,1,A-01\n`));
    const more = await desk.fileOf(
      `${header}Another name,L-1,2,B-07\nLamp,L-1,1,\nLamp,L-1,0,B-07\n`,
    );
    expect(await desk.importOnce(more)).toMatchObject({ imported: 3, refused: [] });
    expect(await items()).toMatchObject([
      { name: "Lamp", barcode: "L-1", quantity: 6, location: "B-07" },
      { name: "Vase", barcode: "l-1", quantity: 1, location: "A-01" },
    ]);
  });

  it("gives new items their tag price, and existing ones keep theirs", async () => {
    const path = await desk.fileOf(
      "name,barcode,quantity,tag price\nLamp,L-1,3,12.5\nVase,V-1,1,\nLamp,L-1,1,99\nMug,M-1,1,1.234\n",
    );
    const { refused } = await desk.plan(path);
    expect(refused).toMatchObject([{ line: 5, reason: "price_decimals" }]);
    expect(await desk.importOnce(path)).toMatchObject({ imported: 3 });
    const priced = await desk.sql<{ data: { tagPriceCents?: number } }[]>`
      select data from log.events where type = 'ItemAdded' order by position desc limit 2`;
    expect(priced.map(({ data }) => data.tagPriceCents)).toEqual([undefined, 1250]);
    const changes = await desk.sql`select 1 from log.events where type = 'ItemPriced'`;
    expect(changes).toHaveLength(0);
  });

  it("takes pictures that the store keeps, as its own file names them, and no others", async () => {
    const [kept, left, unknown] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
    const picture = { type: "image/png", bytes: new Uint8Array(1) } as const;
    for (const id of [kept ?? "", left ?? ""]) {
      await insertImage(desk.sql, { id, salt: null, picture, thumbnail: null }, RETAIL_NOW);
    }
    await desk.sql.begin((transaction) => keepImages(transaction, [kept ?? ""], RETAIL_NOW));
    const path = await desk.fileOf(
      [
        "name,barcode,quantity,image",
        ...[kept, left, unknown].map((id, n) => `Lamp,${n},1,/api/images/${id}`),
      ].join("\n"),
    );
    const { refused } = await desk.plan(path);
    expect(refused).toMatchObject([
      { line: 3, reason: "unknown_picture" },
      { line: 4, reason: "unknown_picture" },
    ]);
    expect(await desk.importOnce(path)).toMatchObject({ imported: 1 });
    await desk.catchUp();
    expect(await desk.sql`select image_url from read.inventory_items`).toMatchObject([
      { image_url: `/api/images/${kept}` },
    ]);
  });

  it("refuses unclear lines instead of guessing, each with its line and reason", async () => {
    for (const uid of ["twin-consignor-000000001", "twin-consignor-000000002"]) {
      await desk.ensureUser({ uid, email: "twins@demo.test" });
    }
    const path = await desk.fileOf(
      [
        "name,barcode,quantity,consignor,link,asin",
        ",1,1,,,",
        "Lamp,,1,,,",
        "Lamp,1,-1,,,",
        "Lamp,1,two,,,",
        "Lamp,1,1,nobody,,",
        "Lamp,1,1,twins@demo.test,,",
        "Lamp,1,1,,javascript:alert(1),",
        "Lamp,1,1,,shop.example,",
        `Lamp,1,1,,,${"B".repeat(21)}`,
        "Lamp,1,1",
        '"Lamp\nwith ""shade""",1,1,,,',
        "Lamp,2,1000001,,,",
        // The API counts letters, not code units.
        `${"🪔".repeat(200)},3,1,,,`,
        `Lamp ${"🪔".repeat(196)},4,1,,,`,
      ].join("\r\n"),
    );
    const { refused } = await desk.plan(path);
    expect(refused.map(({ line, reason }) => [line, reason])).toEqual([
      [2, "empty_name"],
      [3, "empty_code"],
      [4, "negative_quantity"],
      [5, "bad_quantity"],
      [6, "unknown_consignor"],
      [7, "ambiguous_consignor"],
      [8, "bad_link"],
      [9, "bad_link"],
      [10, "bad_text"],
      [11, "cell_count"],
      [14, "quantity_too_large"],
      [16, "bad_text"],
    ]);
    expect(refused.at(-1)?.message).toContain(`“Lamp ${"🪔".repeat(17)}…”`);
    expect(await desk.importOnce(path)).toMatchObject({ imported: 2 });
    expect(await items()).toMatchObject([
      { name: 'Lamp with "shade"', quantity: 1 },
      { name: "🪔".repeat(200), quantity: 1 },
    ]);
  });
});

describe("a file of sales that names consignors", () => {
  it("sells for the people it names, and uses the rule for lines that name nobody", async () => {
    const path = await desk.fileOf(
      [
        "InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Consignor",
        "1,A,Mug,2,2024-05-31T10:00:00Z,10.01,7,avery",
        "2,A,Mug,2,2024-05-31T10:00:00Z,10.01,7,",
        "C3,A,Mug,-1,2024-06-01T10:00:00Z,10.01,7,avery",
        "4,A,Mug,1,2024-06-01T10:00:00Z,10.01,7,nobody",
      ].join("\n"),
    );
    const plan = await desk.plan(path, { consignors: 1 });
    expect(plan.refused).toMatchObject([{ line: 5, reason: "unknown_consignor" }]);
    expect(await desk.importOnce(path, { consignors: 1 })).toMatchObject({ imported: 3 });
    const states = await desk.sql`
      select id, state from log.streams where id like 'consignor-%' order by id`;
    expect([...states]).toEqual([
      { id: `consignor-${avery}`, state: { availableCents: 500, inTransitCents: 0 } },
      {
        id: "consignor-import-consignor-0001",
        state: { availableCents: 1001, inTransitCents: 0 },
      },
    ]);
  });
});
