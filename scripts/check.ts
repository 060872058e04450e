// `npm run check`: format, lint, types, unused code and the house rules; all of them run even if one fails.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const usage = `Usage: npm run check [-- --fix] [--changed] [--build]

Checks format (oxfmt), lint (oxlint, with types), types (tsc), unused code (knip) and the house rules.
  --fix      writes the format, and fixes what the linter can fix safely
  --changed  while you work: format and lint only of files that the last commit does not have like that, and not
             whether code is unused; a quarter of the time
  --build    also builds the screens if they are not up to date: the checks leave time for it`;

const { values } = parseArgs({
  options: {
    help: { type: "boolean", default: false },
    fix: { type: "boolean", default: false },
    changed: { type: "boolean", default: false },
    build: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

const root = join(import.meta.dirname, "..");
const program = (name: string) => join(root, "node_modules", ".bin", name);

/** Files that differ from the last commit, or that it does not have; undefined for all files. */
function changedFiles(): readonly string[] | undefined {
  if (!values.changed) {
    return undefined;
  }
  const git = (...args: readonly string[]) =>
    execFileSync("git", [...args], { cwd: root, encoding: "utf8" }).split("\n");
  return [
    ...git("diff", "--name-only", "--diff-filter=d", "HEAD"),
    ...git("ls-files", "--others", "--exclude-standard"),
  ].filter((path) => /\.(?:tsx?|mjs)$/u.test(path));
}

type Step = readonly [name: string, command: string, args: readonly string[]];

/** Both look at all files if none is named. */
function formatAndLint(files: readonly string[]): readonly Step[] {
  return [
    ["format", program("oxfmt"), [...(values.fix ? [] : ["--check"]), ...files]],
    // The other steps keep the second core busy, and each further thread checks shared types again: here and in "types".
    [
      "lint",
      program("oxlint"),
      ["--type-aware", "--threads=1", ...(values.fix ? ["--fix"] : []), ...files],
    ],
  ];
}

const changed = changedFiles();
// With what the last run found out, the types of unchanged files take a sixth of the time.
const known = join(root, "node_modules", ".cache", "consignment-ledger", "types.tsbuildinfo");
const steps: readonly Step[] = [
  ...(changed?.length === 0 ? [] : formatAndLint(changed ?? [])),
  [
    "types",
    program("tsc"),
    ["-p", ".", "--singleThreaded", "--incremental", "--tsBuildInfoFile", known],
  ],
  ...(values.changed ? [] : [["unused", program("knip"), []] as const]),
  ["house rules", process.execPath, [join(root, "scripts", "check-imports.ts")]],
  ...(values.build
    ? ([["build", process.execPath, [join(root, "scripts", "build-web.ts")]]] as const)
    : []),
];

/**
 * The linter's types and the type checker are Go programs. They end soon, with 1.7 GB if they collect no garbage, which
 * saves a fifth. Where that is more than a quarter of the memory, they collect it. With one thread instead of two, the
 * linter takes a fifth less.
 */
const limitMb = Math.round(totalmem() / 4_000_000);
const env = { ...process.env, GOGC: "off", GOMEMLIMIT: `${limitMb}MiB`, GOMAXPROCS: "1" };

/** Runs one step; returns whether it passed. */
async function passes([name, command, args]: Step): Promise<boolean> {
  const startedAt = performance.now();
  const child = spawn(command, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = await once(child, "close");
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${code === 0 ? "✓" : "✗"} ${name} (${seconds} s)`);
  if (code !== 0) {
    console.log(name === "format" ? `${output}Write the format: npm run check -- --fix` : output);
  }
  return code === 0;
}

const results = await Promise.all(steps.map(passes));
process.exit(results.every(Boolean) ? 0 : 1);
