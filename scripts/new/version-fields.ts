// The fields of `npm run new -- version … --fields registerId`: in the event's data, its upcast, its fixture, and where it is emitted.
import { globSync } from "node:fs";
import type { Field } from "./fields.ts";
import { addEntry, addImport, closingOf, endOfArgument } from "./insert.ts";
import type { Tree } from "./tree.ts";
import { NewProblem } from "./tree.ts";

/** `registerId: null` of each, as older events are read and as deciders say at first. */
export const nulls = (fields: readonly Field[]): string =>
  fields.map(({ name }) => `${name}: null`).join(", ");

/** The call of `defineEvent` from its parenthesis on, with the fields at the end of its schema. */
export function inSchema(call: string, fields: readonly Field[], version: number): string {
  if (fields.length === 0) {
    return call;
  }
  const [opening] = /^\(\s*"\w+",\s*\d+,\s*z\.(?:object\(|extend\(\w+, )\{/u.exec(call) ?? [];
  if (opening === undefined) {
    throw new NewProblem(
      "The event's schema is not written as z.object({ … }): add the fields by hand, without --fields",
    );
  }
  const entries = fields.map(
    ({ name, inEvent }) =>
      `/** Null before version ${version}: nobody asked then. */\n${name}: z.nullable(${inEvent})`,
  );
  return addEntry(call, [opening], entries.join(",\n"));
}

/** Throws if the event has one of the fields, in its own schema or in what that spreads. */
export function refuseKnown(
  type: string,
  fields: readonly Field[],
  events: string,
  call: string,
): void {
  const spread = [...call.matchAll(/\.\.\.(\w+)/gu)].map(
    ([, name]) => new RegExp(`^const ${name} = [^]*?\\n?\\};?\\n`, "mu").exec(events)?.[0] ?? "",
  );
  for (const { name } of fields) {
    if ([call, ...spread].some((text) => new RegExp(`\\b${name}\\b`, "u").test(text))) {
      throw new NewProblem(`${type} has ${name} already`);
    }
  }
}

/** The schemas that the fields need, imported into the feature's events. */
export function withImports(text: string, fields: readonly Field[]): string {
  const wanted = [...new Set(fields.flatMap(({ eventImports }) => eventImports))];
  return addImport(text, wanted, "#ledger/fields.ts");
}

/** The fixture with a value of each. */
export function inFixture(fixture: string, fields: readonly Field[]): string {
  const samples = Object.fromEntries(fields.map(({ name, sample }) => [name, sample]));
  const data = { ...(JSON.parse(fixture) as object), ...samples };
  return fields.length === 0 ? fixture : `${JSON.stringify(data, null, 2)}\n`;
}

/** Everything that emits the event says null, so that types pass; returns where, as file and line. */
export function inEmits(tree: Tree, type: string, fields: readonly Field[]): readonly string[] {
  if (fields.length === 0) {
    return [];
  }
  const call = new RegExp(`\\bemit\\(\\s*${type},\\s*`, "gu");
  const emitting = globSync("{services,scripts}/**/*.ts", { cwd: tree.root })
    .filter((path) => tree.read(path).search(call) !== -1)
    .sort();
  return emitting.flatMap((path) => {
    tree.change(path, (text) =>
      [...text.matchAll(call)].reduceRight(
        (after, { 0: before, index }) => withNulls(after, index + before.length, fields),
        text,
      ),
    );
    const text = tree.read(path);
    return [...text.matchAll(call)].map(
      ({ index }) => `${path}:${text.slice(0, index).split("\n").length}`,
    );
  });
}

/** The text with the fields in the value that begins there. */
function withNulls(text: string, start: number, fields: readonly Field[]): string {
  const end = endOfArgument(text, start);
  const value = text.slice(start, end).trimEnd();
  const isLiteral = value.startsWith("{") && closingOf(text, start) === start + value.length - 1;
  const inside = isLiteral
    ? value.slice(1, -1).trimEnd().replace(/,$/u, "")
    : ` ...${/^\w+$/u.test(value) ? value : `(${value})`}`;
  return `${text.slice(0, start)}{${inside}, ${nulls(fields)} }${text.slice(end)}`;
}
