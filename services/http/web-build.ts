// Serves the built web app: hashed files cached forever, everything else revalidated, and the page for navigations.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Context, MiddlewareHandler } from "hono";
import { getMimeType } from "hono/utils/mime";
import type { AppEnv } from "#http/env.ts";
import { drawHomeOf } from "#http/home-page.ts";
import { createPages, noPages, type Pages } from "#http/page.ts";

export type WebFile = {
  readonly plain: Uint8Array<ArrayBuffer>;
  /** Made by the build; undefined if compression gains nothing. */
  readonly brotli: Uint8Array<ArrayBuffer> | undefined;
  readonly type: string;
  readonly etag: string;
  /** Vite puts a hash of the content into the names under `assets/`. */
  readonly isImmutable: boolean;
};

export type WebBuild = {
  /** By their paths (`/assets/index-3f2a.js`). Read once: a few megabytes, and requests cannot reach other paths. */
  readonly files: ReadonlyMap<string, WebFile>;
  readonly pages: Pages;
  /** Another one for every build that differs; null without a build. */
  readonly id: string | null;
};

export const noWebBuild: WebBuild = { files: new Map(), pages: noPages, id: null };

/** Reads a build folder. A missing folder is an empty build. */
export async function readWebBuild(folder: string): Promise<WebBuild> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      if (error instanceof Error && Reflect.get(error, "code") === "ENOENT") {
        return [];
      }
      throw error;
    },
  );
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const compressed = new Set(paths.filter((path) => path.endsWith(".br")));
  const files = await Promise.all(
    paths
      .filter((path) => !compressed.has(path))
      .map(async (path) => {
        const plain = new Uint8Array(await readFile(path));
        const brotli = compressed.has(`${path}.br`)
          ? new Uint8Array(await readFile(`${path}.br`))
          : undefined;
        const name = `/${relative(folder, path).split(sep).join("/")}`;
        return [name, describeFile(name, plain, brotli)] as const;
      }),
  );
  const byName = new Map(files);
  const template = byName.get(PAGE);
  const parts = byName.get(PARTS);
  if (template === undefined || parts === undefined) {
    return { ...noWebBuild, files: byName };
  }
  // Other paths than the build's own names get a page made of these two.
  byName.delete(PAGE);
  byName.delete(PARTS);
  const hasHome = byName.delete(HOME);
  // Names under `assets/` contain a hash of the content.
  const names = [...byName.keys()].toSorted().join();
  const id = hashOf(new TextEncoder().encode(names + text(template) + text(parts))).slice(0, 10);
  const bundle: object | undefined = hasHome
    ? await import(pathToFileURL(join(folder, HOME)).href)
    : undefined;
  const built = {
    template: text(template),
    parts: text(parts),
    drawHome: bundle === undefined ? undefined : drawHomeOf(bundle),
  };
  return { files: byName, pages: createPages(built, id), id };
}

/** Open pages compare it with their own, and so notice that there is a newer version. */
export function nameWebBuild({ id }: WebBuild): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (id !== null) {
      c.header("Web-Build", id);
    }
    await next();
  };
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url");
}

const PAGE = "/index.html";
const PARTS = "/page.json";
const HOME = "/home.mjs";

const text = ({ plain }: WebFile): string => new TextDecoder().decode(plain);

export function describeFile(
  name: string,
  plain: Uint8Array<ArrayBuffer>,
  brotli: Uint8Array<ArrayBuffer> | undefined,
): WebFile {
  return {
    plain,
    brotli,
    type: getMimeType(name) ?? "application/octet-stream",
    etag: `"${hashOf(plain).slice(0, 27)}"`,
    isImmutable: name.startsWith("/assets/"),
  };
}

/**
 * Serves the build. Only navigations get the page: a missing script, image or call must be a 404, or the browser
 * would take the page for it.
 */
export function serveWebBuild(
  { files, pages }: WebBuild,
  at: Pages["at"] = pages.at,
  home: () => Promise<WebFile | undefined> = () => at("/"),
  /** Files that differ from the build's, by their paths. */
  own: ReadonlyMap<string, () => Promise<WebFile | undefined>> = new Map(),
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (c.req.method !== "GET" && c.req.method !== "HEAD") {
      return next();
    }
    const file = (await own.get(c.req.path)?.()) ?? files.get(c.req.path);
    if (file !== undefined) {
      return answerFile(c, file);
    }
    if (!isNavigation(c) && c.req.path !== PAGE) {
      return next();
    }
    const page = await (c.req.path === "/" ? home() : at(c.req.path));
    return page === undefined
      ? c.text("The web app has not been built yet: run `npm run build`.\n", 503)
      : answerFile(c, page);
  };
}

/** Browsers send the mode of a request; clients that send none (a monitor, a link preview) get the page. */
function isNavigation(c: Context<AppEnv>): boolean {
  const mode = c.req.header("Sec-Fetch-Mode");
  return (
    /text\/html|(?:text|\*)\/\*/.test(c.req.header("Accept") ?? "*/*") &&
    (mode === undefined || mode === "navigate") &&
    extname(c.req.path) === "" &&
    !c.req.path.startsWith("/assets/")
  );
}

function answerFile(c: Context<AppEnv>, file: WebFile): Response {
  c.header("Content-Type", file.type);
  c.header("ETag", file.etag);
  c.header("Vary", "Accept-Encoding");
  c.header("Cache-Control", file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache");
  if (c.req.header("If-None-Match")?.includes(file.etag) === true) {
    return c.body(null, 304);
  }
  const takesBrotli =
    c.req
      .header("Accept-Encoding")
      ?.split(/[,;\s]+/)
      .includes("br") ?? false;
  if (file.brotli !== undefined && takesBrotli) {
    c.header("Content-Encoding", "br");
    return c.body(file.brotli);
  }
  return c.body(file.plain);
}
