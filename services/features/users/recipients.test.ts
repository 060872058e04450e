// A deleted user gets no goods or money anymore, neither by a request from before nor by a concurrent one.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { setBalance } from "#features/accounts/decider.ts";
import { importLine } from "#features/import/decider.ts";
import { addItem, editItem } from "#features/inventory/decider.ts";
import { archiveItem, restoreItem } from "#features/inventory/decider-archive.ts";
import { allocateUnits, copyToConsignor, receiveUnits } from "#features/inventory/decider-fill.ts";
import { massInput } from "#features/inventory/decider-mass-input.ts";
import { migrateUser } from "#features/migration/decider.ts";
import { requestPayout } from "#features/payouts/decider.ts";
import { recordCustomSale, recordSale } from "#features/sales/decider-record.ts";
import { refundSale } from "#features/sales/decider-refund.ts";
import { deactivateUser } from "#features/users/decider-deactivate.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";
import { openTestApp, TEST_NOW, type TestApp, type TestPerson } from "#testing/service/test-app.ts";

let shop: TestApp;
let boss: TestPerson;

beforeAll(async () => {
  shop = await openTestApp();
  boss = await shop.person("Boss", "admin");
});

afterAll(() => shop.close());

const remove = (uid: string) => shop.call("DELETE", `/api/auth/users/${uid}`, { as: boss });

test("a deletion and a concurrent command that gives goods: the later one is refused", async () => {
  const people = await Promise.all(["Ada", "Ben", "Cai", "Dee"].map((name) => shop.person(name)));
  await Promise.all(
    people.map(async ({ uid }, index) => {
      const item = { consignorID: uid, itemName: "Lamp", barcode1: "1", quantity: 1 };
      const add = () => shop.call("POST", "/api/inventory/consignor", { as: boss, body: item });
      const [first, second] = index % 2 === 0 ? [add, remove] : [remove, add];
      const answers = await Promise.all([first(uid), second(uid)]);
      const accepted = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status }) => status === 404 || status === 409);
      expect([accepted.length, refused.length]).toEqual([1, 1]);
    }),
  );
});

test("a deleted user gets neither goods nor money, even by a request that began before", async () => {
  const lou = await shop.person("Lou");
  const add = (body: object) =>
    shop.call("POST", "/api/inventory/consignor", { as: boss, body: { ...lamp, ...body } });
  const lamp = { consignorID: lou.uid, itemName: "Lamp", barcode1: "1", quantity: 0 };
  const { body } = await add({});
  const { id } = z.object({ id: z.string() }).parse(body);
  const massInput = { consignorID: lou.uid, itemName: "Lamp", barcodes: "1" };
  expect(await remove(lou.uid)).toMatchObject({ status: 200 });
  const sale = { saleId: randomUUID(), consignorId: lou.uid, itemName: "Thing" };
  const late = await shop.deps.ledger.execute(
    recordCustomSale,
    { ...sale, amountCents: 100, happenedAt: TEST_NOW.toISOString() },
    { actor: boss.uid, scope: "store", key: "too-late", requestHash: "00" },
  );
  expect(late).toMatchObject({ kind: "rejected", rejection: { code: "consignor_not_found" } });
  const item = `/api/inventory/consignor/${lou.uid}/${id}`;
  const edit = { itemName: "Lamp", barcode1: "1", quantity: 5 };
  for (const [method, path, sent] of [
    ["PUT", item, edit],
    ["POST", "/api/inventory/consignor", { ...lamp, quantity: 1 }],
    ["POST", "/api/inventory/consignor/mass-input", massInput],
    [
      "POST",
      `/api/payouts/${lou.uid}/request`,
      { amount: 1, method: "venmo", paymentUsername: "@lou" },
    ],
  ] as const) {
    const answer = await shop.call(method, path, { as: boss, body: sent });
    expect([path, answer.status, answer.body]).toMatchObject([
      path,
      404,
      { error: "consignor_not_found" },
    ]);
  }
  const [kept] = await shop.database.sql<{ handles: number }[]>`
    select count(*) as handles from identity.payout_handles where uid = ${lou.uid}`;
  expect(kept?.handles).toBe(0);
});

test("a deleted user's sale can still be refunded without restocking, and the debt can be written off", async () => {
  const max = await shop.person("Max");
  const send = (method: "POST" | "PUT", path: string, body: unknown) =>
    shop.call(method, `/api/${path}`, { as: boss, body });
  const lamp = { itemName: "Lamp", barcode1: "1", quantity: 1 };
  const added = await send("POST", "inventory/consignor", { consignorID: max.uid, ...lamp });
  const sold = await send("POST", "sales/record", {
    consignorID: max.uid,
    itemUID: z.object({ id: z.string() }).parse(added.body).id,
    barcode1: "1",
    salePrice: 10,
    quantitySold: 1,
  });
  const { saleID } = z.object({ saleID: z.string() }).parse(sold.body);
  const balance = (wanted: number) =>
    send("PUT", `sales/balance/${max.uid}`, { balance: wanted, reason: "Settled" });
  expect(await balance(0)).toMatchObject({ status: 200 });
  expect(await remove(max.uid)).toMatchObject({ status: 200 });
  const refund = (restock: boolean) =>
    send("POST", `sales/${saleID}/refund`, { quantity: 1, restock, reason: "Broken" });
  expect(await refund(true)).toMatchObject({ status: 404, body: { error: "consignor_not_found" } });
  expect(await refund(false)).toMatchObject({ status: 200 });
  expect(await balance(1)).toMatchObject({ status: 404, body: { error: "consignor_not_found" } });
  expect(await balance(0)).toMatchObject({
    status: 200,
    body: { balanceBefore: -5, balance: 0 },
  });
});

const details = {
  itemName: "Lamp",
  listingTitle: "",
  barcode1: "1",
  barcode2: "",
  location: "",
  link: "",
  imageUrl: "",
  asin: "",
};

test("each command that gives goods or money itself refuses a deleted person, whoever sends it", () => {
  const uid = "avery-000000000000001";
  const happenedAt = TEST_NOW.toISOString();
  const books = memoryBooks();
  const idAt = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  const item = { itemId: idAt(1), ownerUid: uid, happenedAt };
  const sold = { consignorId: uid, itemId: idAt(1), barcode1: null, units: 1, happenedAt };
  const sale = {
    ...sold,
    priceCents: 1000,
    shippingCents: 0,
    salesTaxCents: 0,
    taxRateBasisPoints: null,
    channel: "pos",
  } as const;
  const selling = { ...sale, saleId: idAt(2), consignorPercentage: 0 } as const;
  const line = { line: 1, happenedAt } as const;
  books.when(addItem, { ...item, details, quantity: 2, source: "manual" });
  books.when(addItem, {
    ...item,
    itemId: idAt(3),
    details: { ...details, barcode1: "2" },
    quantity: 1,
    source: "manual",
  });
  books.when(archiveItem, { ...item, itemId: idAt(3) });
  books.when(addItem, {
    ...item,
    itemId: idAt(4),
    ownerUid: null,
    details,
    quantity: 1,
    source: "manual",
  });
  books.when(recordSale, selling);
  const ending = { uid, itemIds: [], noteId: null, happenedAt };
  expect(books.when(deactivateUser, ending).kind).toBe("accepted");

  const refund = {
    saleId: idAt(2),
    units: 1,
    amountCents: null,
    expectedVersion: null,
    noteId: null,
    happenedAt,
  };
  const unchanged = { reason: null, expectedVersion: null } as const;
  const filling = { ownerUid: uid, units: 1, location: "", newItemId: idAt(5), happenedAt };
  const handle = { method: "venmo", handleId: idAt(6), handleHash: "00" } as const;
  const setting = { uid, expectedCents: null, noteId: null, happenedAt };
  const legacy = {
    legacyId: idAt(7),
    balanceCents: 1,
    items: [],
    sales: [],
    paid: [],
    pending: [],
  };
  const decided = {
    AddItem: books.when(addItem, {
      ...item,
      itemId: idAt(8),
      details: { ...details, barcode1: "3" },
      quantity: 1,
      source: "manual",
    }),
    EditItem: books.when(editItem, { ...item, ...unchanged, changes: {}, quantity: 5 }),
    RestoreItem: books.when(restoreItem, { ...item, itemId: idAt(3) }),
    ReceiveUnits: books.when(receiveUnits, { ...item, units: 1, source: "manual" }),
    AllocateUnits: books.when(allocateUnits, { ...filling, masterItemId: idAt(4) }),
    CopyToConsignor: books.when(copyToConsignor, {
      ...filling,
      sourceOwnerUid: uid,
      sourceItemId: idAt(1),
    }),
    MassInput: books.when(massInput, {
      ownerUid: uid,
      shipmentId: null,
      itemName: "Lamp",
      location: "",
      barcodes: ["9"],
      newItemIds: [idAt(9)],
      happenedAt,
    }),
    RecordSale: books.when(recordSale, { ...selling, saleId: idAt(10) }),
    RecordCustomSale: books.when(recordCustomSale, {
      saleId: idAt(10),
      consignorId: uid,
      itemName: "Thing",
      amountCents: 1,
      happenedAt,
    }),
    RefundSale: books.when(refundSale, { ...refund, restock: true }),
    RequestPayout: books.when(requestPayout, {
      ...handle,
      payoutId: idAt(11),
      consignorId: uid,
      amountCents: 0,
      happenedAt,
    }),
    SetBalance: books.when(setBalance, { ...setting, balanceCents: 1 }),
    ImportItem: books.when(importLine, {
      ...line,
      kind: "item",
      newItemId: idAt(12),
      ownerUid: uid,
      details: { ...details, barcode1: "4" },
      units: 1,
    }),
    ImportSale: books.when(importLine, {
      ...line,
      kind: "sale",
      saleId: idAt(13),
      newItemId: idAt(12),
      consignorId: uid,
      code: "1",
      itemName: "Lamp",
      units: 1,
      priceCents: 100,
    }),
  };
  for (const [command, decision] of Object.entries(decided)) {
    expect([command, decision]).toMatchObject([
      command,
      { kind: "rejected", status: 404, code: "consignor_not_found" },
    ]);
  }
  expect(books.when(migrateUser, { ...legacy, uid, happenedAt })).toMatchObject({
    kind: "rejected",
    code: "user_deleted",
  });
  expect(books.when(refundSale, { ...refund, restock: false }).kind).toBe("accepted");
  expect(books.when(setBalance, { ...setting, balanceCents: 0 }).kind).toBe("accepted");
});
