// What `npm run new` reads of a feature before it adds to it: its folder, its lists, and the streams it declares.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { checked } from "./names.ts";
import type { Tree } from "./tree.ts";
import { NewProblem } from "./tree.ts";

/** One stream of a feature, by the names that its streams.ts exports. */
export type StreamNames = {
  readonly category: string;
  readonly definition: string;
  /** The function from an id to the stream's id. */
  readonly idOf: string;
  /** Its parameter's name: `itemId`. */
  readonly idName: string;
  /** The schema of such ids in ledger/fields.ts, and an example. */
  readonly idSchema: "uid" | "uuid";
  readonly sampleId: string;
};

export const folderOf = (feature: string): string => `services/features/${feature}`;

/** The folder of a registered feature that has this file. */
export function featureFile(tree: Tree, feature: string, file: string): string {
  checked("feature", feature);
  const path = `${folderOf(feature)}/${file}`;
  const isRegistered = new RegExp(`(?:name: |routesOnly\\(\\s*)"${feature}"`, "u");
  if (!isRegistered.test(tree.read("services/features.ts"))) {
    throw new NewProblem(`There is no feature ${feature} in services/features.ts`);
  }
  if (!tree.has(path)) {
    throw new NewProblem(`The feature ${feature} has no ${file} yet: make ${path} first`);
  }
  return path;
}

/** A stream of the feature by its category; if none is named, the first one with an id. */
export async function streamOf(
  tree: Tree,
  feature: string,
  wanted: string | undefined,
): Promise<StreamNames> {
  const path = featureFile(tree, feature, "streams.ts");
  const text = tree.read(path);
  const module: unknown = await import(pathToFileURL(join(tree.root, path)).href);
  const exported = Object.entries(Object(module));
  const streams = exported.flatMap(([definition, value]) => {
    const category: unknown = Reflect.get(Object(value), "category");
    if (typeof category !== "string") {
      return [];
    }
    const naming = exported.find(([, make]) => names(make, category));
    return naming === undefined ? [] : [namesOf(category, definition, naming[0], text)];
  });
  const stream = streams.find(({ category }) => wanted === undefined || category === wanted);
  if (stream === undefined) {
    const known = streams.map(({ category }) => category).join(", ");
    throw new NewProblem(
      `${path} declares no stream ${wanted ?? "with an id of one part"}. It has: ${known || "none"}`,
    );
  }
  return stream;
}

/** Whether an export is the function that makes the category's stream ids. */
function names(make: unknown, category: string): boolean {
  if (typeof make !== "function" || make.length !== 1) {
    return false;
  }
  try {
    return Reflect.apply(make, undefined, ["x"]) === `${category}-x`;
  } catch {
    // It takes something other than an id.
    return false;
  }
}

function namesOf(category: string, definition: string, idOf: string, text: string): StreamNames {
  const idName =
    new RegExp(`\\b${idOf}\\(\\s*(\\w+): string`, "u").exec(text)?.[1] ??
    new RegExp(`\\b${idOf} = \\(\\s*(\\w+): string`, "u").exec(text)?.[1] ??
    `${category}Id`;
  const isPerson = idName === "uid";
  return {
    category,
    definition,
    idOf,
    idName,
    idSchema: isPerson ? "uid" : "uuid",
    sampleId: isPerson ? "avery-000000000000001" : "00000000-0000-4000-8000-000000000001",
  };
}

/** The name of the one export of a file that matches the pattern. */
export function exportIn(tree: Tree, path: string, pattern: RegExp): string {
  const name = pattern.exec(tree.read(path))?.[1];
  if (name === undefined) {
    throw new NewProblem(`${path} exports nothing like ${pattern.source}`);
  }
  return name;
}
