// Writes the till's service worker into the build, with the list of files that it caches.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin, Rolldown } from "vite";
import { moduleAt, neededBy, type ModuleGraph } from "./module-graph.ts";

/** What a till needs to open without the server: the app's frame and the complete point of sale. */
function shellFiles(bundle: Rolldown.OutputBundle, graph: ModuleGraph): string[] {
  // The app also loads its other screens on demand.
  const modules = neededBy(
    ["main.tsx", "features/pos/pos-screen.tsx"].map(moduleAt),
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
    // The camera's code reader is a worker with WebAssembly, which the chunks mention only by URL.
    /\.css$|inter-latin-wght-normal.*\.woff2$|code-reader-worker.*\.js$|zxing_reader.*\.wasm$/.test(
      name,
    ),
  );
  return ["index.html", "favicon.svg", ...needed, ...assets].map((name) => `/${name}`);
}

export function tillServiceWorker(): Plugin {
  return {
    name: "till-service-worker",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const files = shellFiles(bundle, this);
        const script = readFileSync(new URL("../sw.js", import.meta.url), "utf8");
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
