// Prepaid labels over HTTP, the list of all shipments, and what becomes of texts and labels when their consignor leaves.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bookChecks, events, projections, streams } from "../../features.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { labelPdf } from "#testing/service/label-pdf.ts";
import type { ShipmentDesk } from "#testing/shop/shipment-desk.ts";
import { openShipmentDesk } from "#testing/shop/shipment-desk.ts";

let desk: ShipmentDesk;

beforeAll(async () => {
  desk = await openShipmentDesk();
});

afterAll(() => desk.shop.close());

describe("a prepaid label", () => {
  it("is asked for without a carrier, uploaded by an admin, and downloaded by its consignor", async () => {
    const avery = await desk.consignor();
    const { id, shortId } = await desk.submit(avery, { needsLabel: true, contents: "Lamps" });
    expect((await desk.all("?tab=label")).shipments.map((shipment) => shipment.id)).toContain(id);
    expect(await desk.own(avery)).toMatchObject({
      shipments: [{ label: "requested", carrier: null }],
      totals: { inTransit: 0, labelsRequested: 1 },
    });
    expect((await desk.download(avery, id)).status).toBe(404);

    expect(await desk.upload(id, labelPdf())).toMatchObject({
      status: 200,
      body: { message: "Shipping label uploaded successfully!" },
    });
    expect(await desk.own(avery)).toMatchObject({
      shipments: [{ label: "ready", carrier: "USPS", trackingNumber: "9400 1", contents: "Lamps" }],
      totals: { inTransit: 1, labelsRequested: 0 },
    });
    // A form that was opened before the label came does not take its number away.
    const outdated = { needsLabel: true, contents: "Two lamps" };
    expect(
      await desk.send("PATCH", `/shipments/${avery.uid}/${id}`, avery, outdated),
    ).toMatchObject({ status: 409, body: { error: "shipment_changed" } });
    const file = await desk.download(avery, id);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": `attachment; filename="label-${shortId}.pdf"`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
    });
    expect(Buffer.from(await file.arrayBuffer()).toString("latin1")).toBe(labelPdf());
    expect((await desk.download(avery, id, desk.admin)).status).toBe(200);
    expect((await desk.download(avery, id, await desk.consignor())).status).toBe(403);
  });

  it("is replaced: the old file can no longer be opened by anybody", async () => {
    const avery = await desk.consignor();
    const { id } = await desk.submit(avery, { needsLabel: true });
    await desk.upload(id, labelPdf());
    const before = await desk.shop.identity.labels.listOf(avery.uid);
    expect((await desk.upload(id, labelPdf("", "Second"))).status).toBe(200);
    expect(await (await desk.download(avery, id)).text()).toContain("Second");
    const after = await desk.shop.identity.labels.listOf(avery.uid);
    expect([before.length, after.length]).toEqual([1, 1]);
    expect(await desk.shop.identity.labels.open(before[0]?.id ?? "")).toBeNull();
  });

  it("goes with a shipment that is deleted", async () => {
    const avery = await desk.consignor();
    const { id } = await desk.submit(avery, { needsLabel: true });
    await desk.upload(id, labelPdf());
    await desk.send("DELETE", `/shipments/${avery.uid}/${id}`, avery);
    expect(await desk.shop.identity.labels.listOf(avery.uid)).toEqual([]);
  });

  it.each([
    ["a renamed web page", "<script>alert(1)</script>", 400],
    ["an empty file", "", 400],
    ["an 11 MB file", labelPdf(" ".repeat(11_534_336)), 413],
    ["a PDF with a script", labelPdf("9 0 obj\n<< /JS (app.alert(1)) >>\nendobj"), 400],
  ])("%s is refused, and nothing is changed", async (_what, text, status) => {
    const avery = await desk.consignor();
    const { id } = await desk.submit(avery, { needsLabel: true });
    const before = await desk.own(avery);
    expect(await desk.upload(id, text)).toMatchObject({ status });
    expect(await desk.own(avery)).toEqual(before);
    expect(await desk.shop.identity.labels.listOf(avery.uid)).toEqual([]);
  });

  it("that nobody asked for is refused, and its bytes are never readable", async () => {
    const avery = await desk.consignor();
    const { id } = await desk.submit(avery);
    expect(await desk.upload(id, labelPdf())).toMatchObject({
      status: 409,
      body: { error: "label_not_requested" },
    });
    expect(await desk.shop.identity.labels.listOf(avery.uid)).toEqual([]);
  });

  it("is part of one's own data, with the shipments", async () => {
    const avery = await desk.consignor();
    const { id } = await desk.submit(avery, { needsLabel: true, contents: "Lamps" });
    await desk.upload(id, labelPdf(), "OWN-1");
    const answer = await desk.send("GET", "/auth/me/export", avery);
    expect(answer.body).toMatchObject({
      shipments: [{ shipmentId: id, trackingNumber: "OWN-1", contents: "Lamps" }],
      labels: [{ pdf: Buffer.from(labelPdf(), "latin1").toString("base64") }],
    });
  });
});

describe("a shipment", () => {
  it("is in the list of all, from which an admin deletes it", async () => {
    const avery = await desk.consignor();
    const { id } = await desk.submit(avery, { carrier: "UPS", trackingNumber: "FROM-ALL-1" });
    const found = async () =>
      JSON.stringify(
        (await desk.send("GET", "/shipments/admin/all?q=FROM-ALL-1", desk.admin)).body,
      ).includes(id);
    expect(await found()).toBe(true);
    expect(await desk.send("DELETE", `/shipments/admin/${id}`, desk.admin)).toMatchObject({
      status: 200,
    });
    expect(await found()).toBe(false);
  });
});

describe("a consignor who leaves", () => {
  it("is not deleted while a shipment is open, which the refusal names; then texts and labels are erased", async () => {
    const avery = await desk.consignor();
    const { id, shortId } = await desk.submit(avery, {
      needsLabel: true,
      contents: "Secret lamps",
    });
    expect(await desk.send("DELETE", `/auth/users/${avery.uid}`, desk.admin)).toMatchObject({
      status: 409,
      body: {
        error: "user_not_settled",
        message: `This user cannot be deleted yet: open shipment ${shortId} left`,
        current: { shipmentIds: [id] },
      },
    });
    await desk.mark(id, { delivered: "yes", processed: "yes" });
    expect(await desk.send("DELETE", `/auth/users/${avery.uid}`, desk.admin)).toMatchObject({
      status: 200,
    });
    const gone = await desk.all(`?consignor=${avery.uid}&showCompleted=true`);
    expect(gone.shipments).toMatchObject([
      { displayName: "Deleted user", trackingNumber: null, contents: null },
    ]);
    const left = await desk.shop.database.sql`
      select from identity.shipment_texts where uid = ${avery.uid}
      union all select from identity.label_keys where uid = ${avery.uid}`;
    expect(left.count).toBe(0);
  });
});

describe("verify", () => {
  const verify = async () => {
    await desk.shop.runner.catchUp();
    const { sql } = desk.shop.database;
    const books = { sql, streams, events, projections, checks: bookChecks, heads: [] };
    return (await verifyBooks({ ...books, withoutReplay: true })).problems;
  };

  it("finds a label that is another person's, and none of a shipment that was deleted", async () => {
    const [avery, blake] = [await desk.consignor(), await desk.consignor()];
    const [kept, deleted] = [
      await desk.submit(avery, { needsLabel: true }),
      await desk.submit(blake, { needsLabel: true }),
    ];
    await desk.upload(kept.id, labelPdf());
    await desk.upload(deleted.id, labelPdf());
    await desk.send("DELETE", `/shipments/${blake.uid}/${deleted.id}`, blake);
    const { ownerSql } = desk.shop.database;
    await ownerSql`update identity.label_keys set uid = ${blake.uid} where uid = ${avery.uid}`;
    const message: unknown = expect.stringContaining("it is another person's");
    expect(await verify()).toMatchObject([{ check: "identity", message }]);
    await ownerSql`update identity.label_keys set uid = ${avery.uid} where uid = ${blake.uid}`;
  });

  it("finds a text that is gone, one that is somebody else's, and one that nothing names", async () => {
    expect(await verify()).toEqual([]);
    const [avery, blake] = [await desk.consignor(), await desk.consignor()];
    const [first, second] = [await desk.submit(avery), await desk.submit(avery)];
    const { ownerSql } = desk.shop.database;
    await ownerSql`update identity.shipment_texts set uid = ${blake.uid} where shipment_id = ${first.id}`;
    await ownerSql`update identity.shipment_texts set id = gen_random_uuid() where shipment_id = ${second.id}`;
    expect((await verify()).map(({ message }) => message)).toEqual([
      expect.stringContaining(`shipment ${first.id}`),
      expect.stringContaining("its text is gone, but the consignor was not deleted"),
      expect.stringContaining("no event names it"),
    ]);
  });
});
