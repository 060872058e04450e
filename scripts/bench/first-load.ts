// How many bytes of scripts a browser loads until the first screens are idle, as sent, compressed with brotli.
import type { Page } from "playwright-core";
import { startApi } from "#process/start-api.ts";
import { startWorker } from "#process/start-worker.ts";
import { webBuildFolder } from "#process/machine.ts";
import { readWebBuild } from "#http/web-build.ts";
import { launchChromium } from "#testing/browser/chromium.ts";
import { makePerson } from "#testing/shop/people.ts";
import { buildWebIfNeeded } from "../build-web.ts";
import type { PartOptions, Report } from "./report.ts";
import type { BenchServer } from "./server.ts";
import { openBenchStore } from "./service.ts";

const PASSWORD = "a-password-of-the-bench";
const EMAIL = "avery@bench.test";
// A screen loads its idle-time scripts within this.
const QUIET_MS = 1_500;

/** Size of a file as a browser that accepts brotli gets it. */
async function sentBytes(url: string): Promise<number> {
  const answer = await fetch(url, { headers: { "Accept-Encoding": "br" } });
  await answer.arrayBuffer();
  const length = answer.headers.get("Content-Length");
  if (answer.headers.get("Content-Encoding") !== "br" || length === null) {
    throw new Error(`${url} is not sent with brotli and its length`);
  }
  return Number(length);
}

async function untilIdle(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(QUIET_MS);
  await page.waitForLoadState("networkidle");
}

async function scriptsOf(url: string): Promise<{ login: Set<string>; dashboard: Set<string> }> {
  const browser = await launchChromium();
  try {
    const page = await (await browser.newContext()).newPage();
    let scripts = new Set<string>();
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (request.resourceType() === "script" || pathname.endsWith(".js")) {
        scripts.add(request.url());
      }
    });
    await page.goto(`${url}/login`);
    await untilIdle(page);
    const login = scripts;
    scripts = new Set();
    await page.getByLabel("Email").fill(EMAIL);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/dashboard");
    await untilIdle(page);
    return { login, dashboard: new Set([...scripts].filter((url) => !login.has(url))) };
  } finally {
    await browser.close();
  }
}

export async function benchFirstLoad(server: BenchServer, options: PartOptions): Promise<Report> {
  await using parts = new AsyncDisposableStack();
  await buildWebIfNeeded();
  const store = await openBenchStore(await server.ledgerDatabase("first_load"), true);
  parts.defer(store.close);
  const worker = await startWorker(store);
  parts.defer(worker.close);
  const api = await startApi(store, await readWebBuild(webBuildFolder));
  parts.defer(api.close);
  await makePerson(store, {
    email: EMAIL,
    displayName: "Avery",
    username: "avery",
    role: "user",
    password: PASSWORD,
  });
  options.progress("first-load: /login, then /dashboard");
  const { login, dashboard } = await scriptsOf(api.server.url);
  const rows: { screen: string; script: string; kB: number }[] = [];
  for (const [screen, urls] of [
    ["/login", login],
    ["/dashboard", dashboard],
  ] as const) {
    for (const url of urls) {
      rows.push({ screen, script: new URL(url).pathname, kB: (await sentBytes(url)) / 1000 });
    }
  }
  const sum = (screen?: string) =>
    rows
      .filter((row) => screen === undefined || row.screen === screen)
      .reduce((total, { kB }) => total + kB, 0);
  return {
    part: "first-load",
    tables: [{ title: "Scripts in the order they were requested", rows }],
    notes: [
      `${sum("/login").toFixed(1)} kB until /login is idle; ${sum("/dashboard").toFixed(1)} kB more until /dashboard is idle.`,
    ],
    verdicts: [
      {
        name: "scripts until /login and /dashboard are idle",
        measured: sum(),
        target: 150,
        unit: "kB",
        atLeast: false,
      },
    ],
  };
}
