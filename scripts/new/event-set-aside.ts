// Units that an event sets aside: what the item's state says of them, and what refuses while there are any.
import { folderOf } from "./feature-files.ts";
import type { Field } from "./fields.ts";
import { addBefore, addEntry, addImport, addModule } from "./insert.ts";
import { camel, pascal } from "./names.ts";
import { nextVersion, recordedVersions, replaced, replacedMatch } from "./raise.ts";
import { leaveUnsoldSince, refuseNewerGoods } from "./set-aside-elsewhere.ts";
import type { Tree } from "./tree.ts";
import { NewProblem } from "./tree.ts";

export type SetAside = {
  /** Reservation: one entry of the state. */
  readonly entry: string;
  /** reservations: the state's list of them. */
  readonly list: string;
  /** What both events say, so that the later one finds the entry: uid. */
  readonly shared: readonly string[];
};

type Asked = {
  readonly type: string;
  readonly feature: string;
  readonly fields: readonly Field[];
  readonly moves: { readonly way: "to" | "from"; readonly holding: string } | null;
  /** What the command before says in addition; null if that cannot be made up. */
  readonly more: readonly Field[] | null;
};

/** " for `uid` until `untilAt`": what the fields say about why units are set aside. */
export function forWhom(fields: readonly Field[]): string {
  const people = fields.filter(({ isPerson }) => isPerson).map(({ name }) => ` for \`${name}\``);
  const times = fields.filter(isTime).map(({ name }) => ` until \`${name}\``);
  return [...people, ...times].join("");
}

/** A field that says when. */
export const isTime = ({ name }: Pick<Field, "name">): boolean => name.endsWith("At");

const streamsOf = (feature: string): string => `${folderOf(feature)}/streams.ts`;
const isIn = (text: string, entry: string): boolean => text.includes(`export type ${entry} = {`);

/** Null where a person has to say what a command must know: nothing is set aside, or in a way of its own. */
export function setAsideOf(
  tree: Tree,
  { feature, fields, moves, more }: Omit<Asked, "type">,
): SetAside | null {
  if (moves === null) {
    return null;
  }
  const base = moves.holding.replace(/Holding$/u, "");
  const said = fields.map(({ name }) => name).filter((name) => name !== "units");
  const entry = pascal(base);
  const text = tree.read(streamsOf(feature));
  if (moves.way === "to") {
    return isIn(text, entry) ? null : { entry, list: `${camel(base)}s`, shared: said };
  }
  const [, known = ""] =
    new RegExp(`^export type ${entry} = \\{([^}]*)\\};`, "mu").exec(text) ?? [];
  const shared = said.filter((name) => known.includes(`readonly ${name}: `));
  return more === null || known === "" ? null : { entry, list: `${camel(base)}s`, shared };
}

/** Adds what commands must know to the state, and the refusals of what would lose the units. */
export function addSetAside(
  tree: Tree,
  { type, feature, fields, moves, path }: Asked & { readonly path: string },
  aside: SetAside,
): void {
  if (moves?.way === "to") {
    addRefusals(tree, feature, aside);
    tree.change(streamsOf(feature), (text) =>
      withHolding(withEntries(text, fields, aside), moves.holding),
    );
    leaveUnsoldSince(tree, moves.holding);
    refuseNewerGoods(tree, aside.list, { path, fields });
  } else {
    addWithout(tree, feature);
  }
  tree.change(streamsOf(feature), (text) =>
    withCase(raised(tree, text), type, fields, aside, moves),
  );
}

const moduleOf = (feature: string): string => `${folderOf(feature)}/set-aside.ts`;

/** What holds for everything that is set aside: made with the first event. */
function addRefusals(tree: Tree, feature: string, { list }: SetAside): void {
  const path = streamsOf(feature);
  if (tree.has(moduleOf(feature))) {
    tree.change(path, (text) =>
      addEntry(
        // The first list stands alone.
        text.replace(/(return unitsIn\()(item\.\w+)\);/u, "$1[...$2]);"),
        ["export function unitsSetAside", "unitsIn(["],
        `...item.${list}`,
      ),
    );
    return;
  }
  tree.create(
    moduleOf(feature),
    `// Units of an item that are set aside, as entries of the item's state. Pure.
export type SetAside = { readonly units: number };

export function unitsIn(entries: readonly SetAside[]): number {
  return entries.reduce((sum, { units }) => sum + units, 0);
}
`,
  );
  tree.change(path, (text) =>
    addImport(
      addBefore(
        text,
        "export function freeUnits(",
        `/** The item's units that are set aside. While there are any, neither it nor its owner's account is deleted. */
export function unitsSetAside(item: ItemState): number {
  return unitsIn(item.${list});
}
`,
      ),
      ["unitsIn"],
      `#features/${feature}/set-aside.ts`,
    ),
  );
  const counting = (text: string) =>
    addImport(text, ["unitsSetAside"], `#features/${feature}/streams.ts`);
  tree.change(`${folderOf(feature)}/decider-archive.ts`, (text) =>
    counting(
      replaced(
        replaced(
          text,
          "    const { quantity: units } = state;\n",
          `    if (unitsSetAside(state) > 0) {
      return reject(409, "units_set_aside", "Units of this item are set aside: bring them back first");
    }
    const { quantity: units } = state;
`,
        ),
        "409 `item_archived`, `not_enough_stock`. The barcode",
        "409 `item_archived`, `units_set_aside`. The barcode",
      ),
    ),
  );
  tree.change("services/features/users/decider-deactivate.ts", (text) =>
    counting(replaced(text, "? item.quantity : 0", "? item.quantity + unitsSetAside(item) : 0")),
  );
  tree.change(`${folderOf(feature)}/stock.property.test.ts`, (text) =>
    counting(
      replaced(
        text,
        "expect(room.item(itemId).state.quantity).toBe(0);",
        "const left = unitsSetAside(before) > 0 ? before.quantity : 0;\nexpect(room.item(itemId).state.quantity).toBe(left);",
      ),
    ),
  );
}

/** What takes units off the list again: made with the first event that brings some back. */
function addWithout(tree: Tree, feature: string): void {
  const text = tree.read(moduleOf(feature));
  if (!text.includes("withoutUnits")) {
    tree.change(moduleOf(feature), (before) =>
      addModule(
        before,
        `/** The entries with this many units less of those that match; the oldest lose them first. */
export function withoutUnits<Entry extends SetAside>(
  entries: readonly Entry[],
  units: number,
  matches: (entry: Entry) => boolean,
): readonly Entry[] {
  let left = units;
  return entries.flatMap((entry) => {
    const taken = matches(entry) ? Math.min(left, entry.units) : 0;
    left -= taken;
    return taken === entry.units ? [] : [{ ...entry, units: entry.units - taken }];
  });
}
`,
      ),
    );
  }
}

/** The list in the item's state, with the type of its entries. */
function withEntries(text: string, fields: readonly Field[], { entry, list }: SetAside): string {
  const said = fields.map(({ name, type }) => `  readonly ${name}: ${type};\n`).join("");
  const typed = addBefore(
    text,
    "export type ItemState = {",
    `/** Units of an item that are set aside${forWhom(fields)}. */\nexport type ${entry} = {\n${said}};\n`,
  );
  const state = typed.indexOf("\nexport type ItemState = {");
  const end = typed.indexOf("\n};", state);
  const listed = `${typed.slice(0, end)}
  /** These units are not in the quantity. */
  readonly ${list}: readonly ${entry}[];${typed.slice(end)}`;
  return addEntry(listed, ["export const itemStream: ", "initial: {"], `${list}: []`);
}

/** The item's stateVersion, higher than the recorded one. */
function raised(tree: Tree, text: string): string {
  const { streams } = recordedVersions(tree);
  return replacedMatch(
    text,
    /(export const itemStream: [^]*?stateVersion: )(\d+)/u,
    (before = "", version = "") => before + nextVersion(streams["item"], version),
  );
}

/** Says of the holding what it is for, unless somebody said it. */
const withHolding = (text: string, holding: string): string =>
  text.replace(
    `\n\nexport const ${holding} = `,
    `\n\n/** Where units of an item are that are set aside; they come back to \`itemHolding\`. */\nexport const ${holding} = `,
  );

function withCase(
  text: string,
  type: string,
  fields: readonly Field[],
  { list, shared }: SetAside,
  moves: Asked["moves"],
): string {
  const said = fields.map(({ name }) => `${name}: data.${name}`).join(", ");
  const matches = shared.map((name) => `one.${name} === data.${name}`).join(" && ");
  const after =
    moves?.way === "to"
      ? `[...state.${list}, { ${said} }]`
      : `withoutUnits(state.${list}, data.units, ${shared.length === 0 ? "() => true" : `(one) => ${matches}`})`;
  const start = text.indexOf("function evolveDetails(");
  const end = text.indexOf("\n  return state;\n", start);
  if (start === -1 || end === -1) {
    throw new NewProblem("evolveDetails is not where it was expected");
  }
  const changed = `${text.slice(0, end)}
  if (is(${type}, event)) {
    const { data } = event;
    return { ...state, ${list}: ${after} };
  }${text.slice(end)}`;
  const imported = addImport(changed, [type], "#features/inventory/events.ts");
  return moves?.way === "to"
    ? imported
    : addImport(imported, ["withoutUnits"], "#features/inventory/set-aside.ts");
}
