// `npm run fingerprints`: records what streams, projections and upcasts are like now, with their versions.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { currentFingerprints } from "#testing/fingerprints/current-fingerprints.ts";
import {
  differencesOf,
  KEPT_FILE,
  readKept,
  recorded,
} from "#testing/fingerprints/kept-fingerprints.ts";

const usage = `Usage: npm run fingerprints [-- OPTIONS]

Records in services/fingerprints.json a hash of every stream's evolve, of every projection, and of what each fixture of
an older version of an event becomes ("SaleRecorded v1"), for new ones and for those whose version was raised. A hash that changed under the same version is not recorded: raise the version, so that
stored states are folded again and read tables rebuilt.
  --same NAME   the change of NAME leaves every stored row right: record it under the same version.
                May be given more than once; "all" means every one that changed
  --check       writes nothing
  --json        what differed, as JSON
Exits with 1 while something is left to do.`;

const { values } = parseArgs({
  options: {
    help: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    same: { type: "string", multiple: true, default: [] },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

const { fingerprints, unreached } = await currentFingerprints();
const unknown = values.same.filter(
  (name) => name !== "all" && !fingerprints.some((fingerprint) => fingerprint.name === name),
);
if (unknown.length > 0) {
  console.error(`There is no stream, projection or older fixture named ${unknown.join(", ")}`);
  process.exit(2);
}
const before = readKept();
const differences = differencesOf(before, fingerprints);
const after = values.check ? before : recorded(before, fingerprints, new Set(values.same));
const left = differencesOf(after, fingerprints);
const done = differences.filter(({ name }) => left.every((difference) => difference.name !== name));
if (!values.check) {
  writeFileSync(KEPT_FILE, `${JSON.stringify(after, null, 2)}\n`);
}
if (values.json) {
  console.log(JSON.stringify({ recorded: done, left, unreached }));
} else {
  for (const { name, what } of done) {
    console.log(`${name}: ${what === "changed" ? "recorded under the same version" : "recorded"}`);
  }
  for (const { message } of left) {
    console.error(message);
  }
  for (const sentence of unreached) {
    console.error(sentence);
  }
  if (differences.length === 0 && unreached.length === 0) {
    console.log("Nothing changed");
  }
}
process.exit(left.length + unreached.length === 0 ? 0 : 1);
