// `npm run new -- deadline EndOverdueReservation --ends ReservationEnded`: the worker that brings units back when their time has come.
import { globSync } from "node:fs";
import { deadlineCommand, deadlineSpecs } from "./deadline-command.ts";
import { endsFile, endsSpecFile, sweepFile } from "./deadline-files.ts";
import { deadlineOracle, deadlineProjection } from "./deadline-projection.ts";
import { featureFile, folderOf } from "./feature-files.ts";
import type { Field } from "./fields.ts";
import { fieldsOf } from "./fields.ts";
import { addAbove, addEntry, addImport, addModule } from "./insert.ts";
import { camel, checked, kebab, pascal } from "./names.ts";
import { addProjection } from "./registrations.ts";
import { CHANGELOG, everyItemEvent, everyTable, serverSpecs } from "./specs.ts";
import type { Tree } from "./tree.ts";
import { NewProblem } from "./tree.ts";

/** Everything that the files of a deadline name. */
export type DeadlineNames = {
  readonly feature: string;
  /** EndOverdueReservation, endOverdueReservation */
  readonly command: string;
  readonly decider: string;
  /** Reservation, reservation: one entry of the item's state, and what files are called after it. */
  readonly entry: string;
  readonly file: string;
  /** reservations: the state's list, and the read table. */
  readonly list: string;
  readonly table: string;
  readonly holding: string;
  /** What an entry says besides its units; one of them is the time. */
  readonly fields: readonly Field[];
  readonly time: string;
  /** The event and the command that set units aside, and those that bring them back. */
  readonly begin: Happening;
  readonly end: Happening;
  /** reservation: what the files of both commands end in. */
  readonly commands: string;
};

export type Happening = {
  readonly type: string;
  readonly decider: string;
  /** /inventory/reserve */
  readonly path: string;
};

/** Makes the command, the read table, the sweep and its start; returns what is left to a person. */
export function newDeadline(
  tree: Tree,
  name: string | undefined,
  options: { readonly feature: string | undefined; readonly ends?: string | undefined },
): readonly string[] {
  const command = checked("command", name);
  const names = namesOf(tree, command, checked("feature", options.feature), options.ends);
  const { feature, file, table } = names;
  const folder = folderOf(feature);
  const deciders = `${folder}/decider-${names.commands}`;
  tree.change(`${deciders}.ts`, (text) => addModule(text, deadlineCommand(names)));
  const nth = tree.read(`${deciders}.test.ts`).split("\ndescribe(").length;
  tree.change(`${deciders}.test.ts`, (text) => addModule(text, deadlineSpecs(names, nth)));
  const projection = `projection-${kebab(table)}`;
  tree.create(`${folder}/${projection}.ts`, deadlineProjection(names));
  tree.create(`${folder}/${projection}.test.ts`, deadlineOracle(names));
  addProjection(tree, feature, `${names.list}Projection`, `${projection}.ts`);
  tree.create(`${folder}/${file}-sweep.ts`, sweepFile(names));
  tree.create(`services/process/${file}-ends.ts`, endsFile(names));
  tree.create(`services/process/${file}-ends.test.ts`, endsSpecFile(names));
  startInWorker(tree, names);
  fillTable(tree, names);
  return [
    `${deciders}.ts and its specs: whether ${names.begin.type} refuses a time that is over already, and other rules of the store`,
    `${folder}/queries.ts: the units of ${table} by item_id, as heldInTrades sums those of trades, with "${table}" in readsFrom of routes.ts, also of the timeline, and of routes-as-of.ts; for web/shared/item/held-units.tsx`,
    "`npm run fingerprints` and `npm run expected-schema`",
    CHANGELOG,
    ...serverSpecs(
      [
        `services/process/${file}-ends`,
        `${folder}/${projection}`,
        deciders,
        // They fail for a call that reads the table without naming it.
        `${folder}/routes.test`,
        `${folder}/routes-as-of`,
      ],
      [...everyItemEvent, ...everyTable],
    ),
  ];
}

/** Throws unless the event takes units off a list whose entries have a time that it names too. */
function namesOf(
  tree: Tree,
  command: string,
  feature: string,
  ends: string | undefined,
): DeadlineNames {
  const type = checked("event", ends);
  const path = featureFile(tree, feature, "streams.ts");
  const streams = tree.read(path);
  const [, list = "", taken = ""] =
    new RegExp(
      `is\\(${type}, event\\)\\) \\{\\s*const \\{ data \\} = event;\\s*return \\{\\s*\\.\\.\\.state,\\s*(\\w+): withoutUnits\\(([^]*?)\\}\\s*;`,
      "u",
    ).exec(streams) ?? [];
  const [, entry = ""] =
    new RegExp(`readonly ${list}: readonly (\\w+)\\[\\];`, "u").exec(streams) ?? [];
  const [, said = ""] =
    new RegExp(`^export type ${entry} = \\{([^}]*)\\};`, "mu").exec(streams) ?? [];
  const [, begin = ""] =
    new RegExp(
      `is\\((\\w+), event\\)\\) \\{\\s*const \\{ data \\} = event;\\s*return \\{\\s*\\.\\.\\.state,\\s*${list}: \\[`,
      "u",
    ).exec(streams) ?? [];
  if (list === "" || entry === "" || begin === "") {
    throw new NewProblem(
      `${type} brings back no units that are set aside: make both events first, with --to and --from (services/README.md)`,
    );
  }
  const kept = [...said.matchAll(/readonly (\w+):/gu)].map(([, one = ""]) => one);
  const matched = new Set([...taken.matchAll(/one\.(\w+) ===/gu)].map(([, one = ""]) => one));
  const fields = fieldsOf(kept.filter((one) => one !== "units").join(","));
  const times = fields.filter((field) => field.name.endsWith("At"));
  const [time] = times;
  if (time === undefined || times.length > 1 || fields.some((field) => !matched.has(field.name))) {
    throw new NewProblem(
      `${type} must name one time, such as untilAt, and everything else that ${begin} says: give both the same --fields`,
    );
  }
  const commands = filesOf(tree, feature, type);
  const names = {
    feature,
    command,
    decider: camel(command),
    entry,
    file: kebab(entry),
    list,
    table: kebab(list).replaceAll("-", "_"),
    holding: `${camel(entry)}Holding`,
    fields,
    time: time.name,
    begin: happening(tree, feature, commands, begin),
    end: happening(tree, feature, commands, type),
    commands,
  };
  if (tree.projectionFiles().some((one) => tree.read(one).includes(`name: "${names.table}"`))) {
    throw new NewProblem(`${names.table} already exists: one worker ends what is in it`);
  }
  return names;
}

/** What the files of the command end in that makes the event. */
function filesOf(tree: Tree, feature: string, type: string): string {
  const path = globSync(`${folderOf(feature)}/decider-*.ts`, { cwd: tree.root }).find(
    (one) =>
      !one.endsWith(".test.ts") && new RegExp(`emit\\(\\s*${type},`, "u").test(tree.read(one)),
  );
  const file = /decider-([\w-]+)\.ts$/u.exec(path ?? "")?.[1];
  if (file === undefined || !tree.has(`${folderOf(feature)}/routes-${file}.ts`)) {
    throw new NewProblem(
      `No decider-*.ts of ${feature} with routes of the same name makes ${type}`,
    );
  }
  return file;
}

/** The command that makes an event, with the address of its call. */
function happening(tree: Tree, feature: string, file: string, type: string): Happening {
  const text = tree.read(`${folderOf(feature)}/decider-${file}.ts`);
  const before = text.slice(0, new RegExp(`emit\\(\\s*${type},`, "u").exec(text)?.index ?? 0);
  const decider = [...before.matchAll(/^export const (\w+): Decider</gmu)].at(-1)?.[1] ?? "";
  const calls = tree.read(`${folderOf(feature)}/routes-${file}.ts`).split("routes.post(");
  const path = calls
    .find((call) => call.includes(`jsonBody(${decider}Request)`))
    ?.match(/^\s*"([^"]+)"/u)?.[1];
  if (decider === "" || path === undefined) {
    throw new NewProblem(`routes-${file}.ts sends no command that makes ${type}`);
  }
  return { type, decider, path };
}

function startInWorker(tree: Tree, { file, list }: DeadlineNames): void {
  const start = `startEnding${pascal(list)}`;
  tree.change("services/process/start-worker.ts", (text) =>
    addImport(
      addEntry(text, ["function startByTimer(", "return ["], `    ${start}(deps)`),
      [start],
      `./${file}-ends.ts`,
    ),
  );
}

/** Two tests damage each read table, so each must have rows there. */
function fillTable(tree: Tree, { begin, fields }: DeadlineNames): void {
  const body = (item: string, person: string) =>
    [
      `itemId: ${item}`,
      "units: 1",
      ...fields.map(
        ({ name, isPerson, sample }) => `${name}: ${isPerson ? person : JSON.stringify(sample)}`,
      ),
    ].join(", ");
  tree.change("scripts/tamper/fill.ts", (text) =>
    addAbove(
      text,
      '  await call("POST", "/inventory/master/sale", admin, {',
      `  await call("POST", "${begin.path}", admin, { ${body("idIn(item)", "consignor.uid")} });`,
    ),
  );
  tree.change("services/proof/prove-books.test.ts", (text) =>
    addAbove(
      text,
      '  const own = { itemName: "Tray", barcode1: "tray-1", quantity: 2 };',
      `  await call("${begin.path}", admin, { ${body("itemID", "avery.uid")} });`,
    ),
  );
}
