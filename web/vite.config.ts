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

/** What a till needs to open without the server: the app's frame and the whole point of sale. */
function shellFiles(bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const needed = new Set<string>();
  function need(name: string): void {
    const chunk = byName.get(name);
    if (chunk === undefined || needed.has(name)) {
      return;
    }
    needed.add(name);
    // What the entry loads on demand are the other screens.
    const onDemand = chunk.isEntry ? [] : chunk.dynamicImports;
    for (const other of [...chunk.imports, ...onDemand]) {
      need(other);
    }
  }
  for (const { fileName, isEntry, facadeModuleId } of chunks) {
    if (isEntry || facadeModuleId?.endsWith("/features/pos/pos-screen.tsx") === true) {
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
        const files = shellFiles(bundle);
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

type ModuleGraph = {
  readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null;
};

/** Libraries that are loaded only when somebody reaches for what stands on them. */
const onDemand = /\/node_modules\/(?:@base-ui|@floating-ui|@tanstack|bwip-js|uplot)\//;

function standsOnDemand(id: string, graph: ModuleGraph, seen = new Set<string>()): boolean {
  if (seen.has(id)) {
    return false;
  }
  seen.add(id);
  const imported = graph.getModuleInfo(id)?.importedIds ?? [];
  return onDemand.test(id) || imported.some((other) => standsOnDemand(other, graph, seen));
}

/** Parts of the kit that no first screen shows: they come with the screens and dialogs that do. */
const comesLater =
  /\/web\/ui\/(?:bulk-bar|choice-group|fact-list|number-input|row-focus|small-table|text-area)\.tsx$/;

/** The kit's everyday parts and what they stand on: one script instead of dozens of tiny ones. */
function isEveryday(id: string, graph: ModuleGraph): boolean {
  return (
    (/\/web\/(?:ui|lib)\//.test(id) && !comesLater.test(id) && !standsOnDemand(id, graph)) ||
    /\/node_modules\/(?:swr|zod|dequal|use-sync-external-store)\//.test(id) ||
    /\/services\/.*\/(?:contract|fields|money)\.ts$/.test(id)
  );
}

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), tailwindcss(), preloadLatinFont(), tillServiceWorker(), precompress()],
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
