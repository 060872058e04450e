// The last step of `npm run check`: reads every source file and reports each broken house rule.
import { readFileSync } from "node:fs";
import { globSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { breachesIn } from "./house-rules.ts";

const usage = `Usage: node scripts/check-imports.ts [--help]

Checks what the linter cannot: one-way imports between the parts of this repository, no barrel files, no vague
names, the environment read in one place, colors only as tokens, a comment at the top of each file.
Exits with 1 when something is wrong.`;

const { values } = parseArgs({ options: { help: { type: "boolean", default: false } } });
if (values.help) {
  console.log(usage);
  process.exit(0);
}

const root = join(import.meta.dirname, "..");
const paths = globSync(["{services,web,scripts}/**/*.{ts,tsx,mjs,css}", "migrations/*.sql"], {
  cwd: root,
}).sort();
const breaches = paths.flatMap((path) => breachesIn(path, readFileSync(join(root, path), "utf8")));
for (const { path, line, message } of breaches) {
  console.error(`${path}:${line}: ${message}`);
}
if (breaches.length > 0) {
  console.error(`\n${breaches.length} broken rules in ${paths.length} files`);
  process.exit(1);
}
