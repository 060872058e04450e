// What `npm run new -- event …` adds to tests of stock for an event of items: a kind of step, and a request to rehearse.
import type { EventNames } from "./event-files.ts";
import { addEntry, addImport } from "./insert.ts";
import { kebab } from "./names.ts";
import type { Tree } from "./tree.ts";

const STEPS = "services/testing/shop/stock-steps.ts";
const CALLS = "services/testing/rehearsal/stock-calls.ts";

export function addToStock(tree: Tree, names: EventNames): void {
  addStep(tree, names);
  addCall(tree, names);
}

function addStep(tree: Tree, { command, decider, feature, file, fields }: EventNames): void {
  const chosen = fields.map(({ name, chosen: how }) => (name === how ? name : `${name}: ${how}`));
  const said = fields.map(({ name }) => `${name}: next.${name}`);
  const example = fields.map(({ name, inStep }) => `${name}: ${inStep}`);
  const kind = kebab(command);
  const run = `(${fields.length === 0 ? "_next" : "next"}, { itemId, happenedAt }, { execute }) =>
    execute(${decider}, { ${["itemId", ...said, "happenedAt"].join(", ")} })`;
  tree.change(STEPS, (text) => {
    const listed = addEntry(
      text,
      ["const kinds = {"],
      `  "${kind}": kind({ ${["pick", ...chosen].join(", ")} }, ${run})`,
    );
    const accepted = addEntry(
      listed,
      ["export const everyKind", " = ["],
      `  { ${[`kind: "${kind}"`, "pick: 1", ...example].join(", ")} }`,
    );
    return addImport(accepted, [decider], `#features/${feature}/decider-${file}.ts`);
  });
}

function addCall(tree: Tree, { path, stream, fields, before }: EventNames): void {
  const body = fields.map(({ name, isPerson, sample }) =>
    isPerson && name === "uid" ? name : `${name}: ${isPerson ? "uid" : JSON.stringify(sample)}`,
  );
  const given = fields.some(({ isPerson }) => isPerson) ? `${stream.idName}, uid` : stream.idName;
  const entry = [
    `path: "${path}"`,
    `body: (${given}) => ({ ${[stream.idName, ...body].join(", ")} })`,
    ...(before === null ? [] : [`after: "${before.path}"`]),
  ];
  tree.change(CALLS, (text) =>
    addEntry(text, ["const itemCalls: ", " = ["], `  { ${entry.join(", ")} }`),
  );
}
