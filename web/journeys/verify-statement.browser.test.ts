// /verify-statement in a real browser, without an account: genuine, changed and corrected files, and a store that is away.
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOnBoth } from "#testing/browser/look-at.ts";

let shop: BrowserStore;
let file: Buffer;

/** Returns the position of the sale. */
async function sell(consignorId: string, index: number): Promise<number> {
  const saleId = `00000000-0000-4000-8000-00000000000${index}`;
  const happenedAt = "2024-06-03T12:00:00.000Z";
  const outcome = await shop.store.ledger.execute(
    recordCustomSale,
    { saleId, consignorId, itemName: "Cable lot", amountCents: 4250, happenedAt },
    { actor: "system:test", scope: "store", key: `sale-${index}`, requestHash: "00" },
  );
  return outcome.kind === "accepted" ? outcome.position : 0;
}

let uid: string;

beforeAll(async () => {
  shop = await openBrowserStore();
  uid = await shop.person("avery@store.test", "Avery Stone", "user");
  const position = await sell(uid, 1);
  const token = await shop.store.identity.issueTokenFor(uid);
  const path = `/api/accounts/${uid}/statement?from=2024-06-01&to=2024-06-30&format=csv`;
  const answer = await fetch(`${shop.url}${path}`, {
    // The statement has the sale: the answer waits until the tables are that far.
    headers: { Authorization: `Bearer ${token}`, "Ledger-Position": String(position) },
  });
  file = Buffer.from(await answer.arrayBuffer());
});

afterAll(() => shop.close());

it("tells anybody whether a statement is genuine, changed or corrected since, and sends only its proof", async () => {
  const page = await (await shop.visitor()).newPage();
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes("/api/statements/")) {
      sent.push(request.postData() ?? "");
    }
  });
  await page.goto(`${shop.url}/verify-statement`);
  const choose = (buffer: Buffer) =>
    page.getByLabel("Statement").setInputFiles({ name: "june.csv", mimeType: "text/csv", buffer });

  await choose(file);
  await page.getByRole("heading", { name: "Genuine and unchanged" }).waitFor();
  const status = page.getByRole("status");
  await expect
    .poll(() => status.innerText())
    .toMatch(/Closing balance \(available\)\s+\$42\.50[\s\S]*was recorded since it was issued/u);
  expect(await problemsOnBoth(page)).toEqual([]);

  await choose(Buffer.from(file.toString("latin1").replace("42.50", "42.51"), "latin1"));
  await page.getByRole("heading", { name: "Changed after it was signed" }).waitFor();
  await choose(Buffer.from("Name,Price\r\n"));
  await page.getByRole("heading", { name: "Not a statement" }).waitFor();
  expect(sent).toHaveLength(1);
  expect(Object.keys(JSON.parse(sent[0] ?? "{}") as object)).toEqual(["jws"]);

  await sell(uid, 2);
  // The page asks once, and the tables may not have the sale yet.
  const checked = async () => {
    await choose(file);
    await page.getByRole("heading", { name: "Genuine and unchanged" }).waitFor();
    return status.innerText();
  };
  await expect.poll(checked).toContain("1 entry of its period, recorded afterwards: +$42.50");
  expect(await problemsOnBoth(page)).toEqual([]);

  expect(shop.pageErrors).toEqual([]);

  await page.route("**/api/statements/verify", (route) => route.abort());
  await choose(file);
  await page.getByRole("heading", { name: "Signed by this store, and unchanged" }).waitFor();
  await page.route("**/api/statements/jwks", (route) => route.abort());
  await choose(file);
  await expect
    .poll(() => page.getByRole("alert").allInnerTexts())
    .toContainEqual(expect.stringContaining("june.csv could not be checked"));
});
