// A sale's story over HTTP: every version with what it changed, who, when and why, for admins and for its consignor.
import { afterAll, beforeAll, expect, it } from "vitest";
import { timelineResponse } from "#features/inventory/contract.ts";
import { saleStoryResponse } from "#features/sales/contract-story.ts";
import { openSaleShop, saleIdOf, saleOf } from "#testing/shop/sale-shop.ts";
import type { ItemOwner, SaleShop } from "#testing/shop/sale-shop.ts";

let books: SaleShop;
let owner: ItemOwner;
let saleId: string;

beforeAll(async () => {
  books = await openSaleShop();
  owner = await books.consignorWith(5);
  saleId = saleIdOf(await books.record(saleOf(owner, { salesTax: 3.3, channel: "pos" })));
  await books.correct(saleId, { salePrice: 30, salesTax: 2.48, reason: "Wrong tag" });
  await books.refund(saleId, { quantity: 1, restock: true, reason: "Cracked" });
});

afterAll(() => books.close());

async function storyFor(as: ItemOwner["person"], query = "") {
  const answer = await books.shop.call("GET", `/api/sales/${saleId}/story${query}`, { as });
  return saleStoryResponse.parse(answer.body);
}

it("tells an admin every version: before and after, amounts, who, when, why, and the ledger's line", async () => {
  const { entries, nextCursor } = await storyFor(books.admin);
  expect(nextCursor).toBeNull();
  const by = { uid: books.admin.uid, name: "Admin" };
  expect(entries).toMatchObject([
    {
      version: 3,
      kind: "refunded",
      title: "Refunded 1 unit, back in stock",
      amounts: [
        { label: "Price", amount: 15 },
        { label: "Sales tax", amount: 1.24 },
        { label: "From the consignor", amount: 6.25 },
        { label: "From the store", amount: 8.75 },
      ],
      changes: [],
      reason: "Cracked",
      actor: by,
      ledger: { line: 3, amount: -6.25 },
    },
    {
      version: 2,
      kind: "corrected",
      title: "Corrected",
      amounts: [],
      changes: [
        { label: "Price", before: 40, after: 30 },
        { label: "Sales tax", before: 3.3, after: 2.48 },
        { label: "Consignor's share", before: 17.5, after: 12.5 },
        { label: "Store keeps", before: 17.5, after: 12.5 },
      ],
      reason: "Wrong tag",
      actor: by,
      ledger: { line: 2, amount: -5 },
    },
    {
      version: 1,
      kind: "recorded",
      title: "Sold 2 units",
      notes: [],
      amounts: [
        { label: "Price", amount: 40 },
        { label: "Shipping", amount: 5 },
        { label: "Sales tax", amount: 3.3 },
        { label: "Consignor's share", amount: 17.5 },
        { label: "Store keeps", amount: 17.5 },
      ],
      reason: null,
      actor: by,
      ledger: { line: 1, amount: 17.5 },
    },
  ]);
});

it("tells its consignor only what is theirs: no tax, no store's part, and the store instead of a person", async () => {
  const { entries } = await storyFor(owner.person);
  const labels = entries.flatMap(({ amounts, changes }) =>
    [...amounts, ...changes].map(({ label }) => label),
  );
  expect([...new Set(labels)]).toEqual(["Price", "From your balance", "Your share", "Shipping"]);
  expect(new Set(entries.map(({ actor }) => JSON.stringify(actor)))).toEqual(
    new Set(['{"uid":null,"name":"Store"}']),
  );
  expect(entries.map(({ reason }) => reason)).toEqual(["Cracked", "Wrong tag", null]);
  expect(entries.map(({ ledger }) => ledger?.line)).toEqual([3, 2, 1]);
});

it("is in the item's history too, with amounts and reasons for admins only", async () => {
  const path = `/api/inventory/items/${owner.itemId}/timeline`;
  const linesFor = async (as: ItemOwner["person"]) =>
    timelineResponse.parse((await books.shop.call("GET", path, { as })).body).lines.slice(0, 3);
  expect(await linesFor(books.admin)).toMatchObject([
    {
      title: "Refunded 1 unit",
      price: 15,
      notes: ["Back in stock", "From the consignor $6.25"],
      reason: "Cracked",
    },
    {
      title: "Sale corrected",
      notes: [
        "Price: $40.00 to $30.00",
        "Sales tax: $3.30 to $2.48",
        "Consignor's share: $17.50 to $12.50",
      ],
      reason: "Wrong tag",
    },
    { title: "Sold 2 units", price: 40, reason: null },
  ]);
  const own = await linesFor(owner.person);
  expect(own.map(({ notes, reason, price }) => ({ notes, reason, price }))).toEqual(
    own.map(() => ({ notes: [], reason: null, price: null })),
  );
});

it("says to admins what else explain.ts says about a sale, as the item's history does, and nothing to its consignor", async () => {
  const sold = saleIdOf(await books.record(saleOf(owner, { consignorPercentage: 90 })));
  const notes = ["The usual share was 50%"];
  const read = async (path: string, as: ItemOwner["person"]) =>
    (await books.shop.call("GET", path, { as })).body;
  const storyPath = `/api/sales/${sold}/story`;
  const storyTo = async (as: ItemOwner["person"]) =>
    saleStoryResponse.parse(await read(storyPath, as)).entries[0]?.notes;
  expect(await storyTo(books.admin)).toEqual(notes);
  expect(await storyTo(owner.person)).toEqual([]);
  const path = `/api/inventory/items/${owner.itemId}/timeline`;
  const [line] = timelineResponse.parse(await read(path, books.admin)).lines;
  expect(line?.notes).toEqual(expect.arrayContaining(notes));
});

it("comes in pages, and nobody else learns that the sale exists", async () => {
  const first = await storyFor(books.admin, "?limit=2");
  expect(first.entries.map(({ version }) => version)).toEqual([3, 2]);
  const rest = await storyFor(books.admin, `?limit=2&cursor=${first.nextCursor ?? ""}`);
  expect(rest).toMatchObject({ entries: [{ version: 1 }], nextCursor: null });
  const other = await books.consignorWith(1);
  const path = `/api/sales/${saleId}/story`;
  expect((await books.shop.call("GET", path, { as: other.person })).status).toBe(404);
});

it("has no consignor and no line for the store's own item", async () => {
  const { itemId } = await books.itemOf(null, 3);
  const body = { masterItemID: itemId, quantitySold: 1, salePrice: 9, salesTax: 0.74 };
  const answer = await books.shop.call("POST", "/api/inventory/master/sale", {
    as: books.admin,
    body,
  });
  const path = `/api/sales/${saleIdOf(answer)}/story`;
  const story = saleStoryResponse.parse(
    (await books.shop.call("GET", path, { as: books.admin })).body,
  );
  expect(story.entries).toMatchObject([
    {
      title: "Sold 1 unit",
      amounts: [
        { label: "Price", amount: 9 },
        { label: "Sales tax", amount: 0.74 },
      ],
      ledger: null,
    },
  ]);
});
