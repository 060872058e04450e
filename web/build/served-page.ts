// Makes the page that is served: its style sheet and first scripts inline, its shells drawn, and the list of each screen's scripts.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";
import { needsSession } from "../page/page-kind.ts";
import { consignorHistoryPath, paths } from "../paths.ts";
import { moduleAt } from "./module-graph.ts";

const web = fileURLToPath(new URL("..", import.meta.url));
const drawing = fileURLToPath(
  new URL("../../node_modules/.cache/consignment-ledger/shells", import.meta.url),
);

/** A script of `page/` with everything it imports, as one classic script. */
async function inlineScript(name: string): Promise<string> {
  const built = await build({
    configFile: false,
    root: web,
    logLevel: "error",
    publicDir: false,
    build: {
      write: false,
      target: "es2023",
      lib: { entry: moduleAt(`page/${name}`), formats: ["iife"], name: "page" },
    },
  });
  const [output] = (Array.isArray(built) ? built : [built]).flatMap((one) =>
    "output" in one ? one.output : [],
  );
  if (output?.type !== "chunk") {
    throw new Error(`${name} did not become a script`);
  }
  return output.code.trim();
}

/** The HTML of every shell, drawn by the app's own components in a process of its own. */
async function drawShells(): Promise<Readonly<Record<string, string>>> {
  await build({
    configFile: false,
    root: web,
    logLevel: "error",
    publicDir: false,
    build: {
      ssr: moduleAt("page/shells.tsx"),
      outDir: drawing,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: { output: { entryFileNames: "shells.mjs" } },
    },
  });
  const written = execFileSync(process.execPath, [`${drawing}/shells.mjs`], {
    encoding: "utf8",
    timeout: 30_000,
  });
  const shells: Record<string, string> = JSON.parse(written);
  return shells;
}

/** What the server draws the home page with, as one module without anything of the app around it. */
async function homeBundle(): Promise<string> {
  const built = await build({
    configFile: false,
    root: web,
    logLevel: "error",
    publicDir: false,
    // React's module for workers uses nothing from Node, and keeps no process open.
    ssr: { target: "webworker", noExternal: true, resolve: { conditions: ["workerd", "module"] } },
    build: {
      ssr: moduleAt("page/home.tsx"),
      write: false,
      minify: true,
      rolldownOptions: { output: { entryFileNames: "home.mjs" } },
    },
  });
  const [output] = (Array.isArray(built) ? built : [built]).flatMap((one) =>
    "output" in one ? one.output : [],
  );
  if (output?.type !== "chunk") {
    throw new Error("the home page did not become a module");
  }
  return output.code;
}

/** Where the build writes into `index.html`. What the server writes there, `http/page.ts` says. */
const MARK = { opening: "<!-- opening -->", showShell: "<!-- show-shell -->" };

const hashOf = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The chunks that the page's own entry loads, and those of each screen beyond them. */
function scriptsOf(bundle: Rolldown.OutputBundle): {
  readonly entry: ReadonlySet<string>;
  readonly screens: Readonly<Record<string, readonly string[]>>;
} {
  const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
  function need(name: string, needed: Set<string>): Set<string> {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    if (chunk !== undefined && !needed.has(name)) {
      needed.add(name);
      chunk.imports.forEach((imported) => need(imported, needed));
    }
    return needed;
  }
  const chunkOf = (module: string): string =>
    chunks.find(({ moduleIds }) => moduleIds.includes(moduleAt(module)))?.fileName ?? "";
  const entry = need(chunks.find(({ isEntry }) => isEntry)?.fileName ?? "", new Set());
  const screens = Object.fromEntries(
    Object.entries(screenModules()).map(([path, module]) => {
      const needed = need(chunkOf(module), new Set());
      return [path, [...needed].filter((name) => !entry.has(name))];
    }),
  );
  return { entry, screens };
}

/** Which module each address's screen begins with, read from `screens.ts`. */
function screenModules(): Readonly<Record<string, string>> {
  const text = readFileSync(moduleAt("screens.ts"), "utf8");
  const files = new Map(
    Array.from(
      text.matchAll(/export const (\w+) = screen\(\(\) =>\s*import\("(?:\.|#web)\/([^"]+)"\)/g),
      ([, name = "", file = ""]) => [name, file] as const,
    ),
  );
  const known = new Map<string, string>(Object.entries(paths));
  const history = files.get("ConsignorHistoryScreen") ?? "";
  return Object.fromEntries([
    [consignorHistoryPath(":uid"), history],
    ...Array.from(text.matchAll(/\[paths\.(\w+)\]: (\w+),/g), ([, path = "", name = ""]) => {
      const address = known.get(path);
      const file = files.get(name);
      if (address === undefined || file === undefined) {
        throw new Error(`screens.ts: the build does not find ${name} or its address ${path}`);
      }
      return [address, file] as const;
    }),
  ]);
}

const withoutNote = (sheet: string): string => sheet.replace(/\/\*\$vite\$:\d+\*\/\s*$/, "").trim();

/** Takes the entry's style sheets out of the build, so that nothing links to them, and returns their text. */
function takeEntryStyles(bundle: Rolldown.OutputBundle): string {
  const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
  const { entry } = scriptsOf(bundle);
  const names = new Set(
    chunks
      .filter(({ fileName }) => entry.has(fileName))
      .flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]),
  );
  for (const chunk of chunks) {
    names.forEach((name) => chunk.viteMetadata?.importedCss.delete(name));
  }
  return [...names]
    .map((name) => {
      const sheet = bundle[name];
      delete bundle[name];
      return sheet?.type === "asset" ? withoutNote(String(sheet.source)) : "";
    })
    .join("");
}

/** In dev, too, the page starts with its first inline script; there it has no shells and no lists of scripts. */
export function servedPage(): Plugin {
  let head = "";
  let behindRoot = "";
  return {
    name: "served-page",
    generateBundle: {
      order: "pre",
      async handler(_options, bundle) {
        const [opening, showShell, shells, home] = await Promise.all([
          inlineScript("opening.ts"),
          inlineScript("show-shell.ts"),
          drawShells(),
          homeBundle(),
        ]);
        const { screens } = scriptsOf(bundle);
        const styles = takeEntryStyles(bundle);
        head = `<script>${opening}</script><style>${styles}</style>`;
        behindRoot = `<script>${showShell}</script>`;
        const parts = {
          scripts: [hashOf(opening), hashOf(showShell)],
          // The home page has the sheet with this change: see `http/page.ts`.
          styles: [
            hashOf(styles),
            hashOf(styles.replaceAll("font-display:swap", "font-display:optional")),
          ],
          screens: Object.fromEntries(
            Object.entries(screens).map(([path, names]) => [
              path,
              {
                scripts: names.map((name) => `/${name}`),
                shells: needsSession(path)
                  ? Object.keys(shells)
                  : path === paths.login
                    ? ["login"]
                    : [],
              },
            ]),
          ),
          shells,
        };
        this.emitFile({ type: "asset", fileName: "page.json", source: JSON.stringify(parts) });
        this.emitFile({ type: "asset", fileName: "home.mjs", source: home });
      },
    },
    transformIndexHtml: {
      order: "post",
      async handler(html, { bundle }) {
        if (bundle === undefined) {
          head = `<script>${await inlineScript("opening.ts")}</script>`;
        }
        return html.replace(MARK.opening, () => head).replace(MARK.showShell, () => behindRoot);
      },
    },
  };
}
