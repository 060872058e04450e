// What `npm run new` makes in a copy of the sources: nothing of the house is broken by it, and nothing is overwritten.
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { breachesIn } from "../house-rules.ts";
import type { TreeCopy } from "./copy-of-tree.ts";
import { copyOfTree } from "./copy-of-tree.ts";
import { addEntry, addImport } from "./insert.ts";

let copy: TreeCopy;

beforeAll(() => {
  copy = copyOfTree();
});

afterAll(() => copy.remove());

type Ended = { readonly code: number; readonly out: string; readonly errors: string };

function make(...args: readonly string[]): Promise<Ended> {
  const script = join(import.meta.dirname, "..", "new.ts");
  return new Promise((resolve) => {
    const all = [script, ...args, "--root", copy.root];
    execFile(process.execPath, all, (error, out, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, errors }),
    );
  });
}

/** Every source file of the copy, by its path. */
const sources = (): Map<string, string> =>
  new Map(
    globSync("{services,web,scripts}/**/*.{ts,tsx,json}", { cwd: copy.root }).map((path) => [
      path,
      readFileSync(join(copy.root, path), "utf8"),
    ]),
  );

const event = ["event", "ItemReserved", "--in", "inventory", "--command", "ReserveItem"] as const;
const projection = ["projection", "sales_per_day", "--in", "sales"] as const;
const screen = ["screen", "sales-per-day", "--in", "sales"] as const;

describe("in an order that fits", () => {
  it("makes an event, a projection, its screen and a version, and breaks no rule of the house", async () => {
    const before = sources();
    for (const call of [event, projection, screen, ["version", "SaleRecorded"]]) {
      const { code, out, errors } = await make(...call);
      expect({ code, errors }).toEqual({ code: 0, errors: "" });
      expect(out).toContain("Left to you:");
    }
    const after = sources();
    expect([...before.keys()].filter((path) => !after.has(path))).toEqual([]);
    expect([...after].flatMap(([path, text]) => breachesIn(path, text))).toEqual([]);
    const made = [...after.keys()].filter((path) => !before.has(path));
    expect(made.sort()).toEqual([
      "services/features/inventory/decider-reserve-item.test.ts",
      "services/features/inventory/decider-reserve-item.ts",
      "services/features/inventory/fixtures/ItemReserved.v1.json",
      "services/features/inventory/routes-reserve-item.ts",
      "services/features/sales/fixtures/SaleRecorded.v2.json",
      "services/features/sales/projection-sales-per-day.test.ts",
      "services/features/sales/projection-sales-per-day.ts",
      "services/features/sales/queries-sales-per-day.ts",
      "services/features/sales/routes-sales-per-day.ts",
      "web/features/sales-per-day/sales-per-day-api.ts",
      "web/features/sales-per-day/sales-per-day-screen.tsx",
      "web/journeys/sales-per-day.browser.test.ts",
    ]);
    const specs = made.filter((path) => path.includes(".test."));
    for (const path of specs) {
      expect(after.get(path)?.match(/expect\.fail\(\s*"Replace this spec/gu)).toHaveLength(1);
    }
  }, 60_000);

  it.each([
    [event, "ItemReserved is there already"],
    [projection, "sales_per_day is there already"],
    [screen, "/sales-per-day is there already"],
  ])(
    "refuses the same again and writes nothing: %j",
    async (call, message) => {
      const before = sources();
      const { code, errors } = await make(...call);
      expect(errors).toContain(message);
      expect(code).toBe(2);
      expect(sources()).toEqual(before);
    },
    60_000,
  );
});

it.each([
  [["event", "ReserveItem", "--in", "inventory", "--command", "ReserveItem"], "past tense"],
  [["event", "ItemHeld", "--in", "inventory", "--command", "hold"], "a verb and what it is about"],
  [["event", "ItemHelded", "--in", "stock", "--command", "HoldItem"], "There is no feature stock"],
  [["projection", "SalesPerDay", "--in", "sales"], "lower case with underscores"],
  [["projection", "sales", "--in", "sales"], "sales is there already"],
  [["screen", "returns", "--in", "sales"], "npm run new -- projection returns --in sales"],
  [["version", "SaleForgotten"], "past tense"],
  [["version", "SaleReturned"], "No feature defines SaleReturned"],
  [["table", "x"], "Say what to make"],
  [["projection", "returns", "--in", "sales", "--stream", "till"], "declares no stream till"],
])(
  "refuses %j",
  async (call, message) => {
    const { code, errors } = await make(...call);
    expect(errors).toContain(message);
    expect(code).toBe(2);
  },
  60_000,
);

describe("an entry", () => {
  it("goes to the end of its list, whatever brackets stand in between", () => {
    const text = `const a = [1];\nconst b = {\n  x: ["]", f(")")], // }\n};\n`;
    expect(addEntry(text, ["const b = {"], "  y: 2")).toBe(
      `const a = [1];\nconst b = {\n  x: ["]", f(")")], // },\n  y: 2,\n};\n`,
    );
  });

  it("is imported beside what its module gives already", () => {
    const text = `import { one } from "#a.ts";\nimport type { Two } from "#b.ts";\n`;
    expect(addImport(text, ["three"], "#a.ts")).toContain(`import { one, three } from "#a.ts";`);
    expect(addImport(text, ["three"], "#b.ts")).toMatch(/import \{ three \} from "#b.ts";\n$/u);
    expect(addImport(`${text}const three = 3;\n`, ["three"], "#a.ts")).not.toContain("one, three");
  });
});
