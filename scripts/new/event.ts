// `npm run new -- event ItemReserved --in inventory --command ReserveItem`: an event, its command, call and specs.
import { eventSpec, deciderFile, routesFile } from "./event-files.ts";
import type { EventNames } from "./event-files.ts";
import { exportIn, featureFile, folderOf, streamOf } from "./feature-files.ts";
import { addBefore, addEntry, addImport, hasName } from "./insert.ts";
import { camel, checked, kebab, sentence } from "./names.ts";
import type { Tree } from "./tree.ts";
import { NewProblem } from "./tree.ts";

export type NewEventOptions = {
  readonly feature: string | undefined;
  readonly command: string | undefined;
  /** Category of the stream that the event extends; the feature's first one if none is named. */
  readonly stream: string | undefined;
  /** Address of the call below /api; the feature and the command if none is named. */
  readonly call: string | undefined;
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
  const names: EventNames = {
    type,
    command,
    feature,
    stream,
    decider: camel(command),
    file: kebab(command),
    path:
      options.call === undefined ? `/${feature}/${kebab(command)}` : checked("call", options.call),
  };
  refuseKnown(tree, names);
  addToEvents(tree, events, names);
  tree.create(
    `${folderOf(feature)}/fixtures/${type}.v1.json`,
    `${JSON.stringify({ [stream.idName]: stream.sampleId }, null, 2)}\n`,
  );
  addToExplanations(tree, names);
  tree.create(`${folderOf(feature)}/decider-${names.file}.ts`, deciderFile(names));
  tree.create(`${folderOf(feature)}/decider-${names.file}.test.ts`, eventSpec(names));
  addCall(tree, names);
  const folder = folderOf(feature);
  return [
    `${events}: the fields of ${type}, and in its comment what it posts and moves`,
    `${folder}/fixtures/${type}.v1.json: the same fields`,
    `${folder}/explain.ts: how it reads to people`,
    `${folder}/streams.ts: a case in evolve, if a command must know of it; then \`npm run fingerprints\``,
    "a holding or an account of its own, if it needs one: `npm run new -- name`",
    `${folder}/decider-${names.file}.ts and its specs, one of which fails until it says what ${command} does`,
    `${folder}/contract.ts and routes-${names.file}.ts: what the call takes, and who may make it`,
    `services/authorization.test.ts: the row says admins only`,
    "services/testing/rehearsal: a request of the new call, which rehearsal.test.ts rehearses and then sends",
    ...(feature === "inventory"
      ? [
          "services/testing/shop/stock-steps.ts and everyKind in inventory's projection.test.ts: a step that makes it",
        ]
      : []),
  ];
}

/** Names of event types and commands are unique across features. */
function refuseKnown(tree: Tree, { type, command, feature }: EventNames): void {
  if (tree.read(`${folderOf(feature)}/events.ts`).includes(`"${type}"`)) {
    throw new NewProblem(`${type} already exists in ${folderOf(feature)}/events.ts`);
  }
  const contract = featureFile(tree, feature, "contract.ts");
  if (tree.read(contract).includes(`${camel(command)}Request`)) {
    throw new NewProblem(`${contract} has a ${camel(command)}Request already`);
  }
}

function addToEvents(tree: Tree, path: string, { type, stream }: EventNames): void {
  const list = exportIn(tree, path, /^export const (\w+Events) = \[/mu);
  tree.change(path, (text) => {
    const defined = addBefore(
      text,
      `export const ${list} = [`,
      `/** It posts nothing and moves nothing. */
export const ${type} = defineEvent("${type}", 1, z.object({ ${fieldIn(text, stream)} }));`,
    );
    const listed = addEntry(defined, [`export const ${list} = [`], `  ${type}`);
    return importOfField(listed, text, stream);
  });
}

/** The id as a field: by the file's schema of that name, or of its kind, or by the one of ledger/fields.ts. */
function fieldIn(text: string, { idName, idSchema }: EventNames["stream"]): string {
  return idName === idSchema || hasName(text, idName) ? idName : `${idName}: ${idSchema}`;
}

function importOfField(added: string, text: string, stream: EventNames["stream"]): string {
  return hasName(text, stream.idName)
    ? added
    : addImport(added, [stream.idSchema], "#ledger/fields.ts");
}

/** What the histories show of a new event at first: its name, in the history of the stream that it extends. */
function addToExplanations(tree: Tree, { type, feature, stream }: EventNames): void {
  const path = featureFile(tree, feature, "explain.ts");
  const list = exportIn(tree, path, /^export const (\w+Explanations)\b/mu);
  const title = sentence(type);
  const ledgerLine = `{ kind: "adjustment", read: () => ({ chip: { label: "${title}", tone: "neutral" }, description: "${title}", about: null, steps: [], noteId: null }) }`;
  const itemLine = `{ kind: "edited", read: () => ({ ...titleOnly, title: "${title}" }) }`;
  const change = `{ kind: "role", read: () => ({ description: "${title}", before: null, after: null, isErased: false, noteId: null }) }`;
  const readIn = (history: string, reading: string) =>
    `${history}: ${stream.category === history ? reading : "null"}`;
  tree.change(path, (text) => {
    const explained = addEntry(
      text,
      [`export const ${list}`, " = {"],
      `  ${type}: { ${readIn("consignor", ledgerLine)}, ${readIn("item", itemLine)}, ${readIn("user", change)} }`,
    );
    return stream.category === "item"
      ? addImport(explained, ["titleOnly"], "#features/histories.ts")
      : explained;
  });
}

function addCall(tree: Tree, names: EventNames): void {
  const { feature, decider, file, path, stream } = names;
  tree.change(featureFile(tree, feature, "contract.ts"), (text) =>
    importOfField(
      `${text}
/** POST ${path} */
export const ${decider}Request = z.strictObject({ ${fieldIn(text, stream)} });
export const ${decider}Response = z.object({
  message: z.string(),
  ${stream.idName}: z.string(),
  version: z.int(),
});
`,
      text,
      stream,
    ),
  );
  tree.create(`${folderOf(feature)}/routes-${file}.ts`, routesFile(names));
  addRoutes(tree, feature, `${decider}Routes`, `routes-${file}.ts`);
  addAccess(tree, `POST /api${path}`, 400);
}

/** Registers routes of a feature that are in a file of their own. */
export function addRoutes(tree: Tree, feature: string, routes: string, file: string): void {
  tree.change("services/features.ts", (text) =>
    addEntry(
      addImport(text, [routes], `#features/${feature}/${file}`),
      [`name: "${feature}",`, "routes: ["],
      routes,
    ),
  );
}

/** The row that says who may make a call, and what it answers to an invalid request. */
export function addAccess(tree: Tree, call: string, status: number): void {
  tree.change("services/authorization.test.ts", (text) =>
    addEntry(text, ["const calls: ", " = {"], `  "${call}": ["admin", ${status}]`),
  );
}
