// npm run trial: the long tests at full size: every seed of a rush, long histories, and many runs of the models.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { endWithUsage, readCommandLine, runScript } from "./command-line.ts";

const root = join(import.meta.dirname, "..");

const paces = ["slow-actions", "slow-answers"] as const;

/** The browser tests, which `--pace` slows down. */
function browserTests(): readonly string[] {
  return globSync("web/journeys/*.browser.test.ts", { cwd: root }).toSorted();
}

/** The tests with two sizes: those that use `sized`, directly or through a helper. */
function sizedTests(): readonly string[] {
  const uses = (name: RegExp) => (path: string) =>
    name.test(readFileSync(join(root, path), "utf8"));
  const tests = globSync("{services,scripts,web}/**/*.test.ts", { cwd: root });
  return tests
    .filter(uses(/from "#testing\/(?:trial\/size|shop\/live-replay-fold)\.ts"/u))
    .toSorted();
}

const line = readCommandLine(
  "npm run trial -- [file …]",
  "Runs at full size the tests that other runs have at a small size: races with many seeds, models with many runs, the\n" +
    "import of a long file. Takes minutes. File names narrow it down, as with vitest. Exits with 1 if a test fails.",
  {
    list: { type: "boolean", help: "list the files, and run nothing" },
    pace: {
      type: "string",
      value: "PACE",
      help: `instead, the browser tests with slower actions or answers: ${paces.join(", ")}`,
    },
  },
);

function readPace(): (typeof paces)[number] | undefined {
  const [asked] = line.values.get("pace") ?? [];
  if (asked === undefined) {
    return undefined;
  }
  return paces.find((pace) => pace === asked) ?? endWithUsage(`--pace takes ${paces.join(" or ")}`);
}
const pace = readPace();

await runScript(async () => {
  const all = pace === undefined ? sizedTests() : browserTests();
  const tests = all.filter(
    (path) =>
      line.positionals.length === 0 || line.positionals.some((asked) => path.includes(asked)),
  );
  if (tests.length === 0) {
    endWithUsage("No such test has a name like that");
  }
  if (line.flags.has("list") || line.json) {
    process.stdout.write(line.json ? `${JSON.stringify({ tests })}\n` : `${tests.join("\n")}\n`);
    return 0;
  }
  const vitest = join(root, "node_modules", ".bin", "vitest");
  const run = spawn(
    process.execPath,
    [vitest, "run", "--config", "services/testing/vitest.config.ts", ...tests],
    {
      cwd: root,
      env: { ...process.env, ...(pace === undefined ? { TRIAL: "full" } : { PACE: pace }) },
      stdio: "inherit",
    },
  );
  const [code] = await once(run, "close");
  return typeof code === "number" ? code : 1;
});
