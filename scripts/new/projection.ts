// `npm run new -- projection sales_per_item --in sales`: a read table with its oracle, its query and the call that reads it.
import { exportIn, featureFile, folderOf, streamOf } from "./feature-files.ts";
import { camel, checked, kebab, pascal } from "./names.ts";
import type { ProjectionNames } from "./projection-files.ts";
import { oracleFile, projectionFile, queriesFile, readRoutesFile } from "./projection-files.ts";
import { rowsOfTests } from "./rows-of-tests.ts";
import { addAccess, addProjection, addRoutes } from "./registrations.ts";
import { CHANGELOG, everyTable, serverSpecs } from "./specs.ts";
import type { Tree } from "./tree.ts";
import { NewProblem } from "./tree.ts";

export type NewProjectionOptions = {
  readonly feature: string | undefined;
  /** Category of the streams that make a row; the feature's first one if none is named. */
  readonly stream: string | undefined;
  /** What a row is: the category of the streams. Needed where the name says something else. */
  readonly key?: string | undefined;
  /** Without a query and a call: nobody lists the rows. */
  readonly isTableOnly?: boolean;
};

/** Makes the files and registrations; returns what is left to a person. */
export async function newProjection(
  tree: Tree,
  name: string | undefined,
  options: NewProjectionOptions,
): Promise<readonly string[]> {
  const table = checked("projection", name);
  const feature = checked("feature", options.feature);
  const stream = await streamOf(tree, feature, options.stream);
  refuseOtherKey(table, stream.category, options.key);
  const names: ProjectionNames = {
    table,
    feature,
    stream,
    name: camel(table),
    typeName: pascal(table),
    file: kebab(table),
  };
  refuseKnown(tree, names);
  const folder = folderOf(feature);
  tree.create(`${folder}/projection-${names.file}.ts`, projectionFile(names));
  tree.create(`${folder}/projection-${names.file}.test.ts`, oracleFile(names));
  addProjection(tree, feature, `${names.name}Projection`, `projection-${names.file}.ts`);
  const isRead = options.isTableOnly !== true;
  if (isRead) {
    addReads(tree, names);
  }
  return [
    `${folder}/projection-${names.file}.ts: what a row is, and the step that makes it; at first it is one ${stream.category}`,
    `${folder}/projection-${names.file}.test.ts: the oracle; one spec fails until it says what a row is`,
    ...(isRead
      ? [
          `${folder}/queries-${names.file}.ts, routes-${names.file}.ts and contract.ts: what the call reads`,
        ]
      : []),
    ...rowsOfTests(tree, stream.category),
    `\`npm run fingerprints\` once the projection is finished; \`npm run fingerprints -- --same ${table}\` if you change it again before a store has it; afterwards raise its version first`,
    ...(isRead ? [CHANGELOG] : []),
    ...serverSpecs([`${folder}/projection-${names.file}`], everyTable),
  ];
}

/** A query of the rows, and the call that lists them. */
function addReads(tree: Tree, names: ProjectionNames): void {
  const folder = folderOf(names.feature);
  tree.create(`${folder}/queries-${names.file}.ts`, queriesFile(names));
  tree.create(`${folder}/routes-${names.file}.ts`, readRoutesFile(names));
  addToContract(tree, names);
  addRoutes(tree, names.feature, `${names.name}Routes`, `routes-${names.file}.ts`);
  addAccess(tree, `GET /api/${names.file}`, 200);
}

/** A name that says per day is asked about: a row is a stream at first, and a step knows no day of the store. */
function refuseOtherKey(table: string, category: string, key: string | undefined): void {
  const period = /_per_(?:\w+_)?(day|week|month|year)$/u.exec(table)?.[1];
  if (key !== undefined && key !== category) {
    throw new NewProblem(
      `--key ${key}: a row is one ${category} at first, so --key is ${category}; for rows of other streams use --stream`,
    );
  }
  if (period !== undefined && key === undefined) {
    throw new NewProblem(
      `The name says per ${period}, but a row is one ${category} at first. A step does not know the store's time zone: ` +
        `keep a row per ${category} with its time and an index on it, and group in the query by ` +
        `date_trunc('${period}', at at time zone zone), with the zone of deps.store.timeZone(). A period begins at ` +
        `midnight(day, zone) of services/http/midnight.ts, and generate_series has the ${period}s without rows. ` +
        `Closed months keep the days of an earlier zone: services/README.md says how to count as the lists do. ` +
        `If that is what you want, add --key ${category}`,
    );
  }
}

function refuseKnown(tree: Tree, { table }: ProjectionNames): void {
  const there = tree.projectionFiles().find((path) => tree.read(path).includes(`name: "${table}"`));
  if (there !== undefined) {
    throw new NewProblem(`${table} already exists in ${there}`);
  }
}

function addToContract(tree: Tree, { feature, name, typeName, file }: ProjectionNames): void {
  const path = featureFile(tree, feature, "contract.ts");
  exportIn(tree, path, /(z\.object|z\.strictObject)\(/u);
  tree.change(
    path,
    (text) => `${text}
const ${name}Row = z.object({
  id: z.string(),
  events: z.int(),
});
export type ${typeName}Row = z.output<typeof ${name}Row>;

/** GET /${file} */
export const ${name}Response = z.object({ rows: z.array(${name}Row) });
export type ${typeName}Response = z.output<typeof ${name}Response>;
`,
  );
}
