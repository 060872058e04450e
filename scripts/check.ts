// `npm run check`: format, lint, types, unused code and the house rules; all of them run even if one fails.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const usage = `Usage: npm run check [-- --fix] [--build]

Checks format (oxfmt), lint (oxlint, with types), types (tsc), unused code (knip) and the house rules.
  --fix    writes the format, and fixes what the linter can fix safely
  --build  also builds the screens if they are not up to date: the checks leave time for it`;

const { values } = parseArgs({
  options: {
    help: { type: "boolean", default: false },
    fix: { type: "boolean", default: false },
    build: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

const root = join(import.meta.dirname, "..");
const program = (name: string) => join(root, "node_modules", ".bin", name);
const steps: readonly (readonly [string, string, readonly string[]])[] = [
  ["format", program("oxfmt"), values.fix ? [] : ["--check"]],
  // The other steps keep the second core busy, and each further thread checks shared types again: here and in "types".
  ["lint", program("oxlint"), ["--type-aware", "--threads=1", ...(values.fix ? ["--fix"] : [])]],
  ["types", program("tsc"), ["-p", ".", "--singleThreaded"]],
  ["unused", program("knip"), []],
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
async function passes([name, command, args]: (typeof steps)[number]): Promise<boolean> {
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
