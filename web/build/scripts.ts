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

/** Parts of the charts' drawings. The dashboard loads them: in `kit`, they would make it load all of `kit`. */
const ofDrawings = /\/web\/ui\/chart-/;

/** The other everyday parts of the screens: one script instead of dozens of tiny ones. */
export function isEveryday(id: string, graph: ModuleGraph): boolean {
  return (
    (/\/web\/(?:ui|lib)\//.test(id) && !ofDrawings.test(id) && !standsOnDemand(id, graph)) ||
    /\/services\/.*\/(?:contract(?:-[\w-]+)?|fields|money)\.ts$|\/node_modules\/lucide-react\/.*\/icons\//.test(
      id,
    )
  );
}

let firstNeeded: ReadonlySet<string> | undefined;

export function isFirst(id: string, graph: ModuleGraph): boolean {
  firstNeeded ??= neededBy(firstModules, graph);
  return firstNeeded.has(id);
}

/** Parts that several features share, if a screen needs them at once. */
export function isPart(id: string, graph: ModuleGraph): boolean {
  return /\/web\/shared\//.test(id) && !standsOnDemand(id, graph);
}
