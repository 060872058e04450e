// What a spreadsheet gets is what the list shows, and nothing that it would run.
import { describe, expect, it } from "vitest";
import { csvText } from "#http/csv.ts";

describe("a list as CSV", () => {
  it("quotes commas, quotes and line breaks", () => {
    expect(
      csvText(
        ["a", "b"],
        [
          ['say "hi"', "x,y"],
          ["two\nlines", null],
        ],
      ),
    ).toBe('a,b\r\n"say ""hi""","x,y"\r\n"two\nlines",\r\n');
  });

  it.each(["=1+1", "+1", "-1+2", "@SUM(A1)", "\t=1", "\r=1"])("turns %j into text", (cell) => {
    expect(csvText(["a"], [[cell]])).toContain(`'${cell}`);
  });

  it("leaves negative numbers numbers", () => {
    expect(csvText(["a"], [[-12.5]])).toBe("a\r\n-12.5\r\n");
  });
});
