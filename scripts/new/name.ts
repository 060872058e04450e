// `npm run new -- name reservation_holding "reservation:" --in inventory --words reserved`: the name of a holding or an account, in TypeScript and SQL.
import { defineName } from "#ledger/names.ts";
import { exportIn, featureFile } from "./feature-files.ts";
import { addBefore, addEntry, addImport } from "./insert.ts";
import { camel, checked, sentence } from "./names.ts";
import type { Tree } from "./tree.ts";
import { NewProblem } from "./tree.ts";

export type NewNameOptions = {
  readonly feature: string | undefined;
  /** What stands before the id, and after it. */
  readonly prefix: string | undefined;
  readonly suffix: string | undefined;
  /** What people call it, after the name of the item: reserved. */
  readonly words?: string | undefined;
};

const PLACES = "services/features/audit/places.ts";

/** What the audit log calls it at first: its name, and the item or the beginning of the id. Units of an item are its owner's. */
function addPlaceWords(
  tree: Tree,
  sqlName: string,
  { feature, words: given }: NewNameOptions,
): void {
  const words = sentence(sqlName.replace(/_(?:holding|account)$/u, ""));
  const label =
    feature === "inventory"
      ? `(id, names) => \`\${itemOf(id, names)}, ${given === undefined ? words.toLowerCase() : checked("words", given)}\``
      : `(id) => \`${words} \${shortIdOf(id)}\``;
  tree.change(PLACES, (text) => {
    const called = addEntry(
      text,
      ["export const placeWords: ", " = ["],
      `  [${camel(sqlName)}, ${label}]`,
    );
    const isOfItems = feature === "inventory" && sqlName.endsWith("_holding");
    return addImport(
      isOfItems ? addEntry(called, ["const holdingsOfItems: ", " = ["], camel(sqlName)) : called,
      [camel(sqlName)],
      `#features/${feature}/streams.ts`,
    );
  });
}

/** Declares the name and writes the migration; returns what is left to a person. */
export function newName(
  tree: Tree,
  name: string | undefined,
  options: NewNameOptions,
): readonly string[] {
  const sqlName = checked("name", name);
  const feature = checked("feature", options.feature);
  const prefix = checked("prefix", options.prefix);
  const suffix = options.suffix === undefined ? "" : checked("suffix", options.suffix);
  const streams = featureFile(tree, feature, "streams.ts");
  const list = exportIn(tree, streams, /^export const (\w+Names) = \[/mu);
  if (tree.read(streams).includes(`"${sqlName}"`)) {
    throw new NewProblem(`${sqlName} already exists in ${streams}`);
  }
  const args = [sqlName, prefix, suffix].filter((part) => part !== "");
  const declared = `${camel(sqlName)} = defineName(${args.map((arg) => `"${arg}"`).join(", ")})`;
  tree.change(streams, (text) =>
    addImport(
      addEntry(
        addBefore(text, `export const ${list} = [`, `export const ${declared};`),
        [`export const ${list} = [`],
        camel(sqlName),
      ),
      ["defineName"],
      "#ledger/names.ts",
    ),
  );
  addPlaceWords(tree, sqlName, options);
  const migration = `migrations/${tree.nextMigration()}_${sqlName}.sql`;
  tree.create(migration, migrationOf(sqlName, streams, defineName(sqlName, prefix, suffix).sql));
  return [
    `${streams}: what it is, in a comment above ${camel(sqlName)}; an event with --to says it for units that are set aside`,
    ...(options.words === undefined
      ? [`${PLACES}: what people call it in the audit log, if \`--words\` did not say it`]
      : []),
    "`npm run expected-schema`, which records the schema that the new migration makes",
    "`npm run vitest -- run services/names services/db/schema-snapshot`, which compare the declaration with the migration",
  ];
}

function migrationOf(
  sqlName: string,
  streams: string,
  bodies: Readonly<Record<string, string>>,
): string {
  const functions = Object.entries(bodies).map(
    ([head, body]) =>
      `create function log.${head} returns ${head.startsWith("is_") ? "boolean" : "text"} language sql immutable parallel safe
  as $$ ${body} $$;`,
  );
  return `-- ${sentence(sqlName)}: the name that ${streams} declares, for SQL.\n\n${functions.join("\n")}\n`;
}
