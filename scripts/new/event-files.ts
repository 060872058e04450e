// The new files of an event: its command's decider, and the call that sends it with what that takes and gives.
import type { StreamNames } from "./feature-files.ts";
import type { SetAside } from "./event-set-aside.ts";
import type { Field } from "./fields.ts";
import { camel, kebab, sentence } from "./names.ts";

export type EventNames = {
  /** ItemReserved */
  readonly type: string;
  /** ReserveItem */
  readonly command: string;
  readonly feature: string;
  readonly stream: StreamNames;
  /** reserveItem */
  readonly decider: string;
  /** reservation: what the names of the files end in. */
  readonly file: string;
  /** /inventory/reserve-item */
  readonly path: string;
  readonly fields: readonly Field[];
  /** Where the item's units go, or where they come back from: reservationHolding. */
  readonly moves: { readonly way: "to" | "from"; readonly holding: string } | null;
  /** What the item's state says of the units; null where nothing is set aside or a person has to say it. */
  readonly setAside: SetAside | null;
  /** A command that these files have already, which is sent before this one. */
  readonly before: {
    readonly decider: string;
    readonly path: string;
    /** What it says and this one does not; null if that cannot be made up. */
    readonly more: readonly Field[] | null;
  } | null;
};

/** Events of items say whose the item was, which decides who may see them. */
export const isOfItem = ({ stream }: EventNames): boolean => stream.category === "item";

/** The names of an event's data. */
export function dataNames(names: EventNames): readonly string[] {
  const owner = isOfItem(names) ? ["ownerUid"] : [];
  return [names.stream.idName, ...owner, ...names.fields.map(({ name }) => name)];
}

/** What a command says, besides the time. */
export const commandNames = ({ stream, fields }: EventNames): readonly string[] => [
  stream.idName,
  ...fields.map(({ name }) => name),
];

/** People who get something by the event. Nobody gets anything where units only come back. */
export const recipients = ({ fields, moves }: EventNames): readonly Field[] =>
  moves?.way === "from" ? [] : fields.filter(({ isPerson }) => isPerson);

/** Whether its item may be deleted when the command comes. Nothing is deleted while units of it are set aside. */
const isArchivable = ({ moves, setAside }: EventNames): boolean =>
  moves?.way !== "from" || setAside === null;

const importOf = (names: readonly string[], from: string): string =>
  names.length === 0 ? "" : `import { ${names.join(", ")} } from "${from}";\n`;

export function deciderFile(names: EventNames): string {
  const { type, command, feature, stream, decider, file, fields, moves } = names;
  const { idName, idOf } = stream;
  const people = recipients(names);
  const own = isOfItem(names)
    ? [
        ...(isArchivable(names) ? ["itemArchived"] : []),
        "itemNotFound",
        ...(moves === null ? [] : ["itemHolding", moves.holding]),
      ]
    : [];
  const taking = moves?.way === "to";
  const fromStreams = taking
    ? [stream.definition, idOf, moves.holding, "takeUnits"]
    : [stream.definition, idOf, ...own];
  const streams = [
    `${idOf}(${idName})`,
    ...people.map(({ name }) => `...recipientStreams(${name})`),
  ];
  return `// Decides ${file === kebab(command) ? command : `the commands about a ${file.replaceAll("-", " ")}`}.
import type { Decider } from "#ledger/decider.ts";
${importOf(["accept", ...(isOfItem(names) && keeping(names) === "" ? [] : ["reject"])], "#ledger/decider.ts")}import { emit } from "#ledger/event.ts";
${importOf(moves?.way === "from" ? ["moveUnits"] : [], "#ledger/posting.ts")}import { ${type} } from "#features/${feature}/events.ts";
${importOf(keeping(names) === "" ? [] : ["unitsIn"], `#features/${feature}/set-aside.ts`)}${importOf(fromStreams, `#features/${feature}/streams.ts`)}${importOf(people.length === 0 ? [] : ["recipientStreams", "refuseRecipient"], "#features/users/streams.ts")}
export type ${command} = {
  readonly ${idName}: string;
${fields.map(({ name, type: is }) => `  readonly ${name}: ${is};\n`).join("")}  readonly happenedAt: string;
};

export type ${command}Answer = { readonly ${idName}: string; readonly version: number };

/** ${rejections(names)} */
export const ${decider}: Decider<${command}, ${command}Answer> = {
  type: "${command}",
  streams: (${parameter(
    people.map(({ name }) => name),
    idName,
  )}) => [${streams.join(", ")}],
  decide: ({ ${commandNames(names).join(", ")}, happenedAt }, states) => {
${people.map(({ name }) => refusal(name, people.length === 1)).join("")}${deciding(names)}    const event = emit(
      ${type},
      { ${dataNames(names).join(", ")} },
      { streams: [${idOf}(${idName})], ${movements(names)}happenedAt },
    );
    return accept([event], { ${idName}, version: ${taking ? "taken.version" : "version"} + 1 });
  },
};
`;
}

const parameter = (people: readonly string[], idName: string): string =>
  `{ ${[idName, ...people].join(", ")} }`;

function rejections(names: EventNames): string {
  const { stream, moves } = names;
  const missing = [
    ...(recipients(names).length === 0 ? [] : ["consignor_not_found"]),
    `${stream.category}_not_found`,
  ];
  const found = missing.map((code) => `\`${code}\``).join(", ");
  const more =
    moves?.way === "to"
      ? ", `not_enough_stock`"
      : keeping(names) === ""
        ? ""
        : "`not_enough_set_aside`";
  const conflicts = `${isArchivable(names) ? "`item_archived`" : ""}${more}`;
  return `Rejects 404 ${found}${isOfItem(names) ? `; 409 ${conflicts}` : ""}.`;
}

function refusal(name: string, isOnly: boolean): string {
  const refused = isOnly ? "refusal" : `${name}Refusal`;
  return `    const ${refused} = refuseRecipient(states, ${name});
    if (${refused} !== null) {
      return ${refused};
    }
`;
}

/** How it finds what the command is about, and refuses it if it is not there. */
function deciding(names: EventNames): string {
  const { stream, moves } = names;
  const { idName, idOf, definition, category } = stream;
  const found = `states.get(${definition}, ${idOf}(${idName}))`;
  if (moves?.way === "to") {
    return `    const { ownerUid } = ${found}.state;
    const to = ${moves.holding}.of(${idName});
    const taken = takeUnits(states, { ${idName}, ownerUid, units, to });
    if (taken.kind === "rejected") {
      return taken;
    }
`;
  }
  if (isOfItem(names)) {
    return `    const { version, state } = ${found};
    const { exists, ${isArchivable(names) ? "archived, " : ""}ownerUid } = state;
    if (!exists) {
      return itemNotFound;
    }
${isArchivable(names) ? "    if (archived) {\n      return itemArchived;\n    }\n" : ""}${keeping(names)}`;
  }
  return `    const { version } = ${found};
    if (version === 0) {
      return reject(404, "${category}_not_found", "There is no such ${category}");
    }
`;
}

/** Refuses to bring back more than is set aside. */
function keeping({ moves, setAside }: EventNames): string {
  if (moves?.way !== "from" || setAside === null) {
    return "";
  }
  const { list, shared } = setAside;
  const matches = shared.map((name) => `one.${name} === ${name}`).join(" && ");
  const entries =
    shared.length === 0 ? `state.${list}` : `state.${list}.filter((one) => ${matches})`;
  return `    const kept = unitsIn(${entries});
    if (units > kept) {
      return reject(409, "not_enough_set_aside", \`Only \${kept} set aside\`, { kept });
    }
`;
}

function movements({ moves, stream }: EventNames): string {
  if (moves === null) {
    return "";
  }
  const id = stream.idName;
  return moves.way === "to"
    ? "movements: taken.movements, "
    : `movements: moveUnits(${moves.holding}.of(${id}), itemHolding.of(${id}), units), `;
}

export function contractFile({ stream, decider, file, path, fields }: EventNames): string {
  const { idName, idSchema } = stream;
  const imports = new Set([idSchema, ...fields.flatMap(({ contractImports }) => contractImports)]);
  const named = (name: string, schema: string) => (name === schema ? name : `${name}: ${schema}`);
  const shape = [
    named(idName, idSchema),
    ...fields.map(({ name, inContract }) => named(name, inContract)),
  ];
  return `// What the calls of routes-${file}.ts take and give.
import * as z from "zod/mini";
import { ${[...imports].join(", ")} } from "#ledger/fields.ts";

/** POST ${path} */
export const ${decider}Request = z.strictObject({ ${shape.join(", ")} });
export const ${decider}Response = z.object({
  message: z.string(),
  ${idName}: z.string(),
  version: z.int(),
});
`;
}

/** The imports of a routes file, and the call. */
export function routeParts(names: EventNames): {
  readonly imports: string;
  readonly call: string;
} {
  const { type, command, feature, stream, decider, file, path } = names;
  const people = recipients(names);
  return {
    imports: `import { Hono } from "hono";
import { admin, rehearsable } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
${importOf(people.length === 0 ? [] : ["requireProfile"], "#http/known-person.ts")}import { jsonBody } from "#http/validate.ts";
import { ${decider}Request, ${decider}Response } from "#features/${feature}/contract-${file}.ts";
import { ${decider} } from "#features/${feature}/decider-${file}.ts";
`,
    call: `  routes.post(
    "${path}",
    rehearsable(admin),
    documented({ summary: "${sentence(command)}", tag: "${feature}", answer: ${decider}Response }),
    jsonBody(${decider}Request),
    async (c) => {
      const command = { ...c.req.valid("json"), happenedAt: deps.clock().toISOString() };
${people.map(({ name }) => `      await requireProfile(deps, command.${name});\n`).join("")}      const { ${stream.idName}, version } = await runCommand(c, deps.ledger, ${decider}, command);
      return c.json({ message: "${sentence(type)}", ${stream.idName}, version });
    },
  );`,
  };
}

export const routesName = (file: string): string => `${camel(file)}Routes`;

export function routesFile(names: EventNames): string {
  const { imports, call } = routeParts(names);
  return `// The calls that send the commands of decider-${names.file}.ts.
${imports}
export function ${routesName(names.file)}(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
${call}
  return routes;
}
`;
}
