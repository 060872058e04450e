// `npm run check`: format, lint, types and the rules of the house, all of them even when one fails.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";

const usage = `Usage: npm run check [-- --fix]

Checks format (oxfmt), lint (oxlint, with types), types (tsc) and the rules of the house.
  --fix   writes the format, and mends what the linter can mend safely`;

const { values } = parseArgs({
  options: { help: { type: "boolean", default: false }, fix: { type: "boolean", default: false } },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

const root = join(import.meta.dirname, "..");
const program = (name: string) => join(root, "node_modules", ".bin", name);
const steps: readonly (readonly [string, string, readonly string[]])[] = [
  ["format", program("oxfmt"), values.fix ? [] : ["--check"]],
  ["lint", program("oxlint"), values.fix ? ["--type-aware", "--fix"] : ["--type-aware"]],
  ["types", program("tsc"), ["-p", "."]],
  ["house rules", process.execPath, [join(root, "scripts", "check-imports.ts")]],
];

const failed = steps.filter(([name, command, args]) => {
  const startedAt = performance.now();
  const run = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const passed = run.status === 0;
  console.log(`${passed ? "✓" : "✗"} ${name} (${seconds} s)`);
  if (!passed) {
    console.log(`${run.stdout}${run.stderr}${run.error?.message ?? ""}`);
  }
  return !passed;
});
process.exit(failed.length === 0 ? 0 : 1);
