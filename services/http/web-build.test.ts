// Navigations get the page, requests for files get the file, and never the other way round.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AppEnv } from "#http/env.ts";
import { nameWebBuild, readWebBuild, serveWebBuild, type WebBuild } from "#http/web-build.ts";

const script = "console.log('hello');";
const parts = {
  scripts: ["'sha256-c2NyaXB0'"],
  styles: ["'sha256-c3R5bGU='"],
  screens: {
    "/login": { scripts: [], shells: ["login"] },
    "/pos": { scripts: ["/assets/pos-1.js"], shells: ["login", "admin"] },
    "/consignors/:uid/history": { scripts: ["/assets/history-1.js"], shells: ["admin"] },
  },
  shells: { login: "<form></form>", admin: "<nav>$&</nav>" },
};
const templates = {
  login: '<template data-shell="login"><form></form></template>',
  admin: '<template data-shell="admin"><nav>$&</nav></template>',
};
let folder: string;
let app: Hono<AppEnv>;
let build: WebBuild;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "web-build-"));
  await mkdir(join(folder, "assets"));
  await writeFile(
    join(folder, "index.html"),
    "<!doctype html><html><title>App</title><!-- screen --><!-- shells --><div id=root></div>",
  );
  await writeFile(join(folder, "page.json"), JSON.stringify(parts));
  await writeFile(join(folder, "favicon.svg"), "<svg/>");
  await writeFile(join(folder, "assets", "index-3f2a.js"), script);
  await writeFile(join(folder, "assets", "index-3f2a.js.br"), brotliCompressSync(script));
  app = new Hono<AppEnv>();
  build = await readWebBuild(folder);
  app.use("/api/*", nameWebBuild(build)).get("/api/ping", (c) => c.json({}));
  app.get("/*", serveWebBuild(build));
});

afterAll(() => rm(folder, { recursive: true }));

const navigation = { Accept: "text/html,*/*", "Sec-Fetch-Mode": "navigate" };

function get(path: string, headers: Record<string, string> = {}, method = "GET") {
  return app.request(`http://app.test${path}`, { method, headers });
}

test.each(["/", "/dashboard", "/payout-requests", "/discord-success?token=a.b"])(
  "a navigation to %s gets the page, never from a cache without revalidation",
  async (path) => {
    const response = await get(path, navigation);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toContain("text/html");
    expect(response.headers.get("Cache-Control")).toBe("no-cache");
    expect(await response.text()).toContain("<title>App</title>");
  },
);

const preload = (path: string) => `<link rel="modulepreload" crossorigin href="${path}">`;

test.each([
  ["/login", templates.login],
  ["/consignors/ada/history", preload("/assets/history-1.js") + templates.admin],
  ["/index.html", preload("/assets/pos-1.js") + templates.login + templates.admin],
  ["/consignors/ada", ""],
  ["/consignors/ada/history/x", ""],
])(
  "the page of %s names its screen's scripts and has the shells it may need",
  async (path, with_) => {
    const response = await get(path, navigation);
    expect(await response.text()).toBe(
      `<!doctype html><html data-build="${build.id}"><title>App</title>${with_}<div id=root></div>`,
    );
  },
);

test("a page is sent compressed, and not again if it is unchanged", async () => {
  const page = await get("/pos", { ...navigation, "Accept-Encoding": "br" });
  expect(page.headers.get("Content-Encoding")).toBe("br");
  const bytes = Buffer.from(await page.arrayBuffer());
  expect(brotliDecompressSync(bytes).toString()).toContain(templates.admin);
  const etag = page.headers.get("ETag") ?? "";
  const again = await get("/pos", { ...navigation, "If-None-Match": etag });
  expect(again.status).toBe(304);
  const other = await get("/login", { ...navigation, "If-None-Match": etag });
  expect(other.status).toBe(200);
});

test("what a page is made of is not served by itself", async () => {
  expect((await get("/page.json", { Accept: "*/*" })).status).toBe(404);
});

test("a hashed file is cached forever, and sent compressed to clients that accept it", async () => {
  const plain = await get("/assets/index-3f2a.js");
  expect(plain.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  expect(plain.headers.get("Content-Encoding")).toBeNull();
  expect(await plain.text()).toBe(script);
  const brotli = await get("/assets/index-3f2a.js", { "Accept-Encoding": "gzip, deflate, br" });
  expect(brotli.headers.get("Content-Encoding")).toBe("br");
  expect(brotli.headers.get("Vary")).toBe("Accept-Encoding");
  expect(brotli.headers.get("Content-Type")).toContain("text/javascript");
  const bytes = Buffer.from(await brotli.arrayBuffer());
  expect(brotliDecompressSync(bytes).toString()).toBe(script);
});

test.each([{}, { Accept: "*/*" }, { Accept: "text/*" }])(
  "clients without a browser's headers get the page too: %j",
  async (headers) => {
    const response = await get("/login", headers);
    expect(await response.text()).toContain("<title>App</title>");
  },
);

test.each([
  ["/assets/index-0000.js", { Accept: "*/*" }],
  ["/assets/index-0000.js", navigation],
  ["/missing.png", { Accept: "image/*" }],
  ["/dashboard", { Accept: "application/json" }],
  ["/dashboard", { Accept: "text/html", "Sec-Fetch-Mode": "cors" }],
  ["/dashboard", { Accept: "*/*", "Sec-Fetch-Mode": "no-cors" }],
  ["/..%2f..%2fpackage.json", navigation],
  ["/assets/../../package.json", { Accept: "*/*" }],
])("%s requested with %j is missing, not the page", async (path, headers) => {
  const response = await get(path, headers);
  expect(response.status).toBe(404);
});

test("an unchanged file is not sent again", async () => {
  const first = await get("/favicon.svg");
  const again = await get("/favicon.svg", {
    "If-None-Match": first.headers.get("ETag") ?? "",
  });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe("");
});

test("a HEAD has the headers of a GET, without the body", async () => {
  const response = await get("/favicon.svg", {}, "HEAD");
  expect(response.status).toBe(200);
  expect(await response.text()).toBe("");
});

test("the policy allows what the build wrote into the page, and nothing else inline", async () => {
  const { inline } = (await readWebBuild(folder)).pages;
  expect(inline).toMatchObject({ scripts: parts.scripts, styles: parts.styles });
});

test("without a build, the answer says what to do", async () => {
  const bare = new Hono<AppEnv>();
  bare.get("/*", serveWebBuild(await readWebBuild(join(folder, "nothing-here"))));
  const response = await bare.request("http://app.test/login", { headers: navigation });
  expect(response.status).toBe(503);
  expect(await response.text()).toContain("npm run build");
});

test("answers name the build that the page came from, and another build has another name", async () => {
  const served = (await get("/api/ping")).headers.get("Web-Build");
  const page = await (await get("/login", navigation)).text();
  expect(page).toContain(`<html data-build="${served}"`);
  const name = join(folder, "assets", "part-77aa.js");
  await writeFile(name, script);
  expect((await readWebBuild(folder)).id).not.toBe(served);
  await rm(name);
  expect((await readWebBuild(folder)).id).toBe(served);
});
