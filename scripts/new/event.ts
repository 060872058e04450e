// `npm run new -- event ItemReserved --in inventory --command ReserveItem`: an event, its command, call and specs.
import {
  contractFile,
  dataNames,
  deciderFile,
  isOfItem,
  routeParts,
  routesFile,
  routesName,
} from "./event-files.ts";
import type { EventNames } from "./event-files.ts";
import { commandSpecs, specHead } from "./event-spec.ts";
import { addSetAside, forWhom, setAsideOf } from "./event-set-aside.ts";
import { leftOf } from "./event-left.ts";
import { addToStock } from "./event-stock.ts";
import { exportIn, featureFile, folderOf, streamOf } from "./feature-files.ts";
import type { StreamNames } from "./feature-files.ts";
import type { Field } from "./fields.ts";
import { fieldsOf, isField } from "./fields.ts";
import { addAbove, addBefore, addEntry, addImport, addModule, hasName } from "./insert.ts";
import { camel, checked, kebab, sentence } from "./names.ts";
import { addAccess, addRoutes, hasCall } from "./registrations.ts";
import type { Tree } from "./tree.ts";
import { NewProblem } from "./tree.ts";

export type NewEventOptions = {
  readonly feature?: string | undefined;
  readonly command?: string | undefined;
  /** Category of the stream that the event extends; the feature's first one if none is named. */
  readonly stream?: string | undefined;
  /** Address of the call below /api; the feature and the command if none is named. */
  readonly call?: string | undefined;
  /** What the names of its files end in; the command if nothing is named. */
  readonly file?: string | undefined;
  /** "uid,units" */
  readonly fields?: string | undefined;
  /** The SQL name of the holding that the item's units go to, or come back from. */
  readonly to?: string | undefined;
  readonly from?: string | undefined;
};

/** Makes the files and registrations; returns what is left to a person. */
export async function newEvent(
  tree: Tree,
  name: string | undefined,
  options: NewEventOptions,
): Promise<readonly string[]> {
  const type = checked("event", name);
  const command = checked("command", options.command);
  const feature = checked("feature", options.feature);
  const events = featureFile(tree, feature, "events.ts");
  const stream = await streamOf(tree, feature, options.stream);
  const fields = fieldsOf(options.fields);
  const file = options.file === undefined ? kebab(command) : checked("file", options.file);
  const moves = movesOf(tree, feature, stream, fields, options);
  refuseFirstEnding(tree, { feature, file, moves, from: options.from });
  const before = options.from === undefined ? null : commandBefore(tree, feature, file, fields);
  const names: EventNames = {
    type,
    command,
    feature,
    stream,
    decider: camel(command),
    file,
    path:
      options.call === undefined ? `/${feature}/${kebab(command)}` : checked("call", options.call),
    fields,
    moves,
    setAside: setAsideOf(tree, { feature, fields, moves, more: before?.more ?? null }),
    before,
  };
  refuseKnown(tree, names);
  addToEvents(tree, events, names);
  tree.create(
    `${folderOf(feature)}/fixtures/${type}.v1.json`,
    `${JSON.stringify(fixtureOf(names), null, 2)}\n`,
  );
  addToExplanations(tree, names);
  addDecider(tree, names);
  addCall(tree, names);
  if (isOfItem(names)) {
    addToStock(tree, names);
  }
  if (names.setAside !== null) {
    addSetAside(tree, { ...names, more: null }, names.setAside);
  }
  return leftOf(names, events, options.fields !== undefined);
}

/** Throws unless the units of an item can go to a holding of the feature, and back. */
function movesOf(
  tree: Tree,
  feature: string,
  stream: StreamNames,
  fields: readonly Field[],
  { to, from }: NewEventOptions,
): EventNames["moves"] {
  if (to === undefined && from === undefined) {
    return null;
  }
  if (to !== undefined && from !== undefined) {
    throw new NewProblem(
      "Units either go to a holding or come back from it: leave out --to or --from",
    );
  }
  const sqlName = checked("name", to ?? from);
  if (stream.category !== "item" || !fields.some(({ name }) => name === "units")) {
    throw new NewProblem("--to and --from move `units` of an item: name them in --fields");
  }
  const path = featureFile(tree, feature, "streams.ts");
  if (!tree.read(path).includes(`${camel(sqlName)} = defineName("${sqlName}"`)) {
    throw new NewProblem(
      `${path} declares no ${sqlName} yet: npm run new -- name ${sqlName} "${sqlName.replace(/_.*$/u, "")}:" --in ${feature}`,
    );
  }
  return { way: to === undefined ? "from" : "to", holding: camel(sqlName) };
}

/** Throws if units were to come back that no command of the same files sends away: they would come out of nothing. */
function refuseFirstEnding(
  tree: Tree,
  {
    feature,
    file,
    moves,
    from,
  }: {
    readonly feature: string;
    readonly file: string;
    readonly moves: EventNames["moves"];
    readonly from: string | undefined;
  },
): void {
  if (moves?.way !== "from") {
    return;
  }
  const deciders = `${folderOf(feature)}/decider-${file}.ts`;
  if (!tree.has(deciders) || !tree.read(deciders).includes(`${moves.holding}.of(`)) {
    throw new NewProblem(
      `No command in ${deciders} sends units to ${from} yet: make both events, first the one with --to ${from}, and give both the same --file (services/README.md)`,
    );
  }
}

/** The first command of the files, and what it says in addition to the new one. */
function commandBefore(
  tree: Tree,
  feature: string,
  file: string,
  fields: readonly Field[],
): EventNames["before"] {
  const deciders = `${folderOf(feature)}/decider-${file}.ts`;
  const routes = `${folderOf(feature)}/routes-${file}.ts`;
  if (!tree.has(deciders) || !tree.has(routes)) {
    return null;
  }
  const [, type = "", said = ""] =
    /^export type (\w+) = \{([^}]*)\};/mu.exec(tree.read(deciders)) ?? [];
  const names = [...said.matchAll(/readonly (\w+):/gu)].map(([, name = ""]) => name);
  const known = new Set(["itemId", "happenedAt", ...fields.map(({ name }) => name)]);
  const path = /routes\.post\(\s*"([^"]+)"/u.exec(tree.read(routes))?.[1];
  if (path === undefined) {
    return null;
  }
  const unknown = names.filter((name) => !known.has(name));
  const more = unknown.every(isField) ? fieldsOf(unknown.join(",")) : null;
  return { decider: camel(type), path, more };
}

function fixtureOf(names: EventNames): Readonly<Record<string, unknown>> {
  const { stream, fields } = names;
  const samples = new Map<string, unknown>(fields.map(({ name, sample }) => [name, sample]));
  samples.set(stream.idName, stream.sampleId);
  return Object.fromEntries(dataNames(names).map((name) => [name, samples.get(name) ?? null]));
}

/** Names of event types and commands are unique across features, and so are the addresses of calls. */
function refuseKnown(tree: Tree, { type, command, feature, file, path }: EventNames): void {
  if (tree.read(`${folderOf(feature)}/events.ts`).includes(`"${type}"`)) {
    throw new NewProblem(`${type} already exists in ${folderOf(feature)}/events.ts`);
  }
  for (const contract of [
    featureFile(tree, feature, "contract.ts"),
    `${folderOf(feature)}/contract-${file}.ts`,
  ]) {
    if (tree.has(contract) && tree.read(contract).includes(`${camel(command)}Request`)) {
      throw new NewProblem(`${contract} has a ${camel(command)}Request already`);
    }
  }
  if (hasCall(tree, `POST /api${path}`)) {
    throw new NewProblem(`POST /api${path} exists already: name another address with --call`);
  }
}

function addToEvents(tree: Tree, path: string, names: EventNames): void {
  const { type, stream, fields } = names;
  const list = exportIn(tree, path, /^export const (\w+Events) = \[/mu);
  tree.change(path, (text) => {
    const owner = hasName(text, "ownerUid") ? "ownerUid" : "ownerUid: z.nullable(z.string())";
    const schemas = [
      fieldIn(text, stream.idName, stream.idSchema),
      ...(isOfItem(names) ? [owner] : []),
      ...fields.map(({ name, inEvent }) => fieldIn(text, name, inEvent)),
    ];
    const defined = addBefore(
      text,
      `export const ${list} = [`,
      `/** ${commentOf(names)} */
export const ${type} = defineEvent("${type}", 1, z.object({ ${schemas.join(", ")} }));`,
    );
    const listed = addEntry(defined, [`export const ${list} = [`], `  ${type}`);
    const wanted = [
      ...(hasName(text, stream.idName) ? [] : [stream.idSchema]),
      ...fields.flatMap(({ name, eventImports }) => (hasName(text, name) ? [] : eventImports)),
    ];
    return addImport(listed, [...new Set(wanted)], "#ledger/fields.ts");
  });
}

/** A field: by the file's schema of that name, or of its kind, or by the one of ledger/fields.ts. */
const fieldIn = (text: string, name: string, schema: string): string =>
  name === schema || hasName(text, name) ? name : `${name}: ${schema}`;

function commentOf({ type, moves, fields, setAside }: EventNames): string {
  if (moves === null) {
    return "It posts nothing and moves nothing.";
  }
  if (setAside !== null) {
    return moves.way === "to"
      ? `Units are set aside${forWhom(fields)}: item → ${moves.holding}. It posts nothing.`
      : `Units that were set aside come back: ${moves.holding} → item. It posts nothing.`;
  }
  const ways = { to: `item → ${moves.holding}`, from: `${moves.holding} → item` };
  return `${sentence(type)}: ${ways[moves.way]}. It posts nothing.`;
}

/** What the histories show of a new event at first: its name, in the history of the stream that it extends. */
function addToExplanations(tree: Tree, names: EventNames): void {
  const { type, feature, stream, fields } = names;
  const path = featureFile(tree, feature, "explain.ts");
  const list = exportIn(tree, path, /^export const (\w+Explanations)\b/mu);
  const title = sentence(type);
  const ledgerLine = `{ kind: "adjustment", read: () => ({ chip: { label: "${title}", tone: "neutral" }, description: "${title}", about: null, steps: [], noteId: null }) }`;
  const change = `{ kind: "role", read: () => ({ description: "${title}", before: null, after: null, isErased: false, noteId: null }) }`;
  const readIn = (history: string, reading: string) =>
    `${history}: ${stream.category === history ? reading : "null"}`;
  tree.change(path, (text) => {
    const explained = addEntry(
      text,
      [`export const ${list}`, " = {"],
      `  ${type}: { ${readIn("consignor", ledgerLine)}, ${readIn("item", itemLine(names))}, ${readIn("user", change)} }`,
    );
    if (stream.category !== "item") {
      return explained;
    }
    const told = addImport(explained, ["titleOnly"], "#features/histories.ts");
    const hasUnits = fields.some(({ name }) => name === "units");
    return hasUnits ? addImport(told, ["unitsText"], "#ledger/explain.ts") : told;
  });
}

/** A line of an item's history: how many units, and for whom. */
function itemLine({ type, fields, moves }: EventNames): string {
  const person = moves?.way === "from" ? undefined : fields.find(({ isPerson }) => isPerson)?.name;
  const units = fields.some(({ name }) => name === "units") ? "units" : undefined;
  const given = [units, person].filter((name) => name !== undefined);
  const title =
    units === undefined ? `"${sentence(type)}"` : `\`${sentence(type)}: \${unitsText(units)}\``;
  // Nobody gets anything where units only come back.
  const whom = person === undefined ? "" : `, consignorUid: ${person}`;
  const kind = moves === null ? "edited" : moves.way === "to" ? "moved" : "back";
  const read = given.length === 0 ? "()" : `({ ${given.join(", ")} })`;
  return `{ kind: "${kind}", read: ${read} => ({ ...titleOnly, title: ${title}${whom} }) }`;
}

/** The command and its specs, in files of their own or below the commands that are in these already. */
function addDecider(tree: Tree, names: EventNames): void {
  const path = `${folderOf(names.feature)}/decider-${names.file}`;
  addOrCreate(tree, `${path}.ts`, deciderFile(names));
  const specs = `${path}.test.ts`;
  const nth = tree.has(specs) ? tree.read(specs).split("\ndescribe(").length : 1;
  if (nth === 1) {
    tree.create(specs, addModule(specHead(names), commandSpecs(names, nth)));
  } else {
    tree.change(specs, (text) => addModule(text, commandSpecs(names, nth)));
  }
}

function addOrCreate(tree: Tree, path: string, module: string): void {
  if (tree.has(path)) {
    tree.change(path, (text) => addModule(text, module));
  } else {
    tree.create(path, module);
  }
}

function addCall(tree: Tree, names: EventNames): void {
  const { feature, file, path } = names;
  addOrCreate(tree, `${folderOf(feature)}/contract-${file}.ts`, contractFile(names));
  const routes = `${folderOf(feature)}/routes-${file}.ts`;
  if (tree.has(routes)) {
    const { imports, call } = routeParts(names);
    tree.change(routes, (text) => addAbove(addModule(text, imports), "  return routes;", call));
  } else {
    tree.create(routes, routesFile(names));
    addRoutes(tree, feature, routesName(file), `routes-${file}.ts`);
  }
  addAccess(tree, `POST /api${path}`, 400);
}
