// Builds the screens into dist/web, with a brotli copy of every text asset, so that the server only has to send bytes.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type Rolldown } from "vite";

const outDir = fileURLToPath(new URL("../dist/web", import.meta.url));
const compressible = /\.(?:js|css|html|svg|json|txt|wasm|webmanifest)$/;

/** Ways of writing down distances; which one is shortest depends on the file, by a few bytes in a thousand. */
const distances = [
  {},
  { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_FONT },
  { [constants.BROTLI_PARAM_NPOSTFIX]: 1, [constants.BROTLI_PARAM_NDIRECT]: 2 },
];

/** Larger files are fetched later, and would take too long to try. */
const MOST_BYTES_TRIED = 200_000;

const compress = promisify(brotliCompress);

/** The smallest of them. */
async function compressed(source: Buffer): Promise<Buffer> {
  const tried = source.length < MOST_BYTES_TRIED ? distances : distances.slice(0, 1);
  const [first, ...others] = await Promise.all(
    tried.map((distance) =>
      compress(source, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: source.length,
          ...distance,
        },
      }),
    ),
  );
  return others.reduce(
    (smallest, other) => (other.length < smallest.length ? other : smallest),
    first ?? source,
  );
}

/** Compressing takes longer than the rest of a build, and most files have not changed: their copies are kept. */
const keptCopies = fileURLToPath(
  new URL("../node_modules/.cache/consignment-ledger/brotli", import.meta.url),
);

async function compressedCopy(source: Buffer): Promise<Buffer> {
  const ways = JSON.stringify([distances, MOST_BYTES_TRIED]);
  const kept = join(keptCopies, createHash("sha256").update(ways).update(source).digest("hex"));
  if (existsSync(kept)) {
    return readFile(kept);
  }
  const copy = await compressed(source);
  // Under another name first: another build at the same time must not read half a file.
  const draft = `${kept}.${process.pid}`;
  await writeFile(draft, copy);
  await rename(draft, kept);
  return copy;
}

/** Writes `<file>.br` beside every text file of the finished build. */
function precompress(): Plugin {
  return {
    name: "precompress",
    apply: "build",
    async closeBundle() {
      await mkdir(keptCopies, { recursive: true });
      const entries = await readdir(outDir, { recursive: true, withFileTypes: true });
      const paths = entries
        .filter((entry) => entry.isFile() && compressible.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name));
      await Promise.all(
        paths.map(async (path) =>
          writeFile(`${path}.br`, await compressedCopy(await readFile(path))),
        ),
      );
    },
  };
}

/** Lets the browser fetch the latin letters before it has read the style sheet that asks for them. */
function preloadLatinFont(): Plugin {
  return {
    name: "preload-latin-font",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) =>
          /inter-latin-wght-normal.*\.woff2$/.test(name),
        );
        if (font === undefined) {
          throw new Error("the latin font is missing from the build");
        }
        const attrs = {
          rel: "preload",
          as: "font",
          type: "font/woff2",
          href: `/${font}`,
          crossorigin: "",
        };
        return [{ tag: "link", attrs, injectTo: "head-prepend" }];
      },
    },
  };
}

const routerBuild = fileURLToPath(
  new URL("../node_modules/react-router/dist/production/index.mjs", import.meta.url),
);

/**
 * Takes the router's production build, which the package offers to nobody by name, without the parts that no screen uses:
 * those stay in only because they are made by calls, and are given names to be debugged by.
 */
function leanRouter(): Plugin {
  return {
    name: "lean-router",
    apply: "build",
    enforce: "pre",
    resolveId: { filter: { id: /^react-router$/ }, handler: () => routerBuild },
    transform: {
      filter: { id: /\/node_modules\/react-router\/dist\/production\// },
      handler: (code) => ({
        code: code
          .replaceAll(/= (React\d*)\.(forwardRef|createContext)\(/g, "= /* @__PURE__ */ $1.$2(")
          .replaceAll(/^\w+\.displayName = "\w+";$/gm, ""),
        map: null,
      }),
    },
  };
}

type ModuleInfo = {
  readonly importedIds: readonly string[];
  readonly dynamicallyImportedIds: readonly string[];
};
type ModuleGraph = { readonly getModuleInfo: (id: string) => ModuleInfo | null };

/** These modules and all that they need, at once or, where `follows` says so, on demand. */
function neededBy(
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

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** What a till needs to open without the server: the app's frame and the whole point of sale. */
function shellFiles(bundle: Rolldown.OutputBundle, graph: ModuleGraph): string[] {
  // What the app loads on demand are the other screens too.
  const modules = neededBy(
    ["main.tsx", "features/pos/pos-screen.tsx"].map(pathOf),
    graph,
    (id) => !id.endsWith("-screen.tsx"),
  );
  const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
  const needed = new Set<string>();
  function need(name: string): void {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    if (chunk !== undefined && !needed.has(name)) {
      needed.add(name);
      chunk.imports.forEach(need);
    }
  }
  for (const { fileName, moduleIds } of chunks) {
    if (moduleIds.some((id) => modules.has(id))) {
      need(fileName);
    }
  }
  const assets = Object.keys(bundle).filter((name) =>
    // The camera's code reader is a worker with WebAssembly, which the chunks name only by their addresses.
    /\.css$|inter-latin-wght-normal.*\.woff2$|code-reader-worker.*\.js$|zxing_reader.*\.wasm$/.test(
      name,
    ),
  );
  return ["index.html", "theme.js", "favicon.svg", ...needed, ...assets].map((name) => `/${name}`);
}

/** Puts the service worker beside the app, with the list of files that it keeps. */
function tillServiceWorker(): Plugin {
  return {
    name: "till-service-worker",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const files = shellFiles(bundle, this);
        const script = readFileSync(new URL("sw.js", import.meta.url), "utf8");
        const page = bundle["index.html"];
        const hash = createHash("sha256").update(JSON.stringify(files)).update(script);
        const version = hash
          .update(page?.type === "asset" ? page.source : "")
          .digest("hex")
          .slice(0, 12);
        const head = `self.shellVersion = "${version}";\nself.shellFiles = ${JSON.stringify(files)};\n`;
        this.emitFile({ type: "asset", fileName: "sw.js", source: `${head}${script}` });
      },
    },
  };
}

/** What nearly every visitor loads first: the app and its first two screens. One script compresses better than several. */
const firstModules = [
  "main.tsx",
  "features/login/login-screen.tsx",
  "features/dashboard/dashboard-screen.tsx",
].map(pathOf);

/** Libraries that are loaded only when somebody reaches for what stands on them. */
const onDemand = /\/node_modules\/(?:@base-ui|@floating-ui|@tanstack|bwip-js)\//;

function standsOnDemand(id: string, graph: ModuleGraph): boolean {
  return [...neededBy([id], graph)].some((needed) => onDemand.test(needed));
}

/** The other everyday parts of the screens: one script instead of dozens of tiny ones. */
function isEveryday(id: string, graph: ModuleGraph): boolean {
  return (
    (/\/web\/(?:ui|lib)\//.test(id) && !standsOnDemand(id, graph)) ||
    /\/services\/.*\/(?:contract|fields|money)\.ts$/.test(id)
  );
}

let firstNeeded: ReadonlySet<string> | undefined;

function isFirst(id: string, graph: ModuleGraph): boolean {
  firstNeeded ??= neededBy(firstModules, graph);
  return firstNeeded.has(id);
}

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [
    leanRouter(),
    react(),
    tailwindcss(),
    preloadLatinFont(),
    tillServiceWorker(),
    precompress(),
  ],
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2023",
    // A strict content security policy allows no data: URLs, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "react", test: /\/node_modules\/(?:react|react-dom|react-router|scheduler)\// },
            { name: (id, graph) => (isFirst(id, graph) ? "first" : null), debugName: "first" },
            {
              name: (id, graph) => (isEveryday(id, graph) ? "kit" : null),
              debugName: "kit",
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": "http://127.0.0.1:3000" } },
});
