// Registers what is in files of its own: routes and projections of a feature, and who may make a call.
import { globSync } from "node:fs";
import { addEntry, addImport } from "./insert.ts";
import type { Tree } from "./tree.ts";

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

const ACCESS = "services/testing/access/calls.ts";

/** Whether a call is there: each has a row that says who may make it. */
export function hasCall(tree: Tree, call: string): boolean {
  const files = globSync("services/testing/access/*calls.ts", { cwd: tree.root });
  return files.some((path) => tree.read(path).includes(`"${call}":`));
}

/** The row that says who may make a call, and what it answers to an invalid request. */
export function addAccess(tree: Tree, call: string, status: number): void {
  tree.change(ACCESS, (text) =>
    addEntry(text, ["export const calls: ", " = {"], `  "${call}": ["admin", ${status}]`),
  );
}

/** Registers a projection of a feature: the next start makes its tables. */
export function addProjection(tree: Tree, feature: string, projection: string, file: string): void {
  tree.change("services/features.ts", (text) =>
    addEntry(
      addImport(text, [projection], `#features/${feature}/${file}`),
      [`name: "${feature}",`, "projections: ["],
      projection,
    ),
  );
}
