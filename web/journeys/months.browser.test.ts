// Months and tax in a real browser: the three tabs, and a remittance that is more than what was collected.
import { afterAll, beforeAll, expect, it } from "vitest";
import { problemsOnBoth } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";
import { openTillStore } from "#testing/till/till-store.ts";
import type { TillStore } from "#testing/till/till-store.ts";

let shop: TillStore;

beforeAll(async () => {
  shop = await openTillStore();
});

afterAll(() => shop.close());

it("an admin sees which months are open, what sales tax is owed, and everybody's statements", async () => {
  const page = await shop.till();
  await visit(page, `${shop.url}/admin/months`);
  await page.getByRole("heading", { name: "Months and tax" }).waitFor();
  await page
    .getByRole("table", { name: "Months" })
    .or(page.getByText("No entries in this year"))
    .first()
    .waitFor();
  expect(await problemsOnBoth(page)).toEqual([]);
  await page.getByRole("tab", { name: "Sales tax" }).click();
  await page.getByRole("heading", { name: "Remittances" }).waitFor();
  await page.getByText("Nothing was remitted yet").waitFor();
  expect(await problemsOnBoth(page)).toEqual([]);
  await page.getByRole("button", { name: "Record remittance" }).click();
  const form = page.getByRole("dialog", { name: "Record remittance" });
  await form.getByLabel("Amount").fill("5.00");
  await form.getByText("All sales tax that was collected is remitted").waitFor();
  expect(await problemsOnBoth(page)).toEqual([]);
  await form.getByRole("button", { name: "Cancel" }).click();
  await form.waitFor({ state: "hidden" });
  await page.getByRole("tab", { name: "Yearly statements" }).click();
  await page.getByRole("button", { name: "Save all as PDF" }).waitFor();
  expect(await problemsOnBoth(page)).toEqual([]);
});
