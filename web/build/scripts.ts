// Decides which script a module goes into: the first one, the one shared by many screens, or the screen's own.
import { moduleAt, neededBy, type ModuleGraph } from "./module-graph.ts";

/** What nearly every visitor loads first: the app and its first two screens. One script compresses better than several. */
const firstModules = [
  "main.tsx",
  "features/login/login-screen.tsx",
  "features/dashboard/dashboard-screen.tsx",
].map(moduleAt);

/** Libraries that are loaded only when a part that uses them is opened. */
const onDemand = /\/node_modules\/(?:@base-ui|@floating-ui|@tanstack|bwip-js)\//;

function standsOnDemand(id: string, graph: ModuleGraph): boolean {
  return [...neededBy([id], graph)].some((needed) => onDemand.test(needed));
}

/**
 * The other everyday parts of the screens: one script instead of dozens of tiny ones. A contract comes with the screens
 * that use it, because the first screens would otherwise load the contracts of all features.
 */
export function isEveryday(id: string, graph: ModuleGraph): boolean {
  return (
    (/\/web\/(?:ui|lib)\//.test(id) && !standsOnDemand(id, graph)) ||
    /\/services\/ledger\/(?:fields|money)\.ts$|\/node_modules\/lucide-react\/.*\/icons\//.test(id)
  );
}

let firstNeeded: ReadonlySet<string> | undefined;

export function isFirst(id: string, graph: ModuleGraph): boolean {
  firstNeeded ??= neededBy(firstModules, graph);
  return firstNeeded.has(id);
}
