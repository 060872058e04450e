// The next version of an event with new fields: what the recipe writes by itself, and what it refuses.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { make } from "./make.ts";
import { Tree } from "./tree.ts";

const root = join(import.meta.dirname, "..", "..");
const sales = "services/features/sales";

/** Nothing is written: the tree keeps what was made. */
async function raised(type: string, fields: string) {
  const tree = new Tree(root);
  const left = await make(tree, ["version", type], { fields });
  return { tree, left };
}

const fixtures = globSync(`${sales}/fixtures/SaleRecorded.v*.json`, { cwd: root });
const before = fixtures.length;

describe("a new version with fields", () => {
  it("has each in its data, null before anybody asked, and in its fixture with a value", async () => {
    const { tree } = await raised("SaleRecorded", "ringId,soldByUid");
    const events = tree.read(`${sales}/events.ts`);
    expect(events).toContain(
      `/** Null before version ${before + 1}: nobody asked then. */\nringId: z.nullable(uuid),`,
    );
    expect(events).toContain("soldByUid: z.nullable(uid),");
    expect(events).toContain(
      `${before}: (data) => ({ ...Object(data), ringId: null, soldByUid: null }) }`,
    );
    const fixture = (version: number) =>
      JSON.parse(tree.read(`${sales}/fixtures/SaleRecorded.v${version}.json`)) as object;
    expect(fixture(before + 1)).toEqual({
      ...fixture(before),
      ringId: "00000000-0000-4000-8000-0000000000f1",
      soldByUid: "avery-000000000000001",
    });
  });

  it("is emitted with null, and the lines where a person says more are listed", async () => {
    const { tree, left } = await raised("SaleRecorded", "ringId");
    const path = `${sales}/decider-record.ts`;
    expect(tree.read(path)).toMatch(/emit\(\s*SaleRecorded,\s*\{[^{}]*, ringId: null \}/u);
    expect(tree.read(path).match(/ringId/gu)).toHaveLength(1);
    const [, line] = new RegExp(`^${path}:(\\d+): .*\`ringId: null\``, "mu").exec(
      left.join("\n"),
    ) ?? ["", "0"];
    expect(tree.read(path).split("\n")[Number(line) - 1]).toContain("emit(");
    expect(left.join("\n")).not.toContain("the older fixtures stay as they are");
  });

  it("keeps data that an emit has in a name, also on one line and in a test", async () => {
    const { tree } = await raised("PayoutsReleased", "askedByUid");
    expect(tree.read("services/features/holds/decider.ts")).toContain(
      "emit(PayoutsReleased, { ...named, askedByUid: null }, {",
    );
    expect(tree.read("services/book-naming.test.ts")).toContain(
      "emit(PayoutsReleased, { ...named, askedByUid: null }, {",
    );
  });

  it("imports the fields' schemas into the feature's events", async () => {
    const { tree } = await raised("UserRenamed", "askedAt,feeCents");
    const [imported] = /^import \{[^}]*\} from "#ledger\/fields\.ts";/mu.exec(
      tree.read("services/features/users/events.ts"),
    ) ?? [""];
    expect(imported).toMatch(/\binstant\b/u);
    expect(imported).toMatch(/\bcentsFromZero\b/u);
  });

  it.each([
    ["SaleRecorded", "itemId", "SaleRecorded has itemId already"],
    ["SaleRecorded", "receiptId", "SaleRecorded has receiptId already"],
    ["SaleRecorded", "mood", "mood cannot be a field"],
    ["ShipmentDeleted", "ringId", "add the fields by hand, without --fields"],
  ])("of %s with %s is refused: %s", async (type, fields, message) => {
    await expect(raised(type, fields)).rejects.toThrow(message);
  });
});

test("no spec of a decider says an event's version or its whole data, so that a new field of it fails none", () => {
  const deciders = globSync("services/features/*/decider*.test.ts", { cwd: root });
  expect(deciders.length).toBeGreaterThan(20);
  const saying = deciders.filter((path) =>
    /\.toEqual\(\[\s*\{\s*type: "|schemaVersion: \d+,\s+data: \{\s*[^\s}]/u.test(
      readFileSync(join(root, path), "utf8"),
    ),
  );
  expect(saying).toEqual([]);
});
