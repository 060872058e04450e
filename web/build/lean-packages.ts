// Keeps code of packages and contracts that no screen uses out of the screens' scripts.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const inPackages = (path: string): string =>
  fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url));

const routerBuild = inPackages("react-router/dist/production/index.mjs");

/**
 * What the router decides while the app runs and this app has decided already: it has no data router and no server of
 * React Router, so no route has loaders or error elements, and no link prefetches its route's data. It has no base path
 * either, and its routes are those of the browser's address.
 */
const routerDecisions: readonly (readonly [RegExp, string])[] = [
  [/let dataRouterState = dataRouterOpts\?\.state;/, "const dataRouterState = void 0;"],
  [
    /return dataRouterState && \(match\.route\.ErrorBoundary[^]*?\) : getChildren\(\);/,
    "return getChildren();",
  ],
  [
    /return isDataRoute \? useNavigateStable\(\) : useNavigateUnstable\(\);/,
    "return useNavigateUnstable();",
  ],
  [
    /let \[shouldPrefetch, prefetchRef, prefetchHandlers\] = usePrefetchBehavior\([^)]*\);/,
    "const prefetchRef = null, prefetchHandlers = {};",
  ],
  [/return shouldPrefetch && !isAbsolute \? [^]*? : link;/, "return link;"],
  [/dataRouterOpts && dataRouterOpts\.state\.matches\.length \? \([^]*?\) : (?=matchRoutes\()/, ""],
  [
    /let dataRouterContext = (React\d*)\.useContext\(DataRouterContext\);\s*if \(dataRouterContext && dataRouterContext\.static [^]*?\}/,
    "",
  ],
  // As a statement of its own, it would keep the class, and all that handles errors of such routes.
  [/RenderErrorBoundary\.contextType = RSCRouterContext;/, ""],
  [/warning\(\s*locationContext != null,[^;]*;/, ""],
  [
    /if \(locationArg\) \{[^]*?\} else \{\s*location = locationFromContext;\s*\}/,
    "location = locationFromContext;",
  ],
];

function decided(code: string): string {
  return routerDecisions.reduce((before, [pattern, replacement]) => {
    if (!pattern.test(before)) {
      throw new Error(`react-router has changed: the build does not find ${pattern}`);
    }
    return before.replace(pattern, replacement);
  }, code);
}

/**
 * Uses the router's production build, which the package does not export by name. Its unused parts would stay in the bundle
 * otherwise, because they are created by function calls and are given names for debugging.
 */
export function leanRouter(): Plugin {
  return {
    name: "lean-router",
    apply: "build",
    enforce: "pre",
    resolveId: { filter: { id: /^react-router$/ }, handler: () => routerBuild },
    transform: {
      filter: { id: /\/node_modules\/react-router\/dist\/production\// },
      handler: (code) => ({
        code: (code.includes("function _renderMatches(") ? decided(code) : code)
          .replaceAll(/= (React\d*)\.(forwardRef|createContext)\(/g, "= /* @__PURE__ */ $1.$2(")
          .replaceAll(/^\w+\.displayName = "\w+";$/gm, ""),
        map: null,
      }),
    },
  };
}

/**
 * Leaves out the schemas of a contract that no screen uses. A build keeps calls whose results are unused, because they might
 * do something. In a contract they only build schemas.
 */
export function leanContracts(): Plugin {
  return {
    name: "lean-contracts",
    apply: "build",
    enforce: "pre",
    transform: {
      filter: { id: /\/services\/.*\/(?:contract(?:-[\w-]+)?|fields)\.ts$/ },
      handler(code) {
        const imported = [...code.matchAll(/^import \{([^}]+)\} from "#/gm)]
          .flatMap(([, names = ""]) => names.split(","))
          .map((name) => name.trim())
          .filter((name) => /^[a-z]\w*$/.test(name));
        const calls = ["z(?=\\s*\\.)", ...imported.map((name) => `${name}(?=\\()`)];
        return {
          code: code.replaceAll(
            new RegExp(`(?<![\\w.$\`"])(?:${calls.join("|")})`, "g"),
            "/* @__PURE__ */ $&",
          ),
          map: null,
        };
      },
    },
  };
}

/** Maps `Trash2` to the file of the icon, as the package's index does. */
function iconFiles(): ReadonlyMap<string, string> {
  const folder = inPackages("lucide-react/dist/esm");
  const index = readFileSync(`${folder}/lucide-react.mjs`, "utf8");
  return new Map(
    [...index.matchAll(/^export \{ (.+) \} from '\.\/([\w/-]+\.mjs)';$/gm)].flatMap(
      ([, names = "", file = ""]) =>
        [...names.matchAll(/default as (\w+)/g)].map(
          ([, name = ""]) => [name, `${folder}/${file}`] as const,
        ),
    ),
  );
}

/** Maps `StoreIcon` to `Store`, as `ui/thing-icons.ts` does. */
function thingIcons(): ReadonlyMap<string, string> {
  const code = readFileSync(
    fileURLToPath(new URL("../ui/thing-icons.ts", import.meta.url)),
    "utf8",
  );
  return new Map(
    [...code.matchAll(/(\w+) as (\w+)/g)].map(
      ([, icon = "", thing = ""]) => [thing, icon] as const,
    ),
  );
}

/**
 * Imports each icon from its own file. Through the package's index or `thing-icons.ts`, every module that shows one icon
 * would depend on all icons, so all of them would be in the first script.
 */
export function iconsByName(): Plugin {
  const files = iconFiles();
  const things = thingIcons();
  /** `statement` is "import" or "export", `words` one of its names: "Trash2", "Store as StoreIcon". Types are erased, so the build does not need them. */
  function fromOwnFile(statement: string, words: string): string {
    const [, name = "", , own = name] = /^(\w+)( as (\w+))?$/.exec(words) ?? [];
    if (words.startsWith("type ")) {
      return "";
    }
    const file = files.get(things.get(name) ?? name);
    if (file === undefined) {
      throw new Error(`lucide-react has no file for ${words}`);
    }
    return `${statement} { default as ${own} } from ${JSON.stringify(file)};`;
  }
  return {
    name: "icons-by-name",
    apply: "build",
    enforce: "pre",
    transform: {
      filter: { id: /\/web\/.*\.tsx?$/, code: /"lucide-react"|thing-icons\.ts"/ },
      handler: (code) => ({
        code: code.replaceAll(
          /^(import|export) \{([^}]+)\} from "(?:lucide-react|[^"]+\/thing-icons\.ts)";$/gm,
          (_, statement: string, names: string) =>
            names
              .split(",")
              .map((words) => words.trim())
              .filter((words) => words !== "")
              .map((words) => fromOwnFile(statement, words))
              .join(" "),
        ),
        map: null,
      }),
    },
  };
}
