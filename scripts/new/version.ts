// `npm run new -- version SaleRecorded`: the next version of an event, with its upcast and its fixture.
import { globSync } from "node:fs";
import { checked } from "./names.ts";
import { CHANGELOG, everyEvent, serverSpecs } from "./specs.ts";
import type { Tree } from "./tree.ts";
import { NewProblem } from "./tree.ts";

/** Raises the version; returns what is left to a person. */
export function newVersion(tree: Tree, name: string | undefined): readonly string[] {
  const type = checked("definedEvent", name);
  const events = globSync("services/features/*/events.ts", { cwd: tree.root }).find(
    (path) =>
      tree.read(path).includes(`defineEvent(\n  "${type}"`) ||
      tree.read(path).includes(`defineEvent("${type}"`),
  );
  if (events === undefined) {
    throw new NewProblem(`There is no such event: no feature defines ${type}`);
  }
  const definition = new RegExp(`defineEvent\\(\\s*"${type}",\\s*(\\d+),`, "u");
  const before = Number(definition.exec(tree.read(events))?.[1]);
  const step = `${before}: (data) => z.looseObject({}).parse(data)`;
  tree.change(events, (text) => {
    const found = definition.exec(text);
    const open = (found?.index ?? 0) + "defineEvent".length;
    const close = endOfCall(text, open);
    const call = text.slice(open, close).replace(/(\s*"\w+",\s*)\d+,/u, `$1${before + 1},`);
    const inside = call.trimEnd().replace(/,$/u, "");
    const after =
      before === 1 ? `${inside},\n{ ${step} },\n` : inside.replace(/,?\s*\}$/u, `,\n${step} }`);
    return `${text.slice(0, open)}${after}${text.slice(close)}`;
  });
  const fixtures = events.replace("events.ts", "fixtures");
  const fixture = tree.read(`${fixtures}/${type}.v${before}.json`);
  tree.create(`${fixtures}/${type}.v${before + 1}.json`, fixture);
  return [
    `${events}: the fields of version ${before + 1} of ${type}, and how version ${before} becomes it; the upcast parses the fields that it takes away`,
    `${fixtures}/${type}.v${before + 1}.json: the new shape; the older fixtures stay as they are`,
    `the deciders that emit ${type}, as the type checker says`,
    `their tests, which it does not check (\`toEqual\`, \`schemaVersion: ${before}\`): run those below`,
    "SQL, which is not type-checked: search for the old field's name in projection*.ts, their tests and web/journeys",
    ...untold,
    "a changed step needs a higher `version`; then `npm run fingerprints`, which also records what the older fixtures become",
    "services/features.test fails while both versions have the same shape",
    ...serverSpecs(specsAbout(tree, type), everyEvent),
  ];
}

/** Where a new field is missing without anything failing. */
const untold = [
  "no test tells you where a new field should be seen too: explain.ts; the audit log's detail (changes.ts of audit); columns of CSV files (search for `csvOf` and `CsvHead`); an item's timeline (web/features/inventory/item-timeline.tsx) and a sale's story (contract-story.ts of sales)",
  CHANGELOG,
] as const;

/** Specs that name the event, or the deciders of the files that emit it. */
function specsAbout(tree: Tree, type: string): readonly string[] {
  const emitting = globSync("services/features/*/decider*.ts", { cwd: tree.root }).filter(
    (path) =>
      !path.endsWith(".test.ts") && new RegExp(`emit\\(\\s*${type},`, "u").test(tree.read(path)),
  );
  const beside = new Set(emitting.map((path) => path.replace(/\.ts$/u, ".test.ts")));
  return globSync("{services,web}/**/*.test.ts", { cwd: tree.root })
    .filter((path) => {
      const text = tree.read(path);
      return beside.has(path) || new RegExp(`\\b${type}\\b`, "u").test(text);
    })
    .map((path) => path.replace(/\.ts$/u, ""))
    .sort();
}

/** Where the call that begins at this parenthesis ends. */
function endOfCall(text: string, open: number): number {
  let depth = 0;
  const parts = /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\.|[^"\\])*"|[()]/gu;
  parts.lastIndex = open;
  for (let part = parts.exec(text); part !== null; part = parts.exec(text)) {
    depth += part[0] === "(" ? 1 : part[0] === ")" ? -1 : 0;
    if (depth === 0) {
      return part.index;
    }
  }
  throw new NewProblem("A call of defineEvent has no closing parenthesis");
}
