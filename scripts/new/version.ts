// `npm run new -- version SaleRecorded`: the next version of an event, with its upcast and its fixture.
import { globSync } from "node:fs";
import { checked } from "./names.ts";
import type { Tree } from "./tree.ts";
import { NewProblem } from "./tree.ts";

/** Raises the version; returns what is left to a person. */
export function newVersion(tree: Tree, name: string | undefined): readonly string[] {
  const type = checked("event", name);
  const events = globSync("services/features/*/events.ts", { cwd: tree.root }).find(
    (path) =>
      tree.read(path).includes(`defineEvent(\n  "${type}"`) ||
      tree.read(path).includes(`defineEvent("${type}"`),
  );
  if (events === undefined) {
    throw new NewProblem(`No feature defines ${type}`);
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
    `the deciders that emit ${type} and their tests, as the type checker says`,
    "SQL, which is not type-checked: search for the old field's name in projection*.ts, their tests and web/journeys",
    "a changed step needs a higher `version` and then `npm run fingerprints`",
    "`npm run vitest -- run services/features.test.ts` fails while both versions have the same shape",
  ];
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
