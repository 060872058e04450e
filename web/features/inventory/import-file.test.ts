// Tests that a chosen file becomes rows, whatever format a spreadsheet saved it in, with line numbers that a person can find.
import { describe, expect, test } from "vitest";
import { decode, parse, readStockFile } from "./import-file.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe("a file for import", () => {
  test("is read with any separator, with the line each row begins on", async () => {
    for (const delimiter of [",", ";", "\t"]) {
      const text = ["Name,Barcode,Quantity", '"Lamp\nwith shade",1,2', "", " Vase ,2,3", ""].join(
        "\n",
      );
      expect(await parse(text.replaceAll(",", delimiter))).toEqual([
        { line: 1, cells: ["Name", "Barcode", "Quantity"] },
        { line: 2, cells: ["Lamp\nwith shade", "1", "2"] },
        { line: 5, cells: ["Vase", "2", "3"] },
      ]);
    }
  });

  test("loses the apostrophes that our exports put in front of formulas, and no others", async () => {
    const text = "Name,Barcode\n'=1+1,'-1795\n\"'@home, blue\",'+1\n'twas,''-1\n'\tLamp,'90s\n";
    const [, ...rows] = await parse(text);
    expect(rows.map(({ cells }) => cells)).toEqual([
      ["=1+1", "-1795"],
      ["@home, blue", "+1"],
      ["'twas", "'-1"],
      ["Lamp", "'90s"],
    ]);
  });

  test("is read in the encodings that spreadsheets save", () => {
    const text = "Name\nCafé";
    expect(decode(bytesOf(`\uFEFF${text.replace("\n", "\r\n")}`)).text).toBe(text);
    const utf16 = new Uint8Array([
      0xff,
      0xfe,
      ...new Uint8Array(Uint16Array.from(text, (letter) => letter.charCodeAt(0)).buffer),
    ]);
    expect(decode(utf16)).toEqual({ text, isGuessed: false });
    const western = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    expect(decode(western)).toEqual({ text, isGuessed: true });
  });

  test("has the same hash as on the command line", async () => {
    const file = new File(["Name,Barcode,Quantity\nLamp,1,2\n"], "stock.csv");
    expect(await readStockFile(file)).toMatchObject({
      name: "stock.csv",
      hash: "562b3ad3eec161451ab0cfd122892dff3f3aa5a9cd6c479f7f1f8221209fb115",
      header: ["Name", "Barcode", "Quantity"],
      rows: [{ line: 2, cells: ["Lamp", "1", "2"] }],
    });
  });

  test.each([
    ["", "This file is empty."],
    ["Name,Barcode\n", "This file has a header, but no lines below it."],
    ['Name,Barcode\nLamp,"1\n', "Line 2: there is a misplaced quote."],
    ["PK\u0003\u0004\0\0", "This is not a CSV file. Save the sheet as CSV first."],
  ])("says what is wrong with %j", async (text, message) => {
    await expect(readStockFile(new File([text], "stock.csv"))).rejects.toThrow(message);
  });
});
