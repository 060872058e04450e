// `npm run new -- version SaleRecorded --fields registerId`: the next version of an event, with its upcast and its fixture.
import { globSync } from "node:fs";
import type { Field } from "./fields.ts";
import { fieldsOf } from "./fields.ts";
import { closingOf } from "./insert.ts";
import { checked } from "./names.ts";
import { CHANGELOG, everyEvent, serverSpecs } from "./specs.ts";
import type { Tree } from "./tree.ts";
import { NewProblem } from "./tree.ts";
import { inEmits, inFixture, inSchema, nulls, refuseKnown, withImports } from "./version-fields.ts";

/** Raises the version, with these fields if they are named; returns what is left to a person. */
export function newVersion(
  tree: Tree,
  name: string | undefined,
  list: string | undefined,
): readonly string[] {
  const type = checked("definedEvent", name);
  const fields = fieldsOf(list);
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
  tree.change(events, (text) => {
    const open = (definition.exec(text)?.index ?? 0) + "defineEvent".length;
    const close = closingOf(text, open);
    const call = text.slice(open, close);
    refuseKnown(type, fields, text, call);
    const raised = withUpcast(inSchema(call, fields, before + 1), before, fields);
    return withImports(`${text.slice(0, open)}${raised}${text.slice(close)}`, fields);
  });
  const fixtures = events.replace("events.ts", "fixtures");
  const fixture = tree.read(`${fixtures}/${type}.v${before}.json`);
  tree.create(`${fixtures}/${type}.v${before + 1}.json`, inFixture(fixture, fields));
  const emits = inEmits(tree, type, fields);
  return [
    ...(fields.length === 0
      ? leftOfShape(type, before, { events, fixtures })
      : leftOfFields(type, fields, emits)),
    ...untold,
    "`npm run fingerprints` at the end: it records what the older fixtures become, and a changed step, which needs a higher `version`",
    ...serverSpecs(specsAbout(tree, type), everyEvent),
  ];
}

/** The call of `defineEvent` with the next version, and the upcast to it after the others. */
function withUpcast(call: string, before: number, fields: readonly Field[]): string {
  const step =
    fields.length === 0
      ? `${before}: (data) => z.looseObject({}).parse(data)`
      : `${before}: (data) => ({ ...Object(data), ${nulls(fields)} })`;
  const inside = call
    .replace(/(\s*"\w+",\s*)\d+,/u, `$1${before + 1},`)
    .trimEnd()
    .replace(/,$/u, "");
  return before === 1 ? `${inside},\n{ ${step} },\n` : inside.replace(/,?\s*\}$/u, `,\n${step} }`);
}

/** What is left where the recipe does not know what changes. */
function leftOfShape(
  type: string,
  before: number,
  { events, fixtures }: { readonly events: string; readonly fixtures: string },
): readonly string[] {
  return [
    `${events}: the fields of version ${before + 1} of ${type}, and how version ${before} becomes it; the upcast parses the fields that it takes away`,
    `${fixtures}/${type}.v${before + 1}.json: the new shape; the older fixtures stay as they are`,
    `the deciders that emit ${type}, as the type checker says`,
    "SQL, which is not type-checked: search for the old field's name in projection*.ts, their tests and web/journeys",
    "services/features.test fails while both versions have the same shape",
  ];
}

function leftOfFields(
  type: string,
  fields: readonly Field[],
  emits: readonly string[],
): readonly string[] {
  return emits.map(
    (place) =>
      `${place}: emits ${type} with \`${nulls(fields)}\` until you say what is known there${place.includes(".test.") ? "" : " (its command, where it is optional so that other callers stay as they are, contract*.ts and routes*.ts)"}`,
  );
}

/** Where a new field is missing without anything failing. */
const untold = [
  "the opened event of the audit log shows plain fields to admins by itself (services/features/audit/said.ts; a better name for one: `fieldNames` of changes.ts)",
  "no test tells you where a new field should be seen too: explain.ts, whose notes for admins are in an item's timeline and in the opened event (`saleNotes` of sales: in a sale's story too); columns of CSV files (search for `csvOf` and `CsvHead`), which come from a read table",
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
