// The point of sale in a real browser: fast input, an unreachable server, and others who sell the same last unit.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { problemsOf } from "#testing/browser/look-at.ts";
import { bookedKeys, quantityOf } from "#testing/till/till-books.ts";
import {
  askedForPriceOf,
  codesInCart,
  emptyCart,
  holdAnswers,
  keyboardWedge,
  knows,
  scan,
  sell,
  settle,
  settleAsSecondFound,
  typeByHand,
} from "#testing/till/till-hands.ts";
import { openTillStore, type TillStore } from "#testing/till/till-store.ts";
import { sized } from "#testing/trial/size.ts";

/** The calls that record a line. */
const salesCalls = /\/api\/(?:sales\/record|inventory\/master\/sale)$/u;

let shop: TillStore;

beforeAll(async () => {
  shop = await openTillStore(true);
});

beforeEach(async () => {
  await emptyCart(await shop.till());
});

afterAll(() => shop.close());

describe("while the server is unreachable", () => {
  const [early, total] = sized([2, 4] as const, [8, 10] as const);
  const unsent = (count: number) => `${count} sales not sent yet ($${12 * count}.00)`;

  it(`keeps selling, keeps ${total} sales through a closed browser, and sends each exactly once`, async () => {
    const codes = Array.from({ length: total }, (_, index) => `AWAY-${index + 1}`);
    const ids: string[] = [];
    for (const code of codes) {
      ids.push(await shop.item(ids.length % 3 === 0 ? null : shop.averyUid, code, 3));
    }
    let page = await shop.till();
    await knows(page, ...codes);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));

    await scan(page, "AWAY-1");
    await askedForPriceOf(page, "Item AWAY-1");
    await shop.stopServer();
    await typeByHand(page, "12");
    await page.keyboard.press("F9");
    await page.getByRole("combobox", { name: "Cash received" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Sale complete").waitFor();
    for (const code of codes.slice(1, early)) {
      await sell(page, code, "12");
    }
    await page.getByText(unsent(early)).waitFor();

    await shop.closeBrowser();
    page = await shop.till();
    await page.getByText(unsent(early)).waitFor();
    for (const code of codes.slice(early)) {
      await sell(page, code, "12");
    }
    await page.getByText(unsent(total)).waitFor();
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem("posSales")))
      .toContain(`AWAY-${total}`);

    // Each call is delivered twice, and the first three answers are lost, so the till sends those calls again.
    // A delivery that fails does not count, because the till has to send that one again as well.
    const delivered = new Map<string, number>();
    await page.route(salesCalls, async (route) => {
      const key = (await route.request().headerValue("idempotency-key")) ?? "";
      const deliver = async () => {
        const response = await route.fetch().catch(() => undefined);
        if (response !== undefined) {
          delivered.set(key, (delivered.get(key) ?? 0) + 1);
        }
        return response;
      };
      const isLost = !delivered.has(key) && delivered.size < 3;
      const first = await deliver();
      const response = first === undefined || isLost ? undefined : await deliver();
      await (response === undefined ? route.abort() : route.fulfill({ response }));
    });
    await shop.startServer();
    await page.getByText(/sales? not sent yet/u).waitFor({ state: "hidden" });
    await page.unroute(salesCalls);

    const booked = await bookedKeys(shop);
    expect([...booked.values()]).toEqual(Array.from({ length: total }, () => 1));
    expect([...delivered.keys()].sort()).toEqual([...booked.keys()].sort());
    expect([...delivered.values()].every((times) => times >= 2)).toBe(true);
    expect(await Promise.all(ids.map((id) => quantityOf(shop, id)))).toEqual(ids.map(() => 2));
    const [tax] = await shop.store.sql<{ cents: number }[]>`
      select coalesce(sum(cents), 0)::int as cents from log.postings
      where to_account = 'store:sales-tax'`;
    // $12.00 includes $0.91 of tax: 1200 − round(1200 / 1.0825).
    expect(tax?.cents).toBe(91 * total);
  });
});

describe("fast input", () => {
  it("loses none of many codes that arrive faster than 20 per second, and keeps their order", async () => {
    const codes = Array.from(
      { length: sized(24, 200) },
      (_, index) => `84${String(index).padStart(10, "0")}`,
    );
    await shop.call("POST", "/inventory/consignor/mass-input", {
      consignorID: shop.blakeUid,
      itemName: "Stack",
      barcodes: codes,
    });
    const page = await shop.till();
    await knows(page, ...codes);
    const wedge = await keyboardWedge(page);
    await Promise.all(codes.map(wedge.scan));
    await page.getByText(`${codes.length} units`).waitFor();
    await expect.poll(() => codesInCart(page)).toEqual(codes);
    await page.getByRole("button", { name: "Park", exact: true }).click();
    await page.getByText("Cart is empty").waitFor();
    await page.getByRole("button", { name: "Parked (1)" }).waitFor();
  });

  it("sells time after time with only keyboard and scanner, with at most four keys after each scan", async () => {
    await shop.item(shop.averyUid, "FAST-1", 40);
    const page = await shop.till();
    await knows(page, "FAST-1");
    const sales = sized(3, 30);
    let keys = 0;
    const press = async (key: string): Promise<void> => {
      keys += 1;
      // If it came sooner after a code, Enter would count as the scanner's.
      await page.waitForTimeout(60);
      await page.keyboard.press(key);
    };
    for (let sale = 1; sale <= sales; sale += 1) {
      await scan(page, "FAST-1");
      await askedForPriceOf(page, "Item FAST-1");
      keys = 0;
      // The first time, the price is typed. Afterwards Enter accepts the last price.
      for (const key of [...(sale === 1 ? ["2", "4"] : ["Enter"]), "F9", "Enter"]) {
        await press(key);
      }
      await page.getByText("Sale complete").waitFor();
      expect(keys).toBeLessThanOrEqual(4);
    }
    await page.getByText(/sales? not sent yet/u).waitFor({ state: "hidden" });
    const soldByNow = () => shop.store.sql`
      select from read.sales
      where barcode1 = 'FAST-1' and channel = 'pos' and consignor_percentage = 50`;
    await expect.poll(soldByNow).toHaveLength(sales);
  });
});

describe("a barcode with several owners", () => {
  it("is never silently assigned to one of them, and scans wait until one is chosen", async () => {
    await shop.item(shop.averyUid, "TWO-1", 2, "Lamp of two");
    await shop.item(shop.blakeUid, "TWO-1", 2, "Lamp of two");
    await shop.item(null, "ONE-1", 2, "Chair");
    const page = await shop.till();
    await knows(page, "TWO-1", "TWO-1", "ONE-1");
    await scan(page, "TWO-1");
    const owners = page.getByRole("listbox", { name: "Owners of TWO-1" });
    await owners.waitFor();
    await scan(page, "ONE-1");
    await page.getByText("1 scan waiting").waitFor();
    const selected = async () => {
      const text = await owners.getByRole("option", { selected: true }).innerText();
      return /Avery|Blake/u.exec(text)?.[0] ?? "nobody";
    };
    await expect.poll(selected).toMatch(/Avery|Blake/u);
    const other = (await selected()) === "Avery" ? "Blake" : "Avery";
    await page.keyboard.press("ArrowDown");
    await expect.poll(selected).toBe(other);
    await page.keyboard.press("Enter");
    await page.getByText("2 units").waitFor();
    const lines = () => page.getByRole("list", { name: /Lines/u }).innerText();
    await expect.poll(lines).toMatch(/Chair\s+Master/u);
    await expect.poll(lines).toContain(other);
    await page.getByRole("button", { name: "Take out Chair" }).click();
    await page.getByRole("button", { name: "Take out Lamp of two" }).click();
  });
});

describe("the catalogue", () => {
  it("asks again if it is notified while an answer is on its way", async () => {
    const page = await shop.till();
    await shop.item(null, "KNOWN-1", 1);
    await knows(page, "KNOWN-1");
    const changes = /\/api\/inventory\/catalogue\/changes/u;
    const release = await holdAnswers(page, changes);
    const tell = () => page.evaluate(() => dispatchEvent(new Event("online")));
    await Promise.all([page.waitForRequest(changes), tell()]);
    await tell();
    // The till also refreshes every half minute on its own. This limit excludes that, even on a machine at half the speed.
    const again = page.waitForRequest(changes, { timeout: 25_000 });
    release();
    expect((await again).url()).toContain("since=");
    await page.unrouteAll({ behavior: "wait" });
  });
});

describe("what cannot be sold", () => {
  it("is reported in the words of the specification", async () => {
    await shop.item(shop.averyUid, "WORDS-1", 1);
    const page = await shop.till();
    await knows(page, "WORDS-1");
    await page.keyboard.press("F9");
    await page.getByRole("alert").getByText("Cart is empty").waitFor();
    await scan(page, "WORDS-1");
    await askedForPriceOf(page, "Item WORDS-1");
    await typeByHand(page, "0");
    await page.keyboard.press("F9");
    await page.getByText("Please enter a valid price").waitFor();
    await scan(page, "WORDS-1");
    await page.getByText("Only 1 available in inventory").waitFor();
    await page.keyboard.press("F4");
    await page.getByRole("combobox", { name: "Quantity of Item WORDS-1" }).waitFor();
    await typeByHand(page, "5");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByText("Only 1 available in inventory").count()).toBe(1);
    await page.getByRole("button", { name: "Take out Item WORDS-1" }).click();
  });
});

describe("the same last unit", () => {
  it("is sold once by two admins and the till at the same time; the others see the reason", async () => {
    const id = await shop.item(shop.averyUid, "LAST-1", 1);
    const page = await shop.till();
    await knows(page, "LAST-1");
    await scan(page, "LAST-1");
    await askedForPriceOf(page, "Item LAST-1");
    await typeByHand(page, "30");
    await page.keyboard.press("F9");
    await page.getByRole("combobox", { name: "Cash received" }).waitFor();
    const sale = {
      consignorID: shop.averyUid,
      itemUID: id,
      barcode1: "LAST-1",
      salePrice: 25,
      quantitySold: 1,
    };
    const [robin, sam] = await Promise.all([
      shop.call("POST", "/sales/record", sale, "robin"),
      shop.call("POST", "/sales/record", sale, "sam"),
      page.keyboard.press("Enter"),
    ]);
    await page.getByText("Sale complete").waitFor();
    await page.getByText(/sales? not sent yet/u).waitFor({ state: "hidden" });
    const won = [robin, sam].filter(({ status }) => status === 200).length;
    expect(won).toBeLessThanOrEqual(1);
    const refusedAtTill = page.getByRole("region", { name: "Taken, not booked" });
    await expect.poll(() => refusedAtTill.count()).toBe(won);
    for (const { status, body } of [robin, sam].filter((answer) => answer.status !== 200)) {
      expect({ status, message: body["message"] }).toEqual({
        status: 409,
        message: "Only 0 available in inventory",
      });
    }
    await expect.poll(() => quantityOf(shop, id)).toBe(0);
    if (won === 1) {
      await page.getByText("Only 0 available in inventory").first().waitFor();
      await settle(page, "Money back", /Refund/u);
    }
  });

  it("leaves a refused line to a person, who counts it in, books another item or refunds the money", async () => {
    const taken = await shop.item(shop.averyUid, "GONE-1", 1);
    const wrong = await shop.item(shop.averyUid, "GONE-2", 1);
    const other = await shop.item(shop.blakeUid, "INSTEAD-1", 1);
    await shop.item(shop.blakeUid, "INSTEAD-0", 1);
    await shop.item(null, "GONE-3", 1);
    const page = await shop.till();
    await knows(page, "GONE-1", "GONE-2", "GONE-3", "INSTEAD-1");
    await page.route(salesCalls, (route) => route.abort());
    for (const code of ["GONE-1", "GONE-2", "GONE-3"]) {
      await sell(page, code, "40");
    }
    const master = await shop.call("GET", "/inventory/search?searchTerm=GONE-3");
    const [item] = Object(master.body)["items"];
    await shop.call("POST", "/inventory/master/sale", { masterItemID: item.id, quantitySold: 1 });
    for (const [index, id] of [taken, wrong].entries()) {
      const sale = { consignorID: shop.averyUid, itemUID: id, barcode1: `GONE-${index + 1}` };
      await shop.call("POST", "/sales/record", { ...sale, salePrice: 9, quantitySold: 1 });
    }
    await page.unroute(salesCalls);
    const refused = page.getByRole("region", { name: "Taken, not booked" });
    await refused.getByRole("button", { name: "Settle" }).nth(2).waitFor();
    await expect.poll(() => refused.getByText("$120.00").count()).toBe(1);

    await settle(page, "It was in stock", "Count and book", "Item GONE-1");
    await refused
      .getByRole("listitem")
      .filter({ hasText: "Item GONE-2" })
      .getByRole("button")
      .click();
    await settleAsSecondFound(page, "INSTEAD", "INSTEAD-1");
    await settle(page, "Money back", /Refund/u, "Item GONE-3");
    await refused.waitFor({ state: "hidden" });
    await page.getByText(/sales? not sent yet/u).waitFor({ state: "hidden" });

    expect(await Promise.all([taken, other].map((id) => quantityOf(shop, id)))).toEqual([0, 0]);
    const settled = [...(await bookedKeys(shop)).keys()].filter((key) => key.endsWith(":1:2"));
    expect(settled).toHaveLength(2);
  });
});

describe("the day's sales", () => {
  it("can be exported to a file without live formulas, and have a receipt of 80 mm", async () => {
    await shop.item(null, "CSV-1", 3, "=HYPERLINK(1)");
    await shop.item(shop.averyUid, "CSV-2", 20);
    const page = await shop.till();
    await knows(page, "CSV-1");
    await scan(page, "CSV-1");
    await askedForPriceOf(page, "=HYPERLINK(1)");
    await typeByHand(page, "10");
    await page.keyboard.press("F9");
    await page.getByRole("combobox", { name: "Cash received" }).waitFor();
    await typeByHand(page, "20");
    await page.keyboard.press("Enter");
    await page.getByText("Change to give").waitFor();
    await page.getByText("$10.00").first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export Today" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^pos-sales-\d{4}-\d\d-\d\d\.csv$/u);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) {
      chunks.push(Buffer.from(chunk as Buffer));
    }
    const csv = Buffer.concat(chunks).toString("utf8");
    expect(csv).toContain("'=HYPERLINK(1),CSV-1,Master,1,10.00,10.00,9.24,0.76,50,0.00,");
    const paper = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    const [, width, height] = /MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/u.exec(paper) ?? [];
    expect(Math.round((Number(width) * 25.4) / 72)).toBe(80);
    expect(Number(height)).toBeGreaterThan(150);
    expect(/\/Count (\d+)/u.exec(paper)?.[1]).toBe("1");
  });
});

describe("the screen", () => {
  it.each([
    [1280, "light"],
    [360, "dark"],
  ] as const)("has no axe violations at %i px, %s", async (width, theme) => {
    const page = await shop.till();
    // Axe is slow on a long day's rows, so the sales are deleted first, on a page that does not have them open.
    await page.goto(`${shop.url}/favicon.svg`);
    await page.evaluate((name) => {
      localStorage.setItem("theme", name);
      indexedDB.deleteDatabase("posSales");
    }, theme);
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${shop.url}/pos`);
    await page.getByText("No sales yet today").waitFor();
    await page.getByRole("combobox").focus();
    await sell(page, "CSV-2", "12");
    await scan(page, "CSV-2");
    await askedForPriceOf(page, "Item CSV-2");
    await typeByHand(page, "15");
    await page.keyboard.press("F9");
    await page.getByRole("button", { name: "Exact cash" }).waitFor();
    await page.keyboard.press("F2");
    await scan(page, "TWO-1");
    await page.getByRole("listbox").waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it("throws no errors", () => {
    expect(shop.pageErrors).toEqual([]);
  });
});
