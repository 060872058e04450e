// What `npm run new -- event …` adds for an event of items: the rule of what it moves, and to the tests of stock a kind of
// step and a request to rehearse.
import type { EventNames } from "./event-files.ts";
import { exportIn, featureFile } from "./feature-files.ts";
import { addEntry, addImport } from "./insert.ts";
import { kebab } from "./names.ts";
import type { Tree } from "./tree.ts";

const STEPS = "services/testing/shop/stock-steps.ts";
const CALLS = "services/testing/rehearsal/stock-calls.ts";

export function addToStock(tree: Tree, names: EventNames): void {
  addRule(tree, names);
  addStep(tree, names);
  addCall(tree, names);
}

/** Verify compares the units that an event moves with those that its data says. */
function addRule(tree: Tree, { type, feature, moves }: EventNames): void {
  if (moves === null) {
    return;
  }
  const path = featureFile(tree, feature, "checks.ts");
  const list = exportIn(tree, path, /^export const (\w+Checks): readonly BookCheck\[\] = \[/mu);
  const [item, other] = ["itemHolding.of(itemId)", `${moves.holding}.of(itemId)`];
  const places = moves.way === "to" ? `${item}, ${other}` : `${other}, ${item}`;
  const rule = `  moves(${type}, ({ itemId, units }) => moveUnits(${places}, units))`;
  tree.change(path, (text) => {
    const entered = addEntry(text, [`export const ${list}`, " = ["], rule);
    const imports = [
      [["moveUnits"], "#ledger/posting.ts"],
      [["moves"], "#ledger/verify/event-rules.ts"],
      [[type], `#features/${feature}/events.ts`],
      [["itemHolding", moves.holding], `#features/${feature}/streams.ts`],
    ] as const;
    return imports.reduce((before, [names, from]) => addImport(before, names, from), entered);
  });
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
