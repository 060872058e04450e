// What `npm run new` makes in a copy of the sources: it passes the linter, breaks no house rule and overwrites nothing.
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { breachesIn } from "../house-rules.ts";
import type { TreeCopy } from "./copy-of-tree.ts";
import { copyOfTree } from "./copy-of-tree.ts";
import type { MakeOptions } from "./make.ts";
import { make } from "./make.ts";
import { Tree } from "./tree.ts";

let copy: TreeCopy;

beforeAll(() => {
  copy = copyOfTree();
});

afterAll(() => copy.remove());

/** Makes it and writes it; returns what is left to a person. */
async function made(
  args: readonly string[],
  options: MakeOptions = {},
): Promise<readonly string[]> {
  const tree = new Tree(copy.root);
  const left = await make(tree, args, options);
  tree.write();
  return left;
}

/** Every source file of the copy, by its path. */
const sources = (): Map<string, string> =>
  new Map(
    globSync("{services,web,scripts}/**/*.{ts,tsx,json}", { cwd: copy.root }).map((path) => [
      path,
      readFileSync(join(copy.root, path), "utf8"),
    ]),
  );

const SET_ASIDE = "services/features/inventory/set-aside.ts";

/** Names of things that no one will build: what exists cannot be made again. */
const juggling = { feature: "inventory", command: "JuggleItem" };
const inSales = { feature: "sales" };
type Asked = readonly [args: readonly string[], options: MakeOptions];
const event: Asked = [["event", "ItemJuggled"], { ...juggling, call: "/inventory/juggle" }];
const projection: Asked = [["projection", "juggled_sales"], inSales];
const table: Asked = [["projection", "juggled_tables"], { ...inSales, isTableOnly: true }];
const screen: Asked = [["screen", "juggled-sales"], inSales];
const version: Asked = [["version", "SaleRecorded"], { fields: "ringId,ringUid" }];
const plainVersion: Asked = [["version", "MasterSaleRecorded"], {}];
const name: Asked = [["name", "juggled_holding", "juggled:", ":units"], { feature: "inventory" }];
const moving = { feature: "inventory", fields: "uid,units", file: "juggling" };
const until = { ...moving, fields: "uid,units,untilAt" };
const out: Asked = [
  ["event", "UnitsJuggled"],
  { ...until, command: "JuggleUnits", to: "juggled_holding" },
];
const back: Asked = [
  ["event", "JugglingEnded"],
  { ...moving, command: "EndJuggling", from: "juggled_holding" },
];

/** Names that a file imports or declares twice: it would not compile. */
function namesTwice(path: string, text: string): readonly string[] {
  const imported = [...text.matchAll(/^import \{([^}]*)\} from "/gmu)].flatMap(([, names = ""]) =>
    names.split(",").map((one) => one.trim().replace(/^.* as /u, "")),
  );
  const declared = [...text.matchAll(/^(?:export )?const (\w+)/gmu)].map(([, one = ""]) => one);
  const names = [...imported, ...declared].filter((one) => one !== "");
  return names.filter((one, index) => names.indexOf(one) < index).map((one) => `${path}: ${one}`);
}

/** Units that are set aside until a time, and come back by themselves. */
const pledge = { feature: "inventory", fields: "uid,units,untilAt", file: "pledge" };
const pledging: readonly Asked[] = [
  [["name", "pledge_holding", "pledge:"], { feature: "inventory", words: "pledged" }],
  [["event", "UnitsPledged"], { ...pledge, command: "PledgeUnits", to: "pledge_holding" }],
  [["event", "PledgeEnded"], { ...pledge, command: "EndPledge", from: "pledge_holding" }],
  [["deadline", "EndOverduePledge"], { feature: "inventory", ends: "PledgeEnded" }],
];

/** What the linter says about these files once they have their format; types are left to `npm run check:new`. */
function lintOf(paths: readonly string[]): string {
  const code = paths.filter((path) => !path.endsWith(".json"));
  const run = (program: string, ...args: readonly string[]) =>
    spawnSync(join(copy.root, "node_modules", ".bin", program), [...args, ...code], {
      cwd: copy.root,
      encoding: "utf8",
    });
  run("oxfmt");
  const config = join(copy.root, "untyped.oxlintrc.json");
  const rules = readFileSync(join(copy.root, ".oxlintrc.json"), "utf8");
  writeFileSync(config, rules.replace('"typeAware": true', '"typeAware": false'));
  const { status, stdout, stderr } = run("oxlint", "--config", config);
  return status === 0 ? "" : stdout + stderr;
}

const nextOf = (type: string) =>
  `${type}.v${globSync(`services/features/sales/fixtures/${type}.v*.json`, { cwd: copy.root }).length + 1}`;

describe("in a sensible order", () => {
  it("makes events, a projection, its screen, a name and a version, and breaks no house rule", async () => {
    const before = sources();
    const advice: string[] = [];
    const nextVersions = ["MasterSaleRecorded", "SaleRecorded"].map(nextOf);
    const calls = [
      event,
      projection,
      table,
      screen,
      name,
      out,
      back,
      ...pledging,
      version,
      plainVersion,
    ];
    for (const call of calls) {
      const left = await made(...call);
      expect(left.length).toBeGreaterThan(2);
      const [[kind = ""], { isTableOnly = false }] = call;
      const isSeen =
        !isTableOnly && ["event", "deadline", "projection", "screen", "version"].includes(kind);
      expect([kind, left.join("\n").includes("CHANGELOG.md")]).toEqual([kind, isSeen]);
      advice.push(...left);
    }
    const after = sources();
    const specsToRun = advice.flatMap(
      (line) => / vitest -- run ([^`]+)`$/u.exec(line)?.[1]?.split(" ") ?? [],
    );
    expect(specsToRun.length).toBeGreaterThan(10);
    const said = advice.join("\n");
    expect(said).toContain("both have a sale's stream; add a call");
    expect(said).toContain("older-versions.test.ts: nothing, its days have a sale's stream");
    expect(said).toContain('reads "Sold out" to its consignor');
    expect(said).toContain('with "pledges" in readsFrom of routes.ts, also of the timeline');
    expect(specsToRun).toContain("services/features/inventory/routes-as-of");
    expect(said).toContain("web/features/consignors/left-text.ts");
    expect(said).toContain("no test tells you where a new field should be seen too");
    const tests = [...after.keys()].filter((path) => path.includes(".test."));
    const hasSpec = (name: string) => tests.some((path) => path.startsWith(`${name}.`));
    expect(specsToRun.filter((name) => !hasSpec(name))).toEqual([]);
    for (const everyone of [
      "web/shell/desk/key-places",
      "web/journeys/first-paint.browser",
      "services/event-fixtures",
      "services/db/schema-snapshot",
      "services/proof/prove-books",
      "scripts/tamper/tamper",
      "services/features/sales/decider-record.test",
    ]) {
      expect(specsToRun).toContain(everyone);
    }
    expect([...before.keys()].filter((path) => !after.has(path))).toEqual([]);
    expect([...after].flatMap(([path, text]) => breachesIn(path, text))).toEqual([]);
    const changed = [...after].filter(([path, text]) => before.get(path) !== text);
    expect(changed.flatMap(([path, text]) => namesTwice(path, text))).toEqual([]);
    expect(lintOf(changed.map(([path]) => path))).toBe("");
    const added = [...after.keys()].filter((path) => !before.has(path));
    expect(added.sort()).toEqual([
      "services/features/inventory/contract-juggle-item.ts",
      "services/features/inventory/contract-juggling.ts",
      "services/features/inventory/contract-pledge.ts",
      "services/features/inventory/decider-juggle-item.test.ts",
      "services/features/inventory/decider-juggle-item.ts",
      "services/features/inventory/decider-juggling.test.ts",
      "services/features/inventory/decider-juggling.ts",
      "services/features/inventory/decider-pledge.test.ts",
      "services/features/inventory/decider-pledge.ts",
      "services/features/inventory/fixtures/ItemJuggled.v1.json",
      "services/features/inventory/fixtures/JugglingEnded.v1.json",
      "services/features/inventory/fixtures/PledgeEnded.v1.json",
      "services/features/inventory/fixtures/UnitsJuggled.v1.json",
      "services/features/inventory/fixtures/UnitsPledged.v1.json",
      "services/features/inventory/pledge-sweep.ts",
      "services/features/inventory/projection-pledges.test.ts",
      "services/features/inventory/projection-pledges.ts",
      "services/features/inventory/routes-juggle-item.ts",
      "services/features/inventory/routes-juggling.ts",
      "services/features/inventory/routes-pledge.ts",
      // Only the first event with `--to` makes it.
      ...(before.has(SET_ASIDE) ? [] : [SET_ASIDE]),
      ...nextVersions.map((file) => `services/features/sales/fixtures/${file}.json`),
      "services/features/sales/projection-juggled-sales.test.ts",
      "services/features/sales/projection-juggled-sales.ts",
      "services/features/sales/projection-juggled-tables.test.ts",
      "services/features/sales/projection-juggled-tables.ts",
      "services/features/sales/queries-juggled-sales.ts",
      "services/features/sales/routes-juggled-sales.ts",
      "services/process/pledge-ends.test.ts",
      "services/process/pledge-ends.ts",
      "web/features/juggled-sales/juggled-sales-api.ts",
      "web/features/juggled-sales/juggled-sales-screen.tsx",
      "web/journeys/juggled-sales.browser.test.ts",
    ]);
    // The specs of a deadline are whole.
    const isWhole = /pledges|pledge-ends/u;
    const specs = added.filter((path) => path.includes(".test.") && !isWhole.test(path));
    for (const path of specs) {
      const waiting = after.get(path)?.match(/expect\.fail\(\s*"Replace this spec/gu) ?? [];
      expect([path, waiting.length]).toEqual([path, /juggling|-pledge/u.test(path) ? 2 : 1]);
    }
    const routes = after.get("services/features/inventory/routes-juggle-item.ts");
    expect(routes).toContain('"/inventory/juggle"');
    const pledgeSpecs = after.get("services/features/inventory/decider-pledge.test.ts");
    expect(pledgeSpecs?.split("is rejected if the account of `uid` was deleted")).toHaveLength(2);
    const ending = after.get("services/features/inventory/decider-juggling.test.ts");
    expect(ending).toMatch(
      /books\.when\(juggleUnits, \{ \.\.\.command, untilAt: "2099-[^"]+", units: 5 \}\);/u,
    );
    const state = after.get("services/features/inventory/streams.ts") ?? "";
    expect(state).toContain("readonly juggleds: readonly Juggled[];");
    expect(state).toContain("(one) => one.uid === data.uid)");
    const ended = after.get("services/features/inventory/decider-juggling.ts") ?? "";
    expect(ended).toContain("unitsIn(state.juggleds.filter((one) => one.uid === uid))");
    const own = after.get("services/features/audit/places.ts") ?? "";
    expect(own).toMatch(
      /holdingsOfItems: readonly NameKind\[\] = \[itemHolding,[^\]]*\bjuggledHolding/u,
    );
    expect(own).toContain("`${itemOf(id, names)}, pledged`");
    expect(ended.slice(ended.indexOf("Decider<EndJuggling"))).not.toContain("itemArchived");
    expect(state).toMatch(/unitsIn\(\[.*\.\.\.item\.juggleds,\s*\.\.\.item\.pledges,?\s*\]\)/su);
    expect(state).toContain("set aside for `uid` until `untilAt`. */");
    const told = after.get("services/features/inventory/explain.ts") ?? "";
    expect(told.slice(told.indexOf("JugglingEnded:"))).toMatch(
      /^[^}]*\{[^}]*read: \(\{ units \}\)/u,
    );
    const deletion = after.get("services/features/users/routes-admin.ts");
    for (const list of ["juggleds", "pledges"]) {
      expect(deletion).toContain(`or jsonb_array_length(s.state -> '${list}') > 0`);
    }
    const newer = after.get("services/features/users/newer-goods.test.ts");
    expect(newer).toMatch(/"\/inventory\/pledge-units": \(itemId, uid\) => \(\{/u);
    const stock = after.get("services/features/inventory/projection-moves.ts");
    expect(stock).toContain("and not log.is_pledge_holding(${place})");
    const folded = after.get("services/features/inventory/projection.test.ts");
    expect(folded).toContain("one === `juggled:${id}:units`");
    for (const oracle of ["sales/projection-juggled-sales", "inventory/projection-pledges"]) {
      expect(after.get(`services/features/${oracle}.test.ts`)).toContain("select * from read.");
    }
    const worker = after.get("services/process/start-worker.ts");
    expect(worker).toMatch(/\n\s*startEndingPledges\(deps\),\s*\];/u);
    for (const filled of ["scripts/tamper/fill.ts", "services/proof/prove-books.test.ts"]) {
      expect(after.get(filled)).toContain('"/inventory/pledge-units", admin, {');
    }
    const rehearsed = after.get("services/testing/rehearsal/stock-calls.ts");
    expect(rehearsed).toContain('after: "/inventory/juggle-units"');
    expect(rehearsed).toContain('untilAt: "2099-');
    const steps = after.get("services/testing/shop/stock-steps.ts");
    expect(steps).toMatch(/untilAt: fc\.constantFrom\("2024-01-\S+ noon, "2099-/u);
    const journey = after.get("web/journeys/juggled-sales.browser.test.ts");
    expect(journey).toContain('[1024, "light"],');
    expect(journey).toContain("{ json: { rows: [], stale: true } }");
    expect(journey).toContain("shows its rows at every size");
    const listed = after.get("web/features/juggled-sales/juggled-sales-screen.tsx");
    expect(listed).toContain("rows={knownRows(data?.rows, freshness)}");
    expect(journey).toContain("const calls = /\\/api\\/juggled-sales(?:\\?|$)/u;");
    const places = after.get("web/shell/places.ts") ?? "";
    const entry = places.indexOf('label: "Juggled Sales"');
    const [, letter = ""] = /label: "Juggled Sales", .*key: "([a-z])"/u.exec(places) ?? [];
    expect(before.get("web/shell/places.ts")).not.toContain(`key: "${letter}"`);
    expect(advice.join("\n")).toContain(`G and ${letter.toUpperCase()} goes to it`);
    expect(entry).toBeGreaterThan(places.indexOf("const sell: "));
    expect(entry).toBeLessThan(places.indexOf("const people: "));
    const counted = after.get("services/features/visits/contract-screens.ts");
    expect(counted).toContain('"/admin/juggled-sales",');
    const scanned = after.get("services/testing/browser/scan-moments.ts");
    expect(scanned).toContain('{ path: "/admin/juggled-sales" },');
    const [migration = ""] = globSync("migrations/*_juggled_holding.sql", { cwd: copy.root });
    expect(readFileSync(join(copy.root, migration), "utf8")).toContain(
      "$$ select 'juggled:' || id || ':units' $$;",
    );
  });

  it.each<readonly [Asked, string]>([
    [event, "ItemJuggled already exists"],
    [projection, "juggled_sales already exists"],
    [screen, "/admin/juggled-sales already exists"],
    [name, "juggled_holding already exists"],
    [
      [["deadline", "EndOverduePledge"], { feature: "inventory", ends: "PledgeEnded" }],
      "pledges already exists",
    ],
    [
      [["deadline", "EndOverdueJuggling"], { feature: "inventory", ends: "JugglingEnded" }],
      "JugglingEnded must name one time",
    ],
  ])("refuses the same thing a second time and writes nothing: %j", async (call, message) => {
    const before = sources();
    await expect(made(...call)).rejects.toThrow(message);
    expect(sources()).toEqual(before);
  });
});

it.each<readonly [readonly string[], MakeOptions, string]>([
  [["event", "JuggleItem"], juggling, "past tense"],
  [["event", "ItemTaking"], juggling, "past tense"],
  [["event", "ItemSells"], juggling, "past tense"],
  [
    ["event", "ItemMoved"],
    { feature: "inventory", command: "MoveItem", call: "/inventory/remove" },
    "POST /api/inventory/remove exists already",
  ],
  [["event", "ItemMoved"], { ...juggling, command: "move" }, "a verb and what it is about"],
  [["event", "ItemMoved"], { feature: "inventory" }, "The command needs a name"],
  [["event", "ItemMoved"], { ...juggling, feature: "stock" }, "no feature stock"],
  [["event", "ItemMoved"], { ...juggling, feature: "import" }, "has no events.ts yet"],
  [["projection", "SalesPerDay"], inSales, "lower case with underscores"],
  [["projection", "sales"], inSales, "sales already exists"],
  [["projection", "returns"], { ...inSales, stream: "till" }, "declares no stream till"],
  [["projection", "returns_per_store_day"], inSales, "a row is one sale at first"],
  [["projection", "returns"], { ...inSales, key: "day" }, "so --key is sale"],
  [["projection", "returns_per_day"], inSales, "midnight(day, zone) of services/http/midnight.ts"],
  [["screen", "returns"], inSales, "npm run new -- projection returns --in sales"],
  [["version", "NoSuch"], {}, "There is no such event: no feature defines NoSuch"],
  [["version", "SaleReturned"], {}, "There is no such event: no feature defines SaleReturned"],
  [["name", "juggled", "juggled:"], juggling, "such as reservation_holding"],
  [["name", "juggled_holding", "juggled"], juggling, "a word with a colon"],
  [["name", "juggled_holding", "juggled:"], { feature: "settings" }, "exports nothing like"],
  [["event", "ItemMoved"], { ...juggling, call: "move" }, "an address below /api"],
  [["event", "ItemMoved"], { ...juggling, fields: "uid,reason" }, "reason cannot be a field"],
  [["event", "ItemMoved"], { ...juggling, fields: "uid,uid" }, "each once"],
  [["deadline", "EndMoves"], { feature: "inventory" }, "The event needs a name"],
  [["deadline", "EndMoves"], { feature: "inventory", ends: "ItemEdited" }, "brings back no units"],
  [["name", "moved_holding", "moved:"], { ...juggling, words: "Moved!" }, "lower-case words"],
  [["event", "ItemMoved"], { ...juggling, file: "Moves" }, "what its files are about"],
  [["event", "ItemMoved"], { ...juggling, to: "moved_holding" }, "name them in --fields"],
  [
    ["event", "ItemMoved"],
    { ...moving, command: "MoveItem", to: "moved_holding" },
    "name moved_ho",
  ],
  [
    ["event", "ItemMoved"],
    { ...moving, command: "MoveItem", to: "item_holding", from: "item_holding" },
    "leave out --to or --from",
  ],
  [
    ["event", "MovingEnded"],
    { ...moving, command: "EndMoving", from: "item_holding", file: "moving" },
    "make both events, first the one with --to item_holding",
  ],
  [["table", "x"], {}, "Say what to make"],
  [["event", "ItemMoved", "ItemLost"], juggling, "leave out ItemLost"],
])("refuses %j %j", async (args, options, message) => {
  const tree = new Tree(copy.root);
  await expect(make(tree, args, options)).rejects.toThrow(message);
});

it.each(["LampSold", "PayoutsHeld", "ItemLaidAway", "ItemTaken", "HandleSet"])(
  "an event may be named %s: its past tense need not end in -ed, nor be its last word",
  async (named) => {
    const tree = new Tree(copy.root);
    await make(tree, ["event", named], { ...juggling, call: "/inventory/twirl", file: "twirl" });
    expect(tree.touched().made).toContain(`services/features/inventory/fixtures/${named}.v1.json`);
  },
);
