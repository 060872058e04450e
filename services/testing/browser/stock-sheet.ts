// A spreadsheet of stock with good and bad lines, and the steps to choose it on the inventory screen.
import type { Locator, Page } from "playwright-core";

const sheet = [
  "Artikel;Bezeichnung;Menge;Fach;Einlieferer",
  "CSV-1;Imported lamp;2;E-01;",
  "CSV-2;Imported vase;1;E-02;avery@store.test",
  "CSV-3;Imported mug;many;E-02;",
  "CSV-4;Imported bowl;1;E-02;nobody@store.test",
  "CSV-1;Imported lamp;3;;",
].join("\r\n");

/** Chooses the file, maps its columns, and has its lines checked; returns the dialog. */
export async function chooseSheet(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Import CSV" }).click();
  const dialog = page.getByRole("dialog", { name: "Import CSV" });
  await dialog.getByLabel("CSV file").setInputFiles({
    name: "stock.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(sheet),
  });
  const columns = [
    ["Item name", "Bezeichnung"],
    ["Barcode 1", "Artikel"],
    ["Quantity", "Menge"],
    ["Location", "Fach"],
    ["Consignor", "Einlieferer"],
  ] as const;
  for (const [field, column] of columns) {
    await dialog.getByLabel(`Column for ${field}`).selectOption({ label: column });
  }
  await dialog.getByRole("button", { name: "Check the lines" }).click();
  await dialog.getByText("Lines refused").waitFor();
  return dialog;
}
