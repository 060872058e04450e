// The house rules that the linter cannot check, as a pure function from one file to its breaches.
import { basename, dirname, join } from "node:path/posix";
import { features } from "../services/features.ts";

/** One broken rule, with its line. */
export type Breach = { readonly path: string; readonly line: number; readonly message: string };

/** A part of the repository, and the parts it may import from. Paths are relative to the repository. */
type Layer = {
  readonly name: string;
  readonly contains: (path: string) => boolean;
  readonly mayImport: (target: string, importer: string) => boolean;
};

const aliases: readonly [string, string][] = [
  ["#config", "services/config.ts"],
  ["#web/", "web/"],
  ["#", "services/"],
];

const under =
  (...folders: string[]) =>
  (path: string) =>
    folders.some((folder) => path.startsWith(`${folder}/`));

const featureOf = (path: string): string | undefined =>
  /^services\/features\/([^/]+)\//.exec(path)?.[1];

const sameFeature = (target: string, importer: string): boolean =>
  featureOf(target) !== undefined && featureOf(target) === featureOf(importer);

/** Small pure modules that also run in the browser. */
const inBrowserToo = new Set([
  "services/ledger/money.ts",
  "services/ledger/fields.ts",
  "services/ledger/csv-cell.ts",
  "services/ledger/day-text.ts",
  "services/identity/security-kinds.ts",
]);

const isContract = (path: string): boolean =>
  /^services\/features\/[^/]+\/contract(?:-[\w-]+)?\.ts$/.test(path);

/**
 * Events and states that other features use in their decisions, conditions on rows that their queries ask for too, and
 * the form in which features explain events.
 */
const isSharedWithFeatures = (path: string): boolean =>
  /^services\/features\/(?:[^/]+\/(?:events|streams|conditions)|histories)\.ts$/.test(path);

/** Features made of other features' commands or lists, with those features. */
const madeOf: Readonly<Record<string, readonly string[]>> = {
  images: ["inventory"],
  import: ["inventory", "sales"],
  today: ["audit"],
  // Closing a month stores the totals that the reports show.
  months: ["reports"],
};

/** Deciders are pure, so one may call another; and a field in a file follows the API's rules for that field. */
const isUsedAsStep = (target: string, importer: string): boolean => {
  const [, feature, file] = /^services\/features\/([^/]+)\/([^/]+)\.ts$/.exec(target) ?? [];
  return (
    /^(?:decider(?:-[\w-]+)?|contract(?:-[\w-]+)?)$/.test(file ?? "") &&
    (madeOf[featureOf(importer) ?? ""] ?? []).includes(feature ?? "")
  );
};

/** A feature's tables and projections. Others may import the tables, to join them in queries. */
const isProjection = (path: string): boolean =>
  /^services\/features\/[^/]+\/projection(?:-[\w-]+)?\.ts$/.test(path);

/** Files of a feature that only read, over Kysely and the read pool. */
const isOfReads = (path: string): boolean =>
  featureOf(path) !== undefined &&
  /^(?:queries|search|statement|history|ledger-lines|legacy-list|till-catalogue)(?:-[\w-]+)?\.ts$/.test(
    basename(path),
  );

const belowFeatures = under(
  "services/ledger",
  "services/db",
  "services/jobs",
  "services/mail",
  "services/identity",
);

/** What a part of the web may import: the named folders, the addresses of screens, contracts, and money. */
const inBrowser =
  (...folders: string[]) =>
  (target: string): boolean =>
    under(...folders)(target) ||
    target === "web/paths.ts" ||
    isContract(target) ||
    inBrowserToo.has(target);

/** From the inside out; a file belongs to the first layer that contains it. */
const layers: readonly Layer[] = [
  {
    name: "a contract",
    contains: isContract,
    mayImport: (target, importer) =>
      inBrowserToo.has(target) ||
      (isContract(target) && (sameFeature(target, importer) || isUsedAsStep(target, importer))),
  },
  {
    name: "the ledger",
    contains: under("services/ledger"),
    mayImport: under("services/ledger", "services/db"),
  },
  { name: "the database layer", contains: under("services/db"), mayImport: under("services/db") },
  {
    name: "the jobs layer",
    contains: under("services/jobs"),
    mayImport: under("services/jobs", "services/db"),
  },
  {
    name: "the mail layer",
    contains: under("services/mail"),
    mayImport: under("services/mail"),
  },
  {
    name: "identity",
    contains: under("services/identity"),
    mayImport: belowFeatures,
  },
  {
    name: "the http layer",
    contains: under("services/http"),
    mayImport: (target) => belowFeatures(target) || under("services/http")(target),
  },
  {
    name: "the form of explanations",
    contains: (path) => path === "services/features/histories.ts",
    mayImport: (target) => under("services/ledger")(target) || isContract(target),
  },
  {
    name: "a feature",
    contains: under("services/features"),
    mayImport: (target, importer) =>
      belowFeatures(target) ||
      under("services/http")(target) ||
      sameFeature(target, importer) ||
      isSharedWithFeatures(target) ||
      isUsedAsStep(target, importer) ||
      isProjection(target),
  },
  {
    name: "the register of features",
    contains: (path) => path === "services/features.ts",
    mayImport: (target) =>
      belowFeatures(target) || under("services/http", "services/features")(target),
  },
  {
    name: "a process",
    contains: under("services"),
    mayImport: (target) => target.startsWith("services/") && !under("services/testing")(target),
  },
  { name: "the web's library", contains: under("web/lib"), mayImport: inBrowser("web/lib") },
  {
    name: "the component kit",
    contains: under("web/ui"),
    mayImport: (target) => under("web/ui", "web/lib")(target) || inBrowserToo.has(target),
  },
  {
    name: "what web features share",
    contains: under("web/shared"),
    mayImport: inBrowser("web/lib", "web/ui", "web/shared"),
  },
  {
    name: "a web feature",
    contains: under("web/features"),
    mayImport: (target, importer) =>
      inBrowser("web/lib", "web/ui", "web/shared")(target) ||
      dirname(target) === dirname(importer) ||
      target.startsWith(`${dirname(importer)}/`),
  },
  {
    name: "the web app",
    contains: under("web"),
    mayImport: (target) =>
      target.startsWith("web/") || isContract(target) || inBrowserToo.has(target),
  },
];

const isTest = (path: string): boolean =>
  /\.test\.tsx?$/.test(path) || under("services/testing", "web/journeys")(path);

/** All breaches in one file of the repository. `path` is relative to it, with forward slashes. */
export function breachesIn(path: string, text: string): Breach[] {
  return [
    ...breachesOfName(path),
    ...breachesOfOpening(path, text),
    ...breachesOfImports(path, text),
    ...breachesOfEnvironment(path, text),
    ...breachesOfColors(path, text),
    ...breachesOfNames(path, text),
    ...breachesOfReadingEvents(path, text),
    ...breachesOfReadTables(path, text),
  ];
}

function breachesOfName(path: string): Breach[] {
  const vague = path.split("/").find((part) => /^(?:\w+-)*(?:utils?|managers?)(?:\.|$)/.test(part));
  const barrel = /^index\.tsx?$/.test(basename(path));
  return [
    ...(vague === undefined
      ? []
      : [{ path, line: 1, message: `"${vague}" says nothing about what is inside` }]),
    ...(barrel ? [{ path, line: 1, message: "no barrel files: import what you need itself" }] : []),
  ];
}

function breachesOfOpening(path: string, text: string): Breach[] {
  const opensWithComment = /^(?:#!.*\n)?(?:\/\/ |\/\*|-- )/.test(text);
  return /\.(?:tsx?|mjs|sql|css)$/.test(path) && !opensWithComment
    ? [{ path, line: 1, message: "a file begins with a comment that says its place in the flow" }]
    : [];
}

const importPattern =
  /^[ \t]*(?:import|export)\b[^;'"]*?\bfrom\s*["']([^"']+)["']|^[ \t]*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;

function breachesOfImports(path: string, text: string): Breach[] {
  if (!/\.tsx?$/.test(path) || isTest(path)) {
    return [];
  }
  const layer = layers.find((candidate) => candidate.contains(path));
  return [...text.matchAll(importPattern)].flatMap((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? "";
    const line = lineAt(text, match.index + match[0].indexOf(specifier));
    const target = resolve(path, specifier);
    if (target === null) {
      const wantsMini = isContract(path) || /^services\/features\/[^/]+\/events\.ts$/.test(path);
      return wantsMini && specifier === "zod"
        ? [{ path, line, message: 'import "zod/mini" here: this file reaches the browser' }]
        : [];
    }
    if (isTest(target) && !under("scripts")(path)) {
      return [{ path, line, message: `${target} is for tests only` }];
    }
    if (layer !== undefined && !layer.mayImport(target, path)) {
      return [{ path, line, message: `${layer.name} may not import ${target}` }];
    }
    return breachesOfReads(path, target, match[0]).map((message) => ({ path, line, message }));
  });
}

/** Breaches by one import of the rules about read tables and who reads them. */
function breachesOfReads(path: string, target: string, statement: string): string[] {
  if (isOfReads(path) && target === "services/db/connect.ts") {
    return [
      "queries read over the Kysely of #http/reads.ts: raw SQL is for commands and projections",
    ];
  }
  const isForeign = featureOf(path) !== undefined && !sameFeature(target, path);
  if (!isForeign || !isProjection(target)) {
    return [];
  }
  const names = /^\s*import\s+(?:type\s+)?\{([^}]*)\}/.exec(statement)?.[1]?.split(",") ?? [""];
  // Parts of a step (…Sql) are for other steps.
  const shared = isProjection(path) ? /^(?:type\s+)?\w+(?:Table|Sql)$/ : /^(?:type\s+)?\w+Table$/;
  const isTable = (name: string) => shared.test(name);
  return names
    .map((name) => name.trim())
    .filter((name, index) => (name === "" ? names.length === 1 && index === 0 : !isTable(name)))
    .slice(0, 1)
    .map(() => `a feature may import only tables (…Table) of ${target}`);
}

/** The file an import names, relative to the repository, or null for a package. */
function resolve(path: string, specifier: string): string | null {
  if (specifier.startsWith(".")) {
    return join(dirname(path), specifier);
  }
  const alias = aliases.find(([prefix]) => specifier.startsWith(prefix));
  return alias === undefined ? null : join(alias[1], specifier.slice(alias[0].length));
}

function breachesOfEnvironment(path: string, text: string): Breach[] {
  const allowed =
    path === "services/config.ts" ||
    isTest(path) ||
    under("scripts")(path) ||
    !under("services", "web")(path);
  return allowed
    ? []
    : matches(path, text, /\bprocess\.env\b/g, "only services/config.ts reads the environment");
}

const colorPattern =
  /#(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})(?![\w/-])|\b(?:rgba?|hsla?|oklch|oklab|lab|lch)\(/gi;

function breachesOfColors(path: string, text: string): Breach[] {
  const applies =
    /^web\/.*\.(?:tsx?|css)$/.test(path) && path !== "web/ui/tokens.css" && !isTest(path);
  return applies
    ? matches(path, text, colorPattern, "use a color token: colors belong in web/ui/tokens.css")
    : [];
}

/** A name that is built (`'item-' || id`, `consignor:${uid}`) or parsed (`split_part(account`) by hand. */
const namePattern =
  /["'`](?:(?:consignor|trade|trader)[-:]|(?:item|sale|payout|hold|alert|shipment|user|username|legacy)-)(?:'|%|\$\{)|'item:['%]|'[^'\n]*:(?:available|payouts|escrow)'|\bsplit_part\((?:\w+\.)?(?:\w*account|key)\b|\b(?:substr|substring)\((?:\w+\.)?(?:stream_id|\w*holding|\w*account)\b/g;

function breachesOfNames(path: string, text: string): Breach[] {
  const applies =
    /^(?:services|scripts)\/.*\.ts$/.test(path) &&
    !isTest(path) &&
    !/^services\/features\/[^/]+\/streams\.ts$/.test(path) &&
    !path.startsWith("scripts/house-rules");
  return applies
    ? matches(
        path,
        text,
        namePattern,
        "a feature's streams.ts names its streams, accounts and holdings: use its function, or in SQL the one in schema log",
      )
    : [];
}

/** Events are read in their current version: in SQL through `{events}`, elsewhere with `readEvent`. */
function breachesOfReadingEvents(path: string, text: string): Breach[] {
  if (isTest(path) || !under("services/features", "services/http")(path)) {
    return [];
  }
  if (isProjection(path)) {
    const message =
      "a projection reads the log through {events}, {postings}, {movements}, {streams}";
    return matches(
      path,
      text,
      /\blog\.(?:events|postings|movements|event_streams|streams|command_keys)\b/g,
      message,
    );
  }
  return basename(path) === "checks.ts"
    ? matches(path, text, /\blog\.events\b/g, "a check reads events through {events}")
    : matches(path, text, /\bdata\s*->/g, "stored data may be of any version: use readEvent");
}

/** Which feature owns each read table. */
const ownersOfReadTables: ReadonlyMap<string, string> = new Map(
  features.flatMap(({ name, projections }) =>
    projections.flatMap(({ tables }) => tables.map((table) => [table.name, name] as const)),
  ),
);

const readTablePattern = new RegExp(
  `\\bread\\.(${[...ownersOfReadTables.keys()].join("|")})\\b`,
  "g",
);

/** SQL of one feature names another one's read table only where it imports that table's declaration. */
function breachesOfReadTables(path: string, text: string): Breach[] {
  const feature = featureOf(path);
  if (feature === undefined || isTest(path)) {
    return [];
  }
  return [...text.matchAll(readTablePattern)].flatMap((match) => {
    const owner = ownersOfReadTables.get(match[1] ?? "");
    return owner === feature ||
      new RegExp(`"#features/${owner}/projection(?:-[\\w-]+)?\\.ts"`).test(text)
      ? []
      : [
          {
            path,
            line: lineAt(text, match.index),
            message: `${match[0]} belongs to ${owner}: import its table from the projection of #features/${owner}`,
          },
        ];
  });
}

function matches(path: string, text: string, pattern: RegExp, message: string): Breach[] {
  return [...text.matchAll(pattern)].map((match) => ({
    path,
    line: lineAt(text, match.index),
    message: `${match[0]}: ${message}`,
  }));
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
