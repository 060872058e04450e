// Decides which script a module goes into. Few scripts: a browser asks for six at a time, and each costs a round trip.
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { moduleAt, neededBy, type ModuleGraph } from "./module-graph.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** What nearly every visitor loads first: the app and its first two screens. One script compresses better than several. */
const firstModules = [
  "main.tsx",
  "features/login/login-screen.tsx",
  "features/dashboard/dashboard-screen.tsx",
  "ui/step-chart-plot.tsx",
  "ui/card-sort.tsx",
].map(moduleAt);

/** Libraries that are loaded only when a part that uses them is opened. */
const heavy = /\/node_modules\/(?:@base-ui|@floating-ui|@tanstack|bwip-js)\//;
const popUps = /\/node_modules\/(?:@base-ui|@floating-ui)\//;

/** A generator of bar codes, which is larger than everything else. */
const barCodes = /\/node_modules\/bwip-js\//;

/** A screen that needs the pop-ups at once, and one that does not. */
const heavyScreen = /^web\/features\/consignors\/consignor-history-screen\.tsx$/;

/** Screens that would be a script of less than 5 kB each, and belong together. */
const families: Readonly<Record<string, string>> = {
  "confirm-email-change": "entrances",
  "discord-success": "entrances",
  "google-callback": "entrances",
  login: "entrances",
  "reset-password": "entrances",
  "verify-email": "entrances",
  "verify-statement": "entrances",
  "factor-setup": "shared-account",
  "sales-history": "shared-history",
  "admin-shipments": "shipments",
  "user-shipments": "shipments",
  marketplace: "market",
  "my-offers": "market",
  "my-trades": "market",
  audit: "records",
  security: "records",
};

/** What opens above several screens, by subject: all of a subject's dialogs and drawers are one script. */
const subjects: Readonly<Record<string, string>> = {
  account: "account",
  factor: "account",
  security: "account",
  explain: "history",
  history: "history",
  past: "history",
  rehearsal: "sale",
  sale: "sale",
  shipment: "shipment",
  trade: "trade",
};

/** Where the small screens go as long as all of them together are too small, too: to other lists of admins. */
const SMALL_SCREENS = "small-screens";
const SMALL_SCREENS_HOME = "records";

/** Less source than this becomes a script of less than 5 kB, so it goes into a larger one. */
const MIN_SOURCE = 14_000;

type Plan = {
  readonly first: ReadonlySet<string>;
  readonly names: ReadonlyMap<string, string>;
};

/** Every script that the app loads on demand, with all modules that it needs at once. */
function onDemandParts(graph: ModuleGraph): ReadonlyMap<string, ReadonlySet<string>> {
  const all = neededBy([moduleAt("main.tsx")], graph, () => true);
  const entries = [...all].flatMap((id) => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []);
  return new Map([...new Set(entries)].map((id) => [id, neededBy([id], graph)]));
}

/** The everyday parts of the screens: one script instead of dozens of tiny ones. */
const everyday =
  /^web\/(?:ui|lib|shell)\/|^services\/.*\/(?:contract(?:-[\w-]+)?|fields|money|csv-cell)\.ts$|^node_modules\/lucide-react\/.*\/icons\//;

function planOf(graph: ModuleGraph): Plan {
  const first = neededBy(firstModules, graph);
  const parts = onDemandParts(graph);
  const screens = new Set(
    [...parts].flatMap(([entry, needed]) => (entry.endsWith("-screen.tsx") ? [...needed] : [])),
  );
  const modules = new Set([...parts.values()].flatMap((needed) => [...needed]));
  const names = new Map<string, string>();
  const heavyScreens = new Set<string>();
  for (const id of modules) {
    if (!first.has(id)) {
      const uses = [...parts.values()].filter((needed) => needed.has(id)).length;
      const needed = [...neededBy([id], graph)];
      const isHeavy = needed.some((one) => heavy.test(one));
      const ofScreen = screens.has(id);
      const name = scriptOf(relative(repository, id), {
        isShared: uses > 1 || parts.has(id),
        isCommon: uses > 2,
        isHeavy,
        hasCodes: needed.some((one) => barCodes.test(one)),
        ofScreen,
      });
      if (name !== undefined) {
        names.set(id, name);
        if (isHeavy && ofScreen) {
          heavyScreens.add(name);
        }
      }
    }
  }
  return { first, names: withoutSmall(names, heavyScreens, graph) };
}

type Use = {
  /** Needed by more than one script that is loaded on demand, or one itself. */
  readonly isShared: boolean;
  /** Needed by more than two. */
  readonly isCommon: boolean;
  /** Needs a library that not every screen should load. */
  readonly isHeavy: boolean;
  /** Needs the generator of bar codes. */
  readonly hasCodes: boolean;
  /** A screen needs it at once, not only after a click. */
  readonly ofScreen: boolean;
};

/** Undefined goes where what imports it goes. `path` is relative to the repository. */
function scriptOf(
  path: string,
  { isShared, isCommon, isHeavy, hasCodes, ofScreen }: Use,
): string | undefined {
  const [, feature] = /^web\/features\/([\w-]+)\//.exec(path) ?? [];
  const [, subject] = /^web\/shared\/([\w-]+)\//.exec(path) ?? [];
  if (hasCodes) {
    return "bar-codes";
  }
  if (feature !== undefined) {
    if (feature === "dashboard") {
      // Its screen is in the first script. Its dialogs are a consignor's, as the market's.
      return "market-forms";
    }
    const family = families[feature] ?? feature;
    return ofScreen && !heavyScreen.test(path)
      ? family
      : isHeavy
        ? `${family}-forms`
        : `${family}-parts`;
  }
  if (subject !== undefined) {
    return (isCommon || ofScreen) && !isHeavy ? "kit" : `shared-${subjects[subject] ?? subject}`;
  }
  if (!isShared) {
    return undefined;
  }
  if (popUps.test(`/${path}`) || (isHeavy && path.startsWith("web/ui/"))) {
    return "pop-ups";
  }
  return everyday.test(path) && !isHeavy ? "kit" : undefined;
}

/**
 * What is too small to be a script by itself goes to its screen's script, if that needs the same libraries, or to
 * others of its kind.
 */
function withoutSmall(
  names: ReadonlyMap<string, string>,
  heavyScreens: ReadonlySet<string>,
  graph: ModuleGraph,
): ReadonlyMap<string, string> {
  function toScreen(name: string): string {
    const screen = name.replace(/-(?:parts|forms)$/, "");
    return name.endsWith("-forms") && !heavyScreens.has(screen) ? name : screen;
  }
  function toOthers(name: string): string {
    return name.startsWith("shared-")
      ? "shared-parts"
      : name.endsWith("-forms")
        ? "forms"
        : SMALL_SCREENS;
  }
  function toHome(name: string): string {
    return name === SMALL_SCREENS ? SMALL_SCREENS_HOME : name;
  }
  return [toScreen, toOthers, toHome].reduce((before, move) => {
    const sizes = new Map<string, number>();
    for (const [id, name] of before) {
      sizes.set(name, (sizes.get(name) ?? 0) + (graph.getModuleInfo(id)?.code?.length ?? 0));
    }
    const isSmall = (name: string): boolean => (sizes.get(name) ?? 0) < MIN_SOURCE;
    return new Map([...before].map(([id, name]) => [id, isSmall(name) ? move(name) : name]));
  }, names);
}

let plan: Plan | undefined;

export function isFirst(id: string, graph: ModuleGraph): boolean {
  plan ??= planOf(graph);
  return plan.first.has(id);
}

/**
 * The scripts in the order in which they take what they import, so that an everyday part stays out of a screen's own
 * script, and a screen's part out of its forms'.
 */
const orders: readonly ((name: string) => boolean)[] = [
  (name) => name === "kit",
  (name) => name === "pop-ups",
  (name) => name.startsWith("shared-"),
  (name) => name !== "bar-codes" && !name.endsWith("forms"),
  (name) => name !== "bar-codes",
  () => true,
];

/** For the build's groups of modules: the name of a module's script; null in the groups that it does not belong to. */
export const scriptGroups = orders.map((belongs, index) => ({
  debugName: `scripts-${index}`,
  name(id: string, graph: ModuleGraph): string | null {
    plan ??= planOf(graph);
    const name = plan.names.get(id);
    return name !== undefined && belongs(name) ? name : null;
  },
}));
