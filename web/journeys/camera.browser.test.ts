// The camera as a scanner, in a real browser with codes held in front of it: item form, mass input, till, and every fault.
import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowserStore, type BrowserStore } from "#testing/browser/browser-store.ts";
import { cameraTracks, giveCamera, holdCode } from "#testing/browser/camera-hands.ts";
import { problemsOf } from "#testing/browser/look-at.ts";
import { knows } from "#testing/till/till-hands.ts";

const gone = { state: "hidden" } as const;
/** A UPC-A code as a scanner types it, and a barcode with two owners. */
const [soap, lamp] = ["036000291452", "TWO-1"];
const codes = [
  { bcid: "upca", text: soap },
  { bcid: "code128", text: lamp },
];

let shop: BrowserStore;
let visitor: BrowserContext;
let page: Page;
let token: string;

beforeAll(async () => {
  shop = await openBrowserStore({}, [
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
  ]);
  const robinUid = await shop.person("admin@store.test", "Robin Admin", "admin");
  const averyUid = await shop.person("avery@store.test", "Avery Stone", "user");
  visitor = await shop.visitor();
  await giveCamera(visitor, codes);
  page = await shop.signIn(visitor, "admin@store.test");
  token = await shop.store.identity.issueTokenFor(robinUid);
  await stock("/inventory/master", { itemName: "Soap", barcode1: soap });
  await stock("/inventory/master", { itemName: "Lamp", barcode1: lamp });
  await stock("/inventory/consignor", { itemName: "Lamp", barcode1: lamp, consignorID: averyUid });
});

afterAll(() => shop.close());

async function stock(call: string, item: Readonly<Record<string, string>>): Promise<void> {
  const answer = await fetch(`${shop.url}/api${call}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ ...item, quantity: 9 }),
  });
  expect(answer.ok).toBe(true);
}

async function openForm(at = page): Promise<void> {
  await at.goto(`${shop.url}/admin`);
  const add = at.getByRole("button", { name: "Add to Master Inventory" });
  const menu = at.getByRole("button", { name: "Add", exact: true });
  await add.or(menu).first().waitFor();
  if ((at.viewportSize()?.width ?? 0) < 640) {
    await menu.click();
    await at.getByRole("menuitem", { name: "Add to Master Inventory" }).click();
  } else {
    await add.click();
  }
  await at.getByRole("dialog", { name: "Add Item" }).waitFor();
}

/** Opens the camera with the button of this name. */
async function reachFor(name: string, at = page): Promise<Locator> {
  await at.getByRole("button", { name, exact: true }).click();
  const camera = at.getByRole("dialog", { name });
  await camera.waitFor();
  return camera;
}

function picture(camera: Locator): Locator {
  return camera.getByLabel("What the camera sees");
}

/** What happens when another app covers the browser. */
async function hide(isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}

describe("an item's form", () => {
  it("puts the code in front of the camera into its field and turns the camera off", async () => {
    await openForm();
    await holdCode(page, soap);
    await page.getByRole("button", { name: "Scan code 1 with the camera" }).click();
    const fields = page.getByRole("textbox", { name: /^Barcode \d/u });
    await expect.poll(() => fields.first().inputValue()).toBe(soap);
    await page.getByRole("dialog", { name: "Scan code 1 with the camera" }).waitFor(gone);
    await expect.poll(() => fields.nth(1).inputValue()).toBe("");
    await expect.poll(() => cameraTracks(page)).toEqual(["ended"]);
    await expect.poll(() => page.getByRole("dialog", { name: "Add Item" }).isVisible()).toBe(true);
  });
});

describe("mass input", () => {
  it("takes one code after another, and the same one again after it left the picture", async () => {
    await page.goto(`${shop.url}/admin`);
    await page.getByRole("button", { name: "Mass Input" }).click();
    const camera = await reachFor("Scan with the camera");
    await holdCode(page, soap);
    await camera.getByText("1 code read").waitFor();
    await holdCode(page, lamp);
    await camera.getByText("2 codes read").waitFor();
    await holdCode(page);
    const since = await page.evaluate(() => performance.now());
    await page.waitForFunction((start) => performance.now() - start > 1_300, since);
    await holdCode(page, soap);
    await camera.getByText("3 codes read").waitFor();
    await camera.getByRole("button", { name: "Done" }).click();
    await page.getByText("2 different items").waitFor();
    const lines = async () =>
      (await page.getByLabel("Barcodes, one per line").inputValue()).trim().split("\n");
    await expect.poll(lines).toEqual([soap, lamp, soap]);
    await expect.poll(() => cameraTracks(page)).not.toContain("live");
  });

  it("turns the camera off while the page is hidden and when the dialog is closed", async () => {
    const camera = await reachFor("Scan with the camera");
    await picture(camera).waitFor();
    await hide(true);
    await camera.getByText("Starting the camera").waitFor();
    await expect.poll(() => cameraTracks(page)).not.toContain("live");
    await hide(false);
    await picture(camera).waitFor();
    const live = async () => (await cameraTracks(page)).filter((state) => state === "live");
    await expect.poll(live).toHaveLength(1);
    await page.keyboard.press("Escape");
    await camera.waitFor(gone);
    await expect.poll(() => cameraTracks(page)).not.toContain("live");
    await expect
      .poll(() => page.getByRole("dialog", { name: "Mass Input" }).isVisible())
      .toBe(true);
  });
});

describe("the till", () => {
  it("handles camera codes as scans, even offline, and asks who the owner is", async () => {
    await page.goto(`${shop.url}/pos`);
    await knows(page, soap, lamp, lamp);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await visitor.setOffline(true);
    const camera = await reachFor("Scan with the camera");
    await holdCode(page, soap);
    await camera.getByText("1 code read").waitFor();
    await holdCode(page, lamp);
    const owners = camera.getByRole("region", { name: `Owners of ${lamp}` });
    await owners.getByRole("button", { name: /Avery Stone/u }).click();
    await owners.waitFor(gone);
    await camera.getByText("2 codes read").waitFor();
    await holdCode(page);
    expect(await problemsOf(page)).toEqual([]);
    await camera.getByRole("button", { name: "Done" }).click();
    await visitor.setOffline(false);
    await page.getByText("2 units").waitFor();
    const lines = () => page.getByRole("list", { name: /Lines/u }).innerText();
    await expect.poll(lines).toMatch(/Soap\s+Master/u);
    await expect.poll(lines).toMatch(/Lamp\s+Avery Stone/u);
    await expect.poll(() => cameraTracks(page)).not.toContain("live");
    // The next question appears below the picture.
    await expect.poll(() => page.evaluate(() => document.activeElement?.role)).toBe("combobox");
  });
});

describe("without a picture", () => {
  /** A person whose till has not cached any files. */
  let fresh: Page;

  beforeAll(async () => {
    const other = await shop.visitor({ width: 360, height: 740 });
    await giveCamera(other, codes);
    fresh = await shop.signIn(other, "admin@store.test");
  });

  it("explains what to do if camera access is denied", async () => {
    // The browser refuses as if the person had denied it.
    await fresh.route(`${shop.url}/admin`, async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), "permissions-policy": "camera=()" };
      await route.fulfill({ response, headers });
    });
    await openForm(fresh);
    const camera = await reachFor("Scan code 1 with the camera", fresh);
    await camera.getByRole("alert").getByText("Camera access is denied").waitFor();
    await camera.getByText(/allow the camera/u).waitFor();
    expect(await problemsOf(fresh)).toEqual([]);
    await fresh.unroute(`${shop.url}/admin`);
  });

  it("says that there is no camera, or that it is in use, and tries again", async () => {
    await openForm(fresh);
    const setError = (name: string) =>
      fresh.evaluate((error) => Reflect.set(globalThis, "cameraError", error), name);
    await setError("NotFoundError");
    const camera = await reachFor("Scan code 1 with the camera", fresh);
    await camera.getByRole("alert").getByText("No camera found").waitFor();
    await setError("NotReadableError");
    await camera.getByRole("button", { name: "Try again" }).click();
    await camera.getByRole("alert").getByText("The camera is in use").waitFor();
    await expect.poll(() => cameraTracks(fresh)).toEqual([]);
  });

  it("says that the code reader could not be loaded, turns the camera off, and tries again", async () => {
    await fresh.route("**/zxing_reader*", (route) => route.abort());
    await openForm(fresh);
    await holdCode(fresh, soap);
    const camera = await reachFor("Scan code 1 with the camera", fresh);
    await camera.getByRole("alert").getByText("The code reader could not be loaded").waitFor();
    await expect.poll(() => cameraTracks(fresh)).toEqual(["ended"]);
    await fresh.unroute("**/zxing_reader*");
    await camera.getByRole("button", { name: "Try again" }).click();
    await camera.waitFor(gone);
  });
});

describe("on a phone in dark mode", () => {
  it("has no axe violations", async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.evaluate(() => localStorage.setItem("theme", "dark"));
    await page.goto(`${shop.url}/pos`);
    await page
      .getByRole("region", { name: "Cart" })
      .getByText(/\d units/u)
      .waitFor();
    const camera = await reachFor("Scan with the camera");
    await picture(camera).waitFor();
    await holdCode(page, soap);
    await camera.getByText("1 code read").waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await camera.getByRole("button", { name: "Done" }).click();
  });
});

describe("a browser with its own detector", () => {
  it("uses that detector instead of our library if it knows every kind of code", async () => {
    await page.addInitScript(() => {
      class Detector {
        static getSupportedFormats(): Promise<readonly string[]> {
          const linear = ["code_128", "code_39", "ean_13", "ean_8", "upc_a", "upc_e"];
          return Promise.resolve([...linear, "qr_code", "data_matrix"]);
        }
        detect(): Promise<readonly object[]> {
          return Promise.resolve([{ format: "ean_13", rawValue: "0036000291452" }]);
        }
      }
      Reflect.set(globalThis, "BarcodeDetector", Detector);
    });
    await openForm();
    let workers = 0;
    page.on("worker", () => {
      workers += 1;
    });
    await page.getByRole("button", { name: "Scan code 2 with the camera" }).click();
    await expect
      .poll(() => page.getByRole("textbox", { name: "Barcode 2" }).inputValue())
      .toBe(soap);
    expect(workers).toBe(0);
  });
});

describe("the pages", () => {
  it("allow no WebAssembly in their own scripts, and let only our own pages open a camera", async () => {
    const { headers } = await fetch(`${shop.url}/admin`, { headers: { Accept: "text/html" } });
    expect(headers.get("Content-Security-Policy")).toMatch(
      /script-src 'self'(?: 'sha256-[\w+/]{43}=')+;/u,
    );
    expect(headers.get("Permissions-Policy")).toContain("camera=(self)");
  });
});

it("logs only the expected errors", () => {
  const provoked =
    /ERR_FAILED|ERR_INTERNET_DISCONNECTED|Permissions policy violation|wasm|falling back/u;
  expect(shop.pageErrors.filter((error) => !provoked.test(error))).toEqual([]);
});
