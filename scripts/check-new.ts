// `npm run check:new`: makes one of everything in a copy of the sources, and runs all checks and the new specs on it.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { copyOfTree } from "./new/copy-of-tree.ts";

const usage = `Usage: npm run check:new [-- --keep]

Makes events, a deadline, projections, a screen, names and an event's next version with \`npm run new\` in a copy of the sources. There
\`npm run check\` must pass. Of the new specs, those that say "Replace this spec" must fail, and no others.
  --keep   leaves the copy where it is`;

const { values } = parseArgs({
  options: { help: { type: "boolean", default: false }, keep: { type: "boolean", default: false } },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

const copy = copyOfTree();

function run(...args: readonly string[]): { readonly ok: boolean; readonly text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy.root,
    encoding: "utf8",
  });
  return { ok: status === 0, text: stdout + stderr };
}

function must(what: string, { ok, text }: ReturnType<typeof run>): boolean {
  console.log(`${ok ? "✓" : "✗"} ${what}`);
  if (!ok) {
    console.log(text);
  }
  return ok;
}

/** Runs specs; passes if exactly those fail that a person has to replace. */
function specs(what: string, waiting: number, ...files: readonly string[]): boolean {
  const file = join(copy.root, "specs.json");
  const report = ["--reporter=json", `--outputFile=${file}`];
  const { text } = run(
    "scripts/with-node.mjs",
    "vitest",
    "run",
    "--config",
    "services/testing/vitest.config.ts",
    ...report,
    ...files,
  );
  const { testResults } = JSON.parse(readFileSync(file, "utf8")) as Report;
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "failed")
    .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join("\n")}`);
  const isWaiting = (message: string) =>
    /Replace this spec|say in (?:events.ts what version|explain.ts how)|add a request to/u.test(
      message,
    );
  const ok = failed.length === waiting && failed.every(isWaiting) && testResults.length > 0;
  return must(what, { ok, text: failed.join("\n") || text });
}

type Report = {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
};

/** Names of things that no one will build: what exists cannot be made again. */
const juggling = ["--in", "inventory", "--file", "juggling", "--fields", "uid,units"];
const pledge = ["--in", "inventory", "--file", "pledge", "--fields", "uid,units,untilAt"];
const made = [
  ["event", "ItemJuggled", "--in", "inventory", "--command", "JuggleItem"],
  ["event", "SaleJuggled", "--in", "sales", "--command", "JuggleSale", "--call", "/sales/juggle"],
  ["event", "AccountJuggled", "--in", "accounts", "--command", "JuggleAccount"],
  ["projection", "juggled_sales", "--in", "sales"],
  ["projection", "juggled_items", "--in", "inventory", "--no-call"],
  ["screen", "juggled-sales", "--in", "sales"],
  ["name", "juggled_holding", "juggled:", "--in", "inventory"],
  ["event", "UnitsJuggled", "--command", "JuggleUnits", ...juggling, "--to", "juggled_holding"],
  ["event", "JugglingEnded", "--command", "EndJuggling", ...juggling, "--from", "juggled_holding"],
  ["name", "pledge_holding", "pledge:", "--in", "inventory", "--words", "pledged"],
  ["event", "UnitsPledged", "--command", "PledgeUnits", ...pledge, "--to", "pledge_holding"],
  ["event", "PledgeEnded", "--command", "EndPledge", ...pledge, "--from", "pledge_holding"],
  ["deadline", "EndOverduePledge", "--in", "inventory", "--ends", "PledgeEnded"],
];
const ring = ["--fields", "ringId,ringUid"];
const ofVersions = ["services/features.test", "services/fingerprints", "services/event-fixtures"];
const stock = ["inventory/stock.property", "inventory/projection.test", "inventory/take-units"];
const results = [
  ...made.map((args) => must(`new ${args.join(" ")}`, run("scripts/new.ts", ...args))),
  must("npm run fingerprints", run("scripts/fingerprints.ts")),
  must("npm run expected-schema", run("scripts/expected-schema.ts")),
  must("npm run check", run("scripts/with-node.mjs", "scripts/check.ts")),
  specs(
    "specs of the events",
    7,
    ...["juggle-item", "juggle-sale", "juggle-account", "juggling", "pledge"].map(
      (name) => `decider-${name}`,
    ),
  ),
  specs("stock, with units that are set aside", 0, ...stock),
  specs("requests of calls of items, rehearsed and sent", 1, "services/rehearsal.test"),
  specs("specs of projections", 2, "projection-juggled-sales", "projection-juggled-items"),
  specs("specs of a deadline", 0, "process/pledge-ends", "projection-pledges", "users/newer-goods"),
  specs("a screen, empty and filled", 1, "web/journeys/juggled-sales.browser"),
  specs("letters of screens, and no tiny script", 0, "desk/key-places", "journeys/first-paint"),
  specs(
    "the register, access, fingerprints",
    // An event that is only in sale streams is in no history yet: a person has to say where it goes.
    1,
    "services/features.test",
    "services/authorization",
    "services/fingerprints",
    "services/explanations",
    "services/names",
    "web/journeys/scan-moments",
  ),
  must("new version SaleRecorded", run("scripts/new.ts", "version", "SaleRecorded", ...ring)),
  must("npm run fingerprints", run("scripts/fingerprints.ts")),
  must("npm run check", run("scripts/with-node.mjs", "scripts/check.ts")),
  specs("specs that the new version must not fail", 0, "sales/decider-record.test", ...ofVersions),
  must("new version MasterSaleRecorded", run("scripts/new.ts", "version", "MasterSaleRecorded")),
  must("types", run("scripts/with-node.mjs", "tsc", "-p", ".")),
  specs("the new version's shape", 1, "services/features.test"),
];
if (values.keep) {
  console.log(copy.root);
} else {
  copy.remove();
}
process.exit(results.every(Boolean) ? 0 : 1);
