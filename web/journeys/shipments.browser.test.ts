// A shipment in a real browser: submitted by a consignor, labelled, delivered, taken in and counted by an admin, and read again.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsIn } from "#testing/browser/look-at.ts";
import { labelPdf } from "#testing/service/label-pdf.ts";
import { visit } from "#testing/browser/visit.ts";

let shop: BrowserStore;
let robin: Page;
let avery: Page;

const phone = { width: 360, height: 780 };

beforeAll(async () => {
  shop = await openBrowserStore();
  await shop.person("robin@store.test", "Robin Admin", "admin");
  await shop.person("avery@store.test", "Avery Stone", "user");
  robin = await shop.signIn(await shop.visitor(), "robin@store.test");
  avery = await shop.signIn(await shop.visitor(phone), "avery@store.test");
});

afterAll(() => shop.close());

const pdf = (text: string) => ({
  name: "label.pdf",
  mimeType: "application/pdf",
  buffer: Buffer.from(text, "latin1"),
});

/** Nothing is wrong with the page, in light and in dark; it stays light. */
async function expectFine(page: Page): Promise<void> {
  const view = page === avery ? "phone" : "desktop";
  expect(
    await problemsIn(page, [
      [view, "dark"],
      [view, "light"],
    ]),
  ).toEqual([]);
}

async function openOwn(name: RegExp | string): Promise<void> {
  await avery.getByRole("button", { name }).first().click();
  await avery.getByRole("dialog").getByText("History").waitFor();
}

it("a consignor submits from the dashboard; what is missing is said, and the carrier is guessed", async () => {
  await avery.getByRole("button", { name: "Submit Shipment" }).click();
  const form = avery.getByRole("dialog", { name: "Submit Shipment" });
  await form.getByRole("button", { name: "Submit Shipment", exact: true }).click();
  await form.getByText("Please select a carrier").waitFor();
  await form.getByLabel("Carrier").selectOption("OTHER");
  await form.getByRole("button", { name: "Submit Shipment", exact: true }).click();
  await form.getByText("Please enter carrier name").waitFor();
  await form.getByLabel("Carrier name").fill("Zoom");
  await form.getByRole("button", { name: "Submit Shipment", exact: true }).click();
  await form.getByText("Please enter tracking number").waitFor();
  await form.getByLabel("Tracking number").fill("9".repeat(61));
  await form.getByRole("button", { name: "Submit Shipment", exact: true }).click();
  await form.getByText("At most 60 characters").waitFor();
  await expectFine(avery);
  await avery.keyboard.press("Escape");
  await avery.getByRole("button", { name: "Discard" }).click();

  await avery.getByRole("button", { name: "Submit Shipment" }).click();
  await form.getByLabel("Tracking number").fill("1Z 999 AA1 01 2345 6784");
  await expect.poll(() => form.getByLabel("Carrier").inputValue()).toBe("UPS");
  await form.getByLabel("Units").fill("3");
  await form.getByRole("button", { name: "Submit & add another box" }).click();
  await avery.getByText(/Shipment submitted \([0-9A-F]{8}\)/u).waitFor();
  await expect.poll(() => form.getByLabel("Tracking number").inputValue()).toBe("");
  await form.getByLabel("I need a prepaid label").check();
  await form.getByRole("button", { name: "Submit Shipment", exact: true }).click();
  await form.waitFor({ state: "hidden" });
});

it("both boxes are in the list on a phone, one waits for its label; the slip is printed alone", async () => {
  await avery.getByRole("link", { name: "Shipments" }).click();
  await avery.getByText("Label requested").waitFor();
  await expectFine(avery);
  await avery.getByLabel("Search shipments").fill("1z999aa1");
  await avery.getByText("1 shipment", { exact: true }).waitFor();
  await openOwn(/^[0-9A-F]{8}$/u);
  await avery.evaluate(() => {
    globalThis.print = () => undefined;
  });
  await avery.getByRole("button", { name: "Print slip" }).click();
  await avery.emulateMedia({ media: "print" });
  const slip = avery.getByRole("region", { name: "Packing slip" });
  await slip.waitFor();
  await expect.poll(() => slip.innerText()).toContain("1Z 999 AA1 01 2345 6784");
  await slip.getByText("Box 1 of 2").waitFor();
  await slip.getByRole("img", { name: /^Barcode [0-9A-F]{8}$/u }).waitFor();
  await expect.poll(() => avery.locator("#root").isVisible()).toBe(false);
  await avery.emulateMedia({ media: "screen" });
  await avery.evaluate(() => void dispatchEvent(new Event("afterprint")));
  await slip.waitFor({ state: "detached" });
});

it("a form that was open while another tab changed the shipment does not overwrite the change", async () => {
  const other = await shop.signIn(await shop.visitor(phone), "avery@store.test");
  const edit = async (page: Page, contents: string) => {
    const form = page.getByRole("dialog", { name: /^Edit shipment/u });
    await form.getByLabel("Contents").fill(contents);
    return form;
  };
  for (const page of [avery, other]) {
    await visit(page, `${shop.url}/user-shipments?q=1Z999`);
    await page.getByText("1 shipment", { exact: true }).waitFor();
    await page.getByRole("button", { name: /^[0-9A-F]{8}$/u }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Edit" }).click();
  }
  const [first, older] = [await edit(other, "Lamps"), await edit(avery, "Books")];
  await first.getByRole("button", { name: "Save" }).click();
  await first.waitFor({ state: "hidden" });
  await older.getByRole("button", { name: "Save" }).click();
  await older.getByText(/This shipment was changed in the meantime/u).waitFor();
  await avery.keyboard.press("Escape");
  await avery.getByRole("button", { name: "Discard" }).click();
  await expect.poll(() => avery.getByRole("dialog").innerText()).toContain("Lamps");
  await other.context().close();
});

it("an admin uploads the label: a file that is not a PDF is refused at its field, the real one is taken", async () => {
  await visit(robin, `${shop.url}/admin-shipments?tab=label`);
  await robin.getByRole("button", { name: /^Upload label for/u }).click();
  const form = robin.getByRole("dialog", { name: "Upload label" });
  await form.getByRole("button", { name: "Upload label" }).click();
  await form.getByText("Please select a label file").waitFor();
  await form.getByText("Please enter a tracking number").waitFor();
  await form.getByLabel("Label file").setInputFiles(pdf("<script>alert(1)</script>"));
  await form.getByLabel("Tracking number").fill("9400 1000 0000 0000 0000 00");
  await form.getByRole("button", { name: "Upload label" }).click();
  await form.getByText("This is not a PDF file").waitFor();
  await form.getByLabel("Label file").setInputFiles(pdf(labelPdf()));
  await form.getByRole("button", { name: "Upload label" }).click();
  await robin.getByText("Shipping label uploaded successfully!").waitFor();

  await visit(avery, `${shop.url}/user-shipments`);
  await openOwn(/^[0-9A-F]{8}$/u);
  const download = avery.waitForEvent("download");
  await avery.getByRole("button", { name: "Download prepaid label" }).click();
  expect((await download).suggestedFilename()).toMatch(/^label-[0-9A-F]{8}\.pdf$/u);
});

it("an admin marks, takes in and counts; toggles can be taken back", async () => {
  await visit(robin, `${shop.url}/admin-shipments?q=1Z999`);
  await robin.getByText("1 shipment", { exact: true }).waitFor();
  await expectFine(robin);
  await robin.getByLabel("Delivered").click();
  await expect.poll(() => robin.getByLabel("Delivered").isChecked()).toBe(true);
  await robin.getByRole("button", { name: "Undo" }).click();
  // The next click could otherwise overtake it.
  await robin.getByText("is not delivered after all").waitFor();
  await expect.poll(() => robin.getByLabel("Delivered").isChecked()).toBe(false);
  await robin.getByLabel("Delivered").click();
  await expect.poll(() => robin.getByLabel("Delivered").isChecked()).toBe(true);

  await robin.getByRole("button", { name: /^Start intake of/u }).click();
  const intake = robin.getByRole("dialog", { name: /^Intake of shipment/u });
  await intake.getByText("3 units").waitFor();
  await intake.getByLabel("Item name").fill("Desk lamp");
  await intake.getByLabel("Barcodes, one per line").fill("lamp-1\nlamp-1");
  await intake.getByRole("button", { name: "Review" }).click();
  await intake.getByText("Check what Avery Stone gets").waitFor();
  await intake.getByRole("button", { name: "Save 2 units" }).click();
  await intake.waitFor({ state: "hidden" });

  await robin.getByLabel("Processed").click();
  const count = robin.getByRole("dialog", { name: /^Process shipment/u });
  await expect.poll(() => count.getByLabel("Received units").inputValue()).toBe("2");
  await count.getByLabel("Refused units").fill("1");
  await count.getByRole("button", { name: "Mark as processed" }).click();
  await count.getByText("Say why units are refused").waitFor();
  await count.getByLabel("Reason").fill("Broken on arrival");
  await count.getByRole("button", { name: "Mark as processed" }).click();
  await count.waitFor({ state: "hidden" });
  // Delivered and processed: it leaves the list until completed ones are asked for.
  await robin.getByText("No shipments match").waitFor();
  await robin.getByLabel("Show completed").click();
  // Its intake is done: it can be started again, but nothing offers it first.
  await robin.getByRole("button", { name: "Avery Stone" }).waitFor();
  expect(await robin.getByRole("button", { name: /^Start intake/u }).count()).toBe(0);
  await robin.getByRole("button", { name: /^More for/u }).click();
  await robin.getByRole("menuitem", { name: "Start intake" }).waitFor();
  await robin.keyboard.press("Escape");
  await robin.getByRole("button", { name: "Avery Stone" }).click();
  const drawer = robin.getByRole("dialog");
  await drawer.getByText("1 unit: Broken on arrival").waitFor();
  await drawer.getByRole("button", { name: "More" }).waitFor();
  expect(await drawer.getByRole("button", { name: "Start intake" }).count()).toBe(0);
  await drawer.getByText("Desk lamp").waitFor();
  await expectFine(robin);
  await drawer.getByRole("button", { name: "Close" }).click();
});

it("a drawer opened right after a change shows it, although an answer from before arrives later", async () => {
  const drawer = robin.getByRole("dialog");
  const changed = Promise.withResolvers<void>();
  await robin.route(
    "**/api/shipments/admin/*",
    async (route) => {
      const response = await route.fetch();
      await changed.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await robin.getByRole("button", { name: "Avery Stone" }).click();
  await drawer.getByRole("button", { name: "Close" }).click();
  await robin.getByLabel("Delivered").click();
  await expect.poll(() => robin.getByLabel("Delivered").isChecked()).toBe(false);
  await robin.getByRole("button", { name: "Avery Stone" }).click();
  changed.resolve();
  await expect.poll(() => drawer.getByText("Not delivered after all").count()).toBe(2);
  await drawer.getByRole("button", { name: "Close" }).click();
  await robin.getByLabel("Delivered").click();
  await expect.poll(() => robin.getByLabel("Delivered").isChecked()).toBe(true);
});

it("the consignor reads what was counted, in the sales history too, and a locked shipment says why", async () => {
  await visit(avery, `${shop.url}/sales-history?tab=shipments`);
  await avery.getByText("2 received, 1 refused").waitFor();
  await expectFine(avery);
  await visit(avery, `${shop.url}/user-shipments?q=1Z999`);
  await avery.getByText("1 shipment", { exact: true }).waitFor();
  await openOwn(/^[0-9A-F]{8}$/u);
  await avery.getByText("so it can no longer be changed").waitFor();
  await expect.poll(() => avery.getByRole("button", { name: "Edit" }).isDisabled()).toBe(true);
  await expectFine(avery);
});

it("an admin enters a box without a name on it, and sees a person's shipments in the drawer", async () => {
  await visit(robin, `${shop.url}/admin-shipments`);
  await robin.getByRole("button", { name: "Enter shipment" }).click();
  const form = robin.getByRole("dialog", { name: "Enter shipment" });
  await form.getByRole("button", { name: "Submit Shipment", exact: true }).click();
  await form.getByText("Please select a consignor").waitFor();
  await form.getByLabel("The sender is unknown").check();
  await form.getByLabel("Carrier").selectOption({ label: "Drop-off at the store" });
  await form.getByRole("button", { name: "Submit Shipment", exact: true }).click();
  await form.waitFor({ state: "hidden" });
  await robin.getByRole("button", { name: "Unknown sender" }).waitFor();
  await robin.getByText(/Drop-off DROP-[0-9A-F]{8}/u).waitFor();
  await robin.getByRole("button", { name: "Unknown sender" }).click();
  await robin.getByRole("dialog").getByRole("button", { name: "More", exact: true }).click();
  await robin.getByRole("menuitem", { name: "Assign sender" }).click();
  const sender = robin.getByRole("dialog", { name: "Assign sender" });
  await sender.getByRole("button", { name: "Assign sender" }).click();
  await sender.getByText("Please select a consignor").waitFor();
  await sender.getByLabel("Consignor").fill("avery");
  await robin.getByRole("option", { name: /Avery Stone/u }).click();
  await expectFine(robin);
  await sender.getByRole("button", { name: "Assign sender" }).click();
  await sender.waitFor({ state: "hidden" });
  const drawer = robin.getByRole("dialog");
  await drawer.getByText("Assigned to its sender, who was not known before").waitFor();
  await drawer.getByText("Avery Stone").first().waitFor();

  await visit(robin, `${shop.url}/consignors`);
  await robin.getByRole("button", { name: "Avery Stone", exact: true }).click();
  await robin.getByRole("tab", { name: "Shipments" }).click();
  await robin.getByText("Delivered, processed").waitFor();
  await robin.getByRole("link", { name: "Open the shipments" }).click();
  await robin.waitForURL(/\/admin-shipments\?consignor=/u);
  await expect
    .poll(() => robin.getByRole("combobox", { name: "Consignor" }).inputValue())
    .toBe("Avery Stone");
  await expectFine(robin);
  await robin.getByRole("button", { name: "Clear" }).first().click();
  await robin.waitForURL(/\/admin-shipments$/u);
  await expect.poll(() => robin.getByRole("combobox", { name: "Consignor" }).inputValue()).toBe("");
  await visit(robin, `${shop.url}/consignors`);
  await robin.getByRole("button", { name: "Avery Stone", exact: true }).click();
  await robin.getByRole("tab", { name: "Changes" }).click();
  await robin.getByText(/Shipment [0-9A-F]{8} processed, 2 units received/u).waitFor();
  const refused = /status of (?:400|409 .*\/api\/shipments\/)/u;
  expect(shop.pageErrors.filter((error) => !refused.test(error))).toEqual([]);
});
