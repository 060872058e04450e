// Builds the screens into dist/web, with a brotli copy of every text asset, so that the server only has to send bytes.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { iconsByName, leanRouter } from "./build/lean-packages.ts";
import { isEveryday, isFirst } from "./build/scripts.ts";
import { tillServiceWorker } from "./build/till-service-worker.ts";

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

/** The smallest of them. */
function compressed(source: Buffer): Buffer {
  const tried = source.length < MOST_BYTES_TRIED ? distances : distances.slice(0, 1);
  const [first, ...others] = tried.map((distance) =>
    brotliCompressSync(source, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: source.length,
        ...distance,
      },
    }),
  );
  return others.reduce(
    (smallest, other) => (other.length < smallest.length ? other : smallest),
    first ?? source,
  );
}

/** Writes `<file>.br` beside every text file of the finished build. */
function precompress(): Plugin {
  return {
    name: "precompress",
    apply: "build",
    closeBundle() {
      for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (entry.isFile() && compressible.test(entry.name)) {
          const source = readFileSync(path);
          writeFileSync(`${path}.br`, compressed(source));
        }
      }
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

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [
    leanRouter(),
    iconsByName(),
    react(),
    tailwindcss(),
    preloadLatinFont(),
    tillServiceWorker(),
    precompress(),
  ],
  resolve: {
    // React has had this hook for long; the shim that libraries import is for those before.
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
        codeSplitting: {
          groups: [
            { name: "react", test: /\/node_modules\/(?:react|react-dom|scheduler)\// },
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
