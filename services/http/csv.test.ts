// An exported list contains what the list shows, and nothing that a spreadsheet would run as a formula.
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { answerCsvBatches, csvText, money } from "#http/csv.ts";
import type { Cell } from "#http/csv.ts";
import type { AppEnv } from "#http/env.ts";

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

  it.each(["=1+1", "+1", "-1+2", "@SUM(A1)", "\t1", "\r1", "'=1"])("turns %j into text", (cell) => {
    expect(csvText(["a"], [[cell]])).toContain(`'${cell}`);
  });

  it("keeps negative numbers as numbers", () => {
    expect(csvText(["a"], [[-12.5]])).toBe("a\r\n-12.5\r\n");
  });

  it("always writes money with two decimals", () => {
    const amounts = [1200, 17.5, 0, -0, -0.01, 1234567.89].map(money);
    expect(csvText(["a"], [[...amounts, money(null)]])).toBe(
      "a\r\n1200.00,17.50,0.00,0.00,-0.01,1234567.89,\r\n",
    );
  });
});

function appWith(batches: () => AsyncGenerator<Cell[][]>) {
  const app = new Hono<AppEnv>();
  app.get("/list", (c) => answerCsvBatches(c, "list.csv", ["name", "amount"], batches()));
  app.onError((_error, c) => c.text("failed", 500));
  return app;
}

describe("a long list as CSV", () => {
  it("is sent batch by batch as one file", async () => {
    const app = appWith(async function* () {
      yield [["a", 1]];
      yield [
        ["b", 2],
        ["c", 3],
      ];
    });
    const answer = await app.request("/list");
    expect(answer.headers.get("Content-Disposition")).toBe('attachment; filename="list.csv"');
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await answer.arrayBuffer());
    expect(text).toBe("\uFEFFname,amount\r\na,1\r\nb,2\r\nc,3\r\n");
  });

  it("is only the header line if there are no rows", async () => {
    // oxlint-disable-next-line require-yield -- a list without lines
    const answer = await appWith(async function* () {}).request("/list");
    expect(await answer.text()).toBe("name,amount\r\n");
  });

  it("is an error, not half a file, if reading fails at once", async () => {
    // oxlint-disable-next-line require-yield -- it fails before
    const app = appWith(async function* () {
      throw new Error("no database");
    });
    expect((await app.request("/list")).status).toBe(500);
  });
});
