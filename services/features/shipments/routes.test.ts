// Shipments over HTTP: announced, found, marked and taken in, each person seeing their own.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  shipmentChangedResponse,
  shipmentDetailResponse,
  shipmentHistoryResponse,
} from "#features/shipments/contract.ts";
import type { ShipmentDesk } from "#testing/shop/shipment-desk.ts";
import { given, openShipmentDesk, ups } from "#testing/shop/shipment-desk.ts";

let desk: ShipmentDesk;

beforeAll(async () => {
  desk = await openShipmentDesk();
});

afterAll(() => desk.shop.close());

describe("a consignor", () => {
  it("submits a shipment and sees it, with the short id for the address", async () => {
    const avery = await desk.consignor();
    const { id, shortId, warning, message } = await desk.submit(avery, {
      ...ups(),
      contents: "Lego sets",
      declaredUnits: 12,
    });
    expect({ message, warning }).toEqual({ message: "Shipment submitted", warning: null });
    expect(await desk.own(avery)).toMatchObject({
      shipments: [
        {
          id,
          shortId,
          carrier: "UPS",
          carrierName: "UPS",
          trackingNumber: "1Z999AA10123456784",
          contents: "Lego sets",
          declaredUnits: 12,
          delivered: "no",
          processed: "no",
          label: "none",
          timestamp: "2026-11-21T10:00:00.000Z",
        },
      ],
      totals: { inTransit: 1, toProcess: 0, done: 0, completed: 0, labelsRequested: 0 },
      shipTo: { shortId: avery.uid.slice(-8).toUpperCase() },
      nextCursor: null,
    });
    const history = await desk.send("GET", `/sales/shipments/${avery.uid}`, avery);
    expect(given(shipmentHistoryResponse, history)).toMatchObject({
      shipments: [{ id, shippedDate: "2026-11-21T10:00:00.000Z", status: "pending" }],
    });
  });

  it.each([
    [{}, "Please select a carrier"],
    [{ carrier: "DHL", trackingNumber: "1" }, "Please select a carrier"],
    [{ carrier: "OTHER", trackingNumber: "1" }, "Please enter carrier name"],
    [{ carrier: "USPS" }, "Please enter tracking number"],
    [{ carrier: "USPS", trackingNumber: "   " }, "Please enter tracking number"],
    [{ ...ups(), delivered: "yes" }, "Unknown field: delivered"],
  ])("is told what is missing in %j", async (body, message) => {
    const avery = await desk.consignor();
    const answer = await desk.send("POST", `/shipments/${avery.uid}`, avery, body);
    expect(answer).toMatchObject({ status: 400, body: { error: "validation_failed", message } });
  });

  it("reads where to send goods as soon as an admin has entered it", async () => {
    const avery = await desk.consignor();
    expect((await desk.own(avery)).shipTo.lines).toBeNull();
    const details = {
      storeName: "Second Shelf",
      returnPolicy: "",
      chatLink: "",
      venmoName: "",
      shippingAddress: {
        name: "",
        street: "12 Dock Street",
        city: "Austin",
        state: "TX",
        zip: "78701",
        country: "USA",
      },
      expectedVersion: 0,
    };
    const saved = await desk.send("PUT", "/settings/details", desk.admin, details);
    expect(saved).toMatchObject({ status: 200 });
    expect((await desk.own(avery)).shipTo).toEqual({
      lines: ["Second Shelf", "12 Dock Street", "Austin, TX 78701", "USA"],
      shortId: avery.uid.slice(-8).toUpperCase(),
    });
  });

  it("who brings goods needs no number: the shipment gets one of ours", async () => {
    const avery = await desk.consignor();
    const { shortId } = await desk.submit(avery, { carrier: "OTHER", carrierName: "drop-off" });
    expect((await desk.own(avery)).shipments).toMatchObject([
      { carrier: "OTHER", carrierName: "Drop-off", trackingNumber: `DROP-${shortId}` },
    ]);
  });

  it("hears of a number of theirs that repeats, however it is typed, and of nobody else's", async () => {
    const avery = await desk.consignor();
    const first = await desk.submit(avery, ups("REPEAT 1"));
    const second = await desk.submit(avery, ups("repeat-1"));
    expect(second.warning).toBe(
      `Shipment ${first.shortId} has this tracking number too. Is it right?`,
    );
    expect((await desk.submit(await desk.consignor(), ups("REPEAT 1"))).warning).toBeNull();
  });

  it("announces several boxes, which count without the deleted ones, and none with somebody else's", async () => {
    const avery = await desk.consignor();
    const { id: first } = await desk.submit(avery);
    const { id: second } = await desk.submit(avery, { ...ups("BOX-2"), boxOf: first });
    await desk.submit(avery, { ...ups("BOX-3"), boxOf: first });
    const boxes = async () => (await desk.own(avery)).shipments.map(({ box }) => box);
    expect(await boxes()).toEqual([
      { nth: 3, of: 3 },
      { nth: 2, of: 3 },
      { nth: 1, of: 3 },
    ]);
    await desk.send("DELETE", `/shipments/${avery.uid}/${second}`, avery);
    expect(await boxes()).toEqual([
      { nth: 2, of: 2 },
      { nth: 1, of: 2 },
    ]);
    const blake = await desk.consignor();
    const other = { ...ups("BOX-4"), boxOf: first };
    expect(await desk.send("POST", `/shipments/${blake.uid}`, blake, other)).toMatchObject({
      status: 409,
      body: { error: "other_shipment" },
    });
    const { id } = await desk.submit(blake);
    expect((await desk.own(blake)).shipments).toMatchObject([{ id, box: null }]);
  });

  it("changes and deletes it until it arrives, then not", async () => {
    const avery = await desk.consignor();
    const { id } = await desk.submit(avery);
    const path = `/shipments/${avery.uid}/${id}`;
    const edited = { carrier: "USPS", trackingNumber: "9400", contents: "Books" };
    expect(await desk.send("PATCH", path, avery, edited)).toMatchObject({ status: 200 });
    expect((await desk.own(avery)).shipments).toMatchObject([
      { carrier: "USPS", trackingNumber: "9400", contents: "Books" },
    ]);
    await desk.mark(id, { delivered: "yes" });
    const locked = { status: 409, body: { error: "shipment_locked" } };
    expect(await desk.send("PATCH", path, avery, ups())).toMatchObject(locked);
    expect(await desk.send("DELETE", path, avery)).toMatchObject(locked);
    await desk.mark(id, { delivered: "no" });
    const answers = await Promise.all([
      desk.send("DELETE", path, avery),
      desk.send("DELETE", path, avery),
    ]);
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
    expect((await desk.own(avery)).shipments).toEqual([]);
    expect(await desk.send("GET", path, avery)).toMatchObject({ status: 404 });
  });

  it("gets the first answer again for the same key", async () => {
    const avery = await desk.consignor();
    const key = { "Idempotency-Key": "one-box" };
    const post = () => desk.send("POST", `/shipments/${avery.uid}`, avery, ups("ONE-BOX"), key);
    const [first, second] = [await post(), await post()];
    expect(Reflect.get(Object(second.body), "id")).toBe(Reflect.get(Object(first.body), "id"));
    expect(second.headers.get("Idempotency-Replayed")).toBe("true");
    expect((await desk.own(avery)).shipments).toHaveLength(1);
  });

  it("sees nobody else's shipments, and none under their own name", async () => {
    const [avery, blake] = [await desk.consignor(), await desk.consignor()];
    const { id } = await desk.submit(avery);
    for (const path of [`/shipments/${avery.uid}`, `/shipments/${avery.uid}/${id}`]) {
      expect(await desk.send("GET", path, blake)).toMatchObject({ status: 403 });
    }
    expect(await desk.send("GET", `/shipments/${blake.uid}/${id}`, blake)).toMatchObject({
      status: 404,
    });
    expect(await desk.send("DELETE", `/shipments/${blake.uid}/${id}`, blake)).toMatchObject({
      status: 404,
    });
  });

  it("learns nothing of another person's shipment by naming it as a place in their own list", async () => {
    const [avery, blake] = [await desk.consignor(), await desk.consignor()];
    const { id } = await desk.submit(avery, { ...ups("HERS"), declaredUnits: 7 });
    await desk.submit(blake, { ...ups("HIS"), declaredUnits: 9 });
    const detail = await desk.send("GET", `/shipments/${avery.uid}/${id}`, avery);
    const { position } = given(shipmentDetailResponse, detail).changes[0] ?? { position: 0 };
    const query = `?sort=units&cursor=${position}`;
    const list = await desk.send("GET", `/shipments/${blake.uid}${query}`, blake);
    expect(list).toMatchObject({ status: 400, body: { message: "This cursor is unknown" } });
  });
});

describe("an admin", () => {
  it("finds shipments by number, name and id, tab by tab, page by page", async () => {
    const zoe = await desk.shop.person("Zoe-of-the-search");
    const ids: string[] = [];
    for (const number of ["ZQ 11 A", "ZQ-22", "ZQ-33", "ZQ-44"]) {
      ids.push((await desk.submit(zoe, ups(number))).id);
    }
    const [first = "", second = "", third = ""] = ids;
    await desk.mark(first, { delivered: "yes" });
    await desk.mark(second, { delivered: "yes", processed: "yes" });
    await desk.mark(third, { processed: "yes" });
    const numbers = async (query: string) =>
      (await desk.all(query)).shipments.map(({ trackingNumber }) => trackingNumber);
    const zoes = `consignor=${zoe.uid}`;
    expect(await numbers(`?${zoes}`)).toEqual(["ZQ-44", "ZQ-33", "ZQ 11 A"]);
    expect(await numbers(`?${zoes}&showCompleted=true`)).toHaveLength(4);
    expect(await numbers(`?${zoes}&tab=in_transit`)).toEqual(["ZQ-44"]);
    expect(await numbers(`?${zoes}&tab=to_process`)).toEqual(["ZQ 11 A"]);
    expect(await numbers(`?${zoes}&tab=done`)).toEqual(["ZQ-33", "ZQ-22"]);
    expect(await numbers("?q=zq11a")).toEqual(["ZQ 11 A"]);
    expect(await numbers("?q=zoe-of-the&showCompleted=true")).toHaveLength(4);
    expect(await numbers(`?q=${first.slice(0, 8)}`)).toEqual(["ZQ 11 A"]);
    for (const sort of ["date", "consignor", "carrier", "status", "units"]) {
      const query = `?${zoes}&showCompleted=true&sort=${sort}&order=desc&limit=3`;
      const page = await desk.all(query);
      expect(page.shipments).toHaveLength(3);
      const rest = await numbers(`${query}&cursor=${page.nextCursor ?? ""}`);
      const seen = page.shipments.map(({ trackingNumber }) => trackingNumber);
      expect(new Set([...seen, ...rest]).size).toBe(4);
    }
    const query = `?${zoes}&sort=status&showCompleted=true&limit=1`;
    const page = await desk.all(query);
    await desk.mark(page.shipments[0]?.id ?? "", { delivered: "yes", processed: "yes" });
    expect(await numbers(`${query}&cursor=${page.nextCursor ?? ""}`)).toEqual(["ZQ 11 A"]);
    const file = await desk.send("GET", `/shipments/admin/export?${zoes}&tab=done`, desk.admin);
    expect(String(file.body).split("\r\n").filter(Boolean)).toHaveLength(4);
  });

  it("counts what came, and says why units were refused; the consignor reads it", async () => {
    const avery = await desk.consignor();
    const { id } = await desk.submit(avery);
    const refused = { processed: "yes", receivedUnits: 10, refusedUnits: 2 };
    expect(await desk.mark(id, refused)).toMatchObject({
      status: 400,
      body: { message: "Say why units are refused" },
    });
    expect(await desk.mark(id, { delivered: "yes", receivedUnits: 1 })).toMatchObject({
      status: 400,
    });
    expect(await desk.mark(id, { ...refused, reason: "Expired" })).toMatchObject({ status: 200 });
    const path = `/shipments/${avery.uid}/${id}`;
    const { shipment, changes } = given(
      shipmentDetailResponse,
      await desk.send("GET", path, avery),
    );
    expect(shipment).toMatchObject({
      processed: "yes",
      receivedUnits: 10,
      refusedUnits: 2,
      reason: "Expired",
    });
    expect(changes).toMatchObject([
      {
        description: "Processed, 10 units received, 2 units refused",
        by: "store",
        actor: null,
        note: "Expired",
      },
      { description: "Submitted, UPS", by: "consignor" },
    ]);
    const asAdmin = await desk.send("GET", `/shipments/admin/${id}`, desk.admin);
    expect(given(shipmentDetailResponse, asAdmin).changes).toMatchObject([
      { actor: "Admin" },
      { actor: expect.stringContaining("Consignor") },
    ]);
  });

  it("takes goods in: the items name the shipment, and it shows them", async () => {
    const avery = await desk.consignor();
    const { id, shortId } = await desk.submit(avery);
    const input = {
      consignorID: avery.uid,
      itemName: "Lamp",
      barcodes: `in-${shortId}\nin-${shortId}`,
      shipmentId: id,
    };
    expect(
      await desk.send("POST", "/inventory/consignor/mass-input", desk.admin, input),
    ).toMatchObject({ status: 200 });
    const detail = await desk.send("GET", `/shipments/${avery.uid}/${id}`, avery);
    const { items, shipment } = given(shipmentDetailResponse, detail);
    expect(items).toMatchObject([{ itemName: "Lamp", barcode1: `in-${shortId}`, units: 2 }]);
    expect(shipment.intakeUnits).toBe(2);
    const timeline = await desk.send(
      "GET",
      `/inventory/items/${items[0]?.itemId ?? ""}/timeline`,
      avery,
    );
    expect(timeline.body).toMatchObject({
      lines: [{ title: `Added from shipment ${shortId}` }],
    });
  });

  it("enters a shipment for anybody, and goods of an unknown sender go to the store as unclaimed", async () => {
    const avery = await desk.consignor();
    const forAvery = { ...ups("ENTERED-1"), consignorID: avery.uid };
    given(
      shipmentChangedResponse,
      await desk.send("POST", "/shipments/admin", desk.admin, forAvery),
    );
    expect((await desk.own(avery)).shipments).toHaveLength(1);
    const answer = await desk.send("POST", "/shipments/admin", desk.admin, ups("NOBODY-1"));
    const { id } = given(shipmentChangedResponse, answer);
    expect((await desk.all("?q=NOBODY-1")).shipments).toMatchObject([
      { consignorID: null, displayName: "Unknown sender" },
    ]);
    const input = { itemName: "Found thing", barcodes: "nobody-1", shipmentId: id };
    await desk.send("POST", "/inventory/consignor/mass-input", desk.admin, input);
    const found = await desk.send("GET", "/inventory/search?searchTerm=nobody-1", desk.admin);
    expect(found.body).toMatchObject({
      items: [{ itemName: "Found thing", location: "UNCLAIMED", source: "MasterInventory" }],
    });
    expect(
      await desk.send("POST", "/inventory/consignor/mass-input", desk.admin, {
        itemName: "Thing",
        barcodes: "1",
      }),
    ).toMatchObject({ status: 400, body: { message: "Please select a consignor" } });
  });

  it("finds out who sent goods of an unknown sender: the shipment is theirs, and history says so", async () => {
    const avery = await desk.consignor();
    const { id } = given(
      shipmentChangedResponse,
      await desk.send("POST", "/shipments/admin", desk.admin, {
        ...ups("UNKNOWN-7"),
        contents: "Lamps",
      }),
    );
    const assign = (as = desk.admin, consignorID = avery.uid) =>
      desk.send("POST", `/shipments/admin/${id}/consignor`, as, { consignorID });
    expect((await assign(avery)).status).toBe(403);
    expect(await assign(desk.admin, "nobody-0000000000000000")).toMatchObject({ status: 404 });
    expect((await desk.own(avery)).shipments).toEqual([]);
    expect(await assign()).toMatchObject({ status: 200, body: { message: "Shipment assigned" } });
    expect((await desk.own(avery)).shipments).toMatchObject([
      { id, trackingNumber: "UNKNOWN-7", contents: "Lamps" },
    ]);
    const detail = given(
      shipmentDetailResponse,
      await desk.send("GET", `/shipments/admin/${id}`, desk.admin),
    );
    expect(detail.changes).toMatchObject([
      { description: "Assigned to its sender, who was not known before", by: "store" },
      { description: "Submitted, UPS", by: "store" },
    ]);
    expect(await assign(desk.admin, (await desk.consignor()).uid)).toMatchObject({
      status: 409,
      body: { error: "sender_known" },
    });
  });

  it("reads what happened to shipments in the user's history", async () => {
    const avery = await desk.consignor();
    const { id, shortId } = await desk.submit(avery);
    await desk.mark(id, { delivered: "yes" });
    const changes = await desk.send("GET", `/auth/users/${avery.uid}/changes`, desk.admin);
    expect(changes.body).toMatchObject({
      changes: [
        { kind: "shipment", description: `Shipment ${shortId} delivered` },
        { kind: "shipment", description: `Shipment ${shortId} submitted, UPS` },
      ],
    });
  });
});
