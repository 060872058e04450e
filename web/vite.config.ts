// Builds the screens into dist/web, with a brotli copy of every text asset, so that the server only has to send bytes.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { iconsByName, leanContracts, leanRouter } from "./build/lean-packages.ts";
import { oneRuntime } from "./build/one-runtime.ts";
import { isFirst, scriptGroups } from "./build/scripts.ts";
import { servedPage } from "./build/served-page.ts";
import { tillServiceWorker } from "./build/till-service-worker.ts";

const outDir = fileURLToPath(new URL("../dist/web", import.meta.url));
const compressible = /\.(?:js|css|html|svg|json|txt|wasm|webmanifest)$/;

/** Brotli's settings for encoding distances. Which one is smallest depends on the file, by a few bytes in a thousand. */
const distances = [
  {},
  { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_FONT },
  { [constants.BROTLI_PARAM_NPOSTFIX]: 1, [constants.BROTLI_PARAM_NDIRECT]: 2 },
];

/** Larger files are loaded later, and trying all settings on them would take too long. */
const MOST_BYTES_TRIED = 200_000;

const compress = promisify(brotliCompress);

/** The smallest result. */
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

/** Compressing takes longer than the rest of a build, and most files have not changed, so their copies are kept. */
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
  // Written under another name first, because a parallel build must not read half a file.
  const draft = `${kept}.${process.pid}`;
  await writeFile(draft, copy);
  await rename(draft, kept);
  return copy;
}

/** Writes `<file>.br` next to every text file of the finished build. */
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

/** With NODE_ENV=test or development, the scripts would be a third larger, and the next build would keep them. */
function onlyForProduction(): Plugin {
  return {
    name: "only-for-production",
    apply: "build",
    configResolved({ isProduction }) {
      if (!isProduction) {
        throw new Error("The screens are built for production only: leave NODE_ENV out");
      }
    },
  };
}

/** Preloads the latin letters, so that the browser does not wait for the style sheet that requests them. */
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

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [
    onlyForProduction(),
    leanRouter(),
    leanContracts(),
    iconsByName(),
    react(),
    tailwindcss(),
    preloadLatinFont(),
    oneRuntime(),
    servedPage(),
    tillServiceWorker(),
    precompress(),
  ],
  resolve: {
    // React includes this hook now. The shim that libraries import is for older versions.
    alias: [{ find: /^use-sync-external-store\/shim$/, replacement: "react" }],
  },
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
        // The first script names every other one, and a hash cannot be compressed. Seven is the fewest that the bundler takes.
        chunkFileNames: "assets/[name]-[hash:7].js",
        hashCharacters: "hex",
        codeSplitting: {
          groups: [
            { name: (id, graph) => (isFirst(id, graph) ? "first" : null), debugName: "first" },
            ...scriptGroups,
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": "http://127.0.0.1:3000" } },
});
