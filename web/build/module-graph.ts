// The build's modules and their imports. Used to decide which script a module goes into.
import { fileURLToPath } from "node:url";

type ModuleInfo = {
  /** As it is bundled; null before it is loaded. */
  readonly code: string | null;
  readonly importedIds: readonly string[];
  readonly dynamicallyImportedIds: readonly string[];
};
export type ModuleGraph = { readonly getModuleInfo: (id: string) => ModuleInfo | null };

/** These modules and everything they import, statically or, if `follows` says so, on demand. */
export function neededBy(
  ids: readonly string[],
  graph: ModuleGraph,
  follows: (id: string) => boolean = () => false,
): ReadonlySet<string> {
  const needed = new Set<string>();
  function need(id: string): void {
    if (!needed.has(id)) {
      needed.add(id);
      const info = graph.getModuleInfo(id);
      info?.importedIds.forEach(need);
      info?.dynamicallyImportedIds.filter(follows).forEach(need);
    }
  }
  ids.forEach(need);
  return needed;
}

/** The id of a module, given its path in `web`. */
export const moduleAt = (path: string): string =>
  fileURLToPath(new URL(`../${path}`, import.meta.url));
