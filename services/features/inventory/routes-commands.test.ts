// Changing the inventory over HTTP: what a form may contain, its result, and that each change happens once.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { massInputResponse } from "#features/inventory/contract-commands.ts";
import { idIn, type ItemDesk, openItemDesk } from "#testing/shop/item-desk.ts";

let desk: ItemDesk;

beforeAll(async () => {
  desk = await openItemDesk();
});

afterAll(() => desk.shop.close());

describe("adding, editing and deleting items", () => {
  test("an item of the store is there at once, and omitted fields are empty", async () => {
    const { id, barcode1 } = await desk.newItem(null, { itemName: "  Desk lamp " });
    expect(await desk.itemNow(id)).toEqual({
      id,
      source: "MasterInventory",
      consignorID: null,
      consignorDisplayName: null,
      itemName: "Desk lamp",
      listingTitle: "",
      barcode1,
      barcode2: "",
      location: "A-1",
      quantity: 5,
      unitsInTrades: 0,
      link: "",
      imageUrl: "",
      asin: "",
      tagPriceCents: null,
      version: 1,
      archived: false,
      addedAt: "2026-11-21T10:00:00.000Z",
      unsoldSince: "2026-11-21T10:00:00.000Z",
    });
  });

  test("an item of a consignor shows the consignor's name", async () => {
    const { id } = await desk.newItem(desk.avery);
    expect(await desk.itemNow(id)).toMatchObject({
      source: "ConsignorInventory",
      consignorID: desk.avery.uid,
      consignorDisplayName: "Avery",
    });
  });

  test("an edit changes what was sent, keeps what was omitted, and counts", async () => {
    const { id, barcode1, path } = await desk.newItem(desk.avery, {
      link: "https://shop.example/1",
    });
    const form = {
      itemName: "Lamp, used",
      barcode1,
      quantity: 4,
      location: "",
      expectedVersion: 1,
    };
    const answer = await desk.asAdmin("PUT", path, form);
    expect(answer).toMatchObject({
      status: 200,
      body: { message: "Item updated successfully", id, version: 3, quantity: 4 },
    });
    expect(await desk.itemNow(id)).toMatchObject({
      itemName: "Lamp, used",
      location: "",
      link: "https://shop.example/1",
      quantity: 4,
      version: 3,
    });
  });

  test("a form that was loaded before another change is refused with the current item", async () => {
    const { id, barcode1, path } = await desk.newItem(null);
    const form = { itemName: "Lamp", barcode1, quantity: 9, expectedVersion: 1 };
    await desk.asAdmin("PUT", path, form);
    expect(await desk.asAdmin("PUT", path, { ...form, quantity: 1 })).toMatchObject({
      status: 409,
      body: { error: "item_changed", current: { id, version: 2, quantity: 9, barcode1 } },
    });
  });

  test("a barcode that the owner already has is refused and leads to that item", async () => {
    const { id, barcode1 } = await desk.newItem(null);
    const form = { itemName: "Lamp", barcode1, quantity: 1 };
    expect(await desk.asAdmin("POST", "/master", form)).toMatchObject({
      status: 409,
      body: { error: "duplicate_barcode", current: { id, barcode1 } },
    });
  });

  test("a deleted item is in no search, its history stays, and it can be restored", async () => {
    const { id, barcode1, path } = await desk.newItem(desk.avery);
    expect(await desk.asAdmin("DELETE", path)).toMatchObject({
      status: 200,
      body: { message: "Item deleted successfully", id, quantity: 0 },
    });
    expect((await desk.search(`searchTerm=${barcode1}`)).items).toEqual([]);
    expect(await desk.itemNow(id)).toMatchObject({ archived: true, quantity: 0 });
    expect(await desk.asAdmin("DELETE", path)).toMatchObject({
      status: 409,
      body: { error: "item_archived" },
    });
    expect(await desk.asAdmin("POST", `${path}/restore`)).toMatchObject({
      status: 200,
      body: { message: "Item restored successfully", quantity: 5, version: 3 },
    });
    expect((await desk.search(`searchTerm=${barcode1}`)).items).toMatchObject([
      { id, quantity: 5 },
    ]);
  });

  test("an item is only found under its own owner", async () => {
    const { id } = await desk.newItem(desk.avery);
    const form = { itemName: "Lamp", barcode1: desk.newBarcode(), quantity: 1 };
    for (const path of [`/master/${id}`, `/consignor/${desk.blake.uid}/${id}`]) {
      for (const answer of [
        await desk.asAdmin("PUT", path, form),
        await desk.asAdmin("DELETE", path),
        await desk.asAdmin("POST", `${path}/restore`),
      ]) {
        expect(answer).toMatchObject({ status: 404, body: { error: "item_not_found" } });
      }
    }
    expect(
      await desk.asAdmin("PUT", `/consignor/${desk.avery.uid}/${id}`, {
        ...form,
        consignorID: desk.blake.uid,
      }),
    ).toMatchObject({ status: 400, body: { error: "owner_differs" } });
  });
});

describe("what a form may contain", () => {
  const good = { itemName: "Lamp", barcode1: "never-added", quantity: 1 };
  test.each([
    [{ ...good, itemName: "  " }, "itemName", "Please enter an item name"],
    [{ ...good, barcode1: undefined }, "barcode1", "barcode1 is required"],
    [{ ...good, quantity: 1.5 }, "quantity", "Quantity must be a whole number"],
    [{ ...good, quantity: -1 }, "quantity", "Quantity must be at least 0"],
    [{ ...good, quantity: 1_000_001 }, "quantity", "Quantity must be at most 1,000,000"],
    [{ ...good, link: "javascript:alert(1)" }, "link", "Please enter a valid link (http or https)"],
    [{ ...good, location: "A\u0007" }, "location", "Please use one line of plain text"],
    [{ ...good, color: "red" }, "", "Unknown field: color"],
  ])("%o is refused", async (body, path, message) => {
    expect(await desk.asAdmin("POST", "/master", body)).toMatchObject({
      status: 400,
      body: { error: "validation_failed", details: [{ path, message }] },
    });
  });

  test.each([
    ["", "Please select a consignor"],
    ["avery@people.test", "Please select a user from the dropdown"],
  ])("the consignor %o is refused", async (consignorID, message) => {
    expect(await desk.asAdmin("POST", "/consignor", { ...good, consignorID })).toMatchObject({
      status: 400,
      body: { message },
    });
  });

  test("an unknown consignor is not found", async () => {
    const consignorID = "nobody-has-this-uid-0000";
    const { id } = await desk.newItem(null);
    const consignedId = (await desk.newItem(desk.avery)).id;
    for (const answer of [
      await desk.asAdmin("POST", "/consignor", { ...good, consignorID }),
      await desk.asAdmin("POST", "/allocate", { masterItemID: id, consignorID, quantity: 1 }),
      await desk.asAdmin("POST", "/copy-to-consignor", {
        sourceConsignorID: desk.avery.uid,
        sourceItemUID: consignedId,
        targetConsignorID: consignorID,
        quantity: 1,
      }),
      await desk.asAdmin("POST", "/consignor/mass-input", {
        consignorID,
        itemName: "Toy",
        barcodes: ["1"],
      }),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { error: "consignor_not_found" } });
    }
  });
});

describe("filling a consignor's inventory", () => {
  test("an allocation moves units of the store, and more than there are is refused", async () => {
    const { id, barcode1 } = await desk.newItem(null);
    const form = { masterItemID: id, consignorID: desk.avery.uid, quantity: 3, location: "C-3" };
    const answer = await desk.asAdmin("POST", "/allocate", form);
    expect(answer).toMatchObject({ status: 200, body: { quantity: 3, created: true } });
    expect(await desk.itemNow(idIn(answer))).toMatchObject({
      consignorID: desk.avery.uid,
      barcode1,
      location: "C-3",
      quantity: 3,
    });
    expect(await desk.itemNow(id)).toMatchObject({ quantity: 2 });
    expect(await desk.asAdmin("POST", "/allocate", form)).toMatchObject({
      status: 409,
      body: { error: "not_enough_stock", message: "Only 2 available in inventory" },
    });
    expect(await desk.asAdmin("POST", "/allocate", { ...form, quantity: 0 })).toMatchObject({
      status: 400,
      body: { message: "Quantity must be greater than 0" },
    });
  });

  test("a copy adds units to another consignor and leaves the source alone", async () => {
    const { id } = await desk.newItem(desk.avery);
    const form = {
      sourceConsignorID: desk.avery.uid,
      sourceItemUID: id,
      targetConsignorID: desk.blake.uid,
      quantity: 7,
    };
    const first = await desk.asAdmin("POST", "/copy-to-consignor", form);
    const second = await desk.asAdmin("POST", "/copy-to-consignor", form);
    expect(first).toMatchObject({ status: 200, body: { quantity: 7, created: true } });
    expect(second).toMatchObject({ body: { id: idIn(first), quantity: 14, created: false } });
    expect(await desk.itemNow(id)).toMatchObject({ quantity: 5, version: 1 });
    const toSelf = { ...form, targetConsignorID: desk.avery.uid };
    expect(await desk.asAdmin("POST", "/copy-to-consignor", toSelf)).toMatchObject({
      status: 409,
      body: { error: "same_consignor" },
    });
  });

  test("a mass input adds up equal barcodes and says what it did", async () => {
    const [one, other] = [desk.newBarcode(), desk.newBarcode()];
    const form = { consignorID: desk.blake.uid, itemName: "Toy", location: "T-1" };
    const barcodes = `${one}\n\n${other}\r\n${one} \n`;
    const answer = await desk.asAdmin("POST", "/consignor/mass-input", { ...form, barcodes });
    expect(answer.body).toMatchObject({
      message: "3 units added to 2 items (2 new)",
      unitsAdded: 3,
      itemsCreated: 2,
      items: [
        { barcode1: one, unitsAdded: 2 },
        { barcode1: other, unitsAdded: 1 },
      ],
    });
    const [first] = massInputResponse.parse(answer.body).items;
    expect(await desk.itemNow(first?.id ?? "")).toMatchObject({ itemName: "Toy", quantity: 2 });
    for (const [barcodes, message] of [
      [" \n ", "Please enter at least one barcode"],
      [Array.from({ length: 1001 }, String), "Please enter at most 1,000 barcodes"],
    ]) {
      expect(
        await desk.asAdmin("POST", "/consignor/mass-input", { ...form, barcodes }),
      ).toMatchObject({
        status: 400,
        body: { message },
      });
    }
  });

  test("a mass input gives each new code its own name, and needs one for every new code", async () => {
    const [lamp, vase, mug] = [
      desk.newBarcode(),
      desk.newBarcode(),
      await desk.newItem(desk.blake),
    ];
    const form = { consignorID: desk.blake.uid, barcodes: [lamp, vase, mug.barcode1] };
    const described = { barcode1: lamp, itemName: "Brass lamp", imageUrl: "https://img.example/l" };
    const post = (body: object) => desk.asAdmin("POST", "/consignor/mass-input", body);
    expect(await post(form)).toMatchObject({
      status: 400,
      body: { message: "Please enter an item name" },
    });
    expect(await post({ ...form, items: [described] })).toMatchObject({
      status: 409,
      body: { error: "no_item_name", current: { barcode1: vase } },
    });
    const answer = await post({ ...form, itemName: "Box of things", items: [described] });
    const { items } = massInputResponse.parse(answer.body);
    const names = await Promise.all(items.map(async ({ id }) => (await desk.itemNow(id)).itemName));
    expect(names).toEqual(["Brass lamp", "Box of things", "Lamp"]);
    expect(await desk.itemNow(items[0]?.id ?? "")).toMatchObject({
      imageUrl: "https://img.example/l",
    });
    expect(await post({ ...form, items: [] })).toMatchObject({ body: { itemsCreated: 0 } });
  });

  test("known barcodes tell the owner's own units, or the newest picture that others have", async () => {
    const { barcode1, id } = await desk.newItem(desk.avery, { itemName: "Known mug" });
    const imageUrl = "https://img.example/mug";
    await desk.newItem(null, { barcode1, itemName: "Known mug, blue", imageUrl });
    const known = async (consignorID: string | null) => {
      const barcodes = [barcode1, "never-seen", barcode1];
      return (await desk.asAdmin("POST", "/known", { consignorID, barcodes })).body;
    };
    const words = { listingTitle: "", link: "", imageUrl: "" };
    expect(await known(desk.avery.uid)).toEqual({
      known: [{ barcode1, own: { id, quantity: 5 }, itemName: "Known mug", ...words }],
    });
    expect(await known(desk.blake.uid)).toEqual({
      known: [{ barcode1, own: null, itemName: "Known mug, blue", ...words, imageUrl }],
    });
  });

  test("a mass input of a thousand different barcodes is one command", async () => {
    const barcodes = Array.from({ length: 1000 }, desk.newBarcode);
    const form = { consignorID: desk.blake.uid, itemName: "Lot", barcodes };
    expect(await desk.asAdmin("POST", "/consignor/mass-input", form)).toMatchObject({
      status: 200,
      body: { unitsAdded: 1000, itemsCreated: 1000 },
    });
    expect(await desk.asAdmin("POST", "/consignor/mass-input", form)).toMatchObject({
      status: 200,
      body: { unitsAdded: 1000, itemsCreated: 0 },
    });
  });
});

describe("repeated and concurrent calls", () => {
  test("a repeated key gives the first answer and adds nothing", async () => {
    const headers = { "Idempotency-Key": "add-once" };
    const form = { itemName: "Lamp", barcode1: desk.newBarcode(), quantity: 2 };
    const first = await desk.asAdmin("POST", "/master", form, headers);
    const again = await desk.asAdmin("POST", "/master", form, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect((await desk.search(`searchTerm=${form.barcode1}`)).items).toHaveLength(1);
    expect(await desk.asAdmin("POST", "/master", { ...form, quantity: 3 }, headers)).toMatchObject({
      status: 422,
    });
  });

  test("a repeated refusal stays refused", async () => {
    const { id } = await desk.newItem(null, { quantity: 1 });
    const headers = { "Idempotency-Key": "allocate-too-many" };
    const form = { masterItemID: id, consignorID: desk.avery.uid, quantity: 2 };
    const first = await desk.asAdmin("POST", "/allocate", form, headers);
    const again = await desk.asAdmin("POST", "/allocate", form, headers);
    expect([first.status, again.status]).toEqual([409, 409]);
    expect(again.body).toEqual(first.body);
  });

  test("of many concurrent calls for the last units, only as many succeed as there are units", async () => {
    const { id } = await desk.newItem(null, { quantity: 5 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        desk.asAdmin("POST", "/allocate", {
          masterItemID: id,
          consignorID: desk.avery.uid,
          quantity: 1,
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
    // They all filled the same item.
    const filled = new Set(answers.filter(({ status }) => status === 200).map(idIn));
    expect(filled.size).toBe(1);
    expect(await desk.itemNow(id)).toMatchObject({ quantity: 0 });
    expect(await desk.itemNow([...filled][0] ?? "")).toMatchObject({ quantity: 5 });
  });

  test("of many concurrent calls that add the same barcode, one succeeds", async () => {
    const form = { itemName: "Lamp", barcode1: desk.newBarcode(), quantity: 1 };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => desk.asAdmin("POST", "/master", form)),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 409),
    ]);
  });
});
