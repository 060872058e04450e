// What a first visit costs: the scripts until the first screens are idle, as sent with brotli, and the time until they are seen.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { startApi } from "#process/start-api.ts";
import { startWorker } from "#process/start-worker.ts";
import { webBuildFolder } from "#process/machine.ts";
import { readWebBuild } from "#http/web-build.ts";
import { launchChromium } from "#testing/browser/chromium.ts";
import { makePerson } from "#testing/shop/people.ts";
import { buildWebIfNeeded } from "../build-web.ts";
import { paintTimes, type Visit } from "./first-paint.ts";
import type { PartOptions, Report, Verdict } from "./report.ts";
import type { BenchServer } from "./server.ts";
import { openBenchStore, stockService } from "./service.ts";

const PASSWORD = "a-password-of-the-bench";
const EMAIL = "avery@bench.test";
const ADMIN = "admin@bench.test";
// A screen loads its idle-time scripts within this.
const QUIET_MS = 1_500;

/** With the most seconds until the visitor sees what they came for, and until anything is painted. */
const visits: readonly (Visit & { readonly shownWithin: number; readonly paintWithin: number })[] =
  [
    {
      name: "/login, a stranger",
      path: "/login",
      email: undefined,
      shows: "form button[type=submit]",
      shownWithin: 3,
      paintWithin: 2,
    },
    {
      name: "/dashboard, signed out",
      path: "/dashboard",
      email: undefined,
      shows: "form button[type=submit]",
      shownWithin: 3,
      paintWithin: 2,
    },
    {
      name: "/dashboard, its numbers",
      path: "/dashboard",
      email: EMAIL,
      shows: "[aria-label='Your account'] .tabular-nums",
      shownWithin: 3.5,
      paintWithin: 2,
    },
    {
      name: "/admin, its rows",
      path: "/admin",
      email: ADMIN,
      shows: "tbody tr",
      shownWithin: 4,
      paintWithin: 2,
    },
  ];

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

async function scriptsOf(
  browser: Browser,
  url: string,
): Promise<{ login: Set<string>; dashboard: Set<string> }> {
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
  await page.context().close();
  return { login, dashboard: new Set([...scripts].filter((one) => !login.has(one))) };
}

/** A table of the scripts with their sizes, and their sum. */
async function weigh(browser: Browser, url: string) {
  const { login, dashboard } = await scriptsOf(browser, url);
  const rows: { screen: string; script: string; kB: number }[] = [];
  for (const [screen, urls] of [
    ["/login", login],
    ["/dashboard", dashboard],
  ] as const) {
    for (const one of urls) {
      rows.push({ screen, script: new URL(one).pathname, kB: (await sentBytes(one)) / 1000 });
    }
  }
  return { rows, sum: rows.reduce((total, { kB }) => total + kB, 0) };
}

/** The session's cookie, and the hint that there is one. */
function signInAt(url: string) {
  return async (context: BrowserContext, email: string): Promise<void> => {
    const answer = await context.request.post(`${url}/api/identity/sign-in`, {
      headers: { Origin: url },
      data: { email, password: PASSWORD },
    });
    if (!answer.ok()) {
      throw new Error(`${email} could not sign in: ${await answer.text()}`);
    }
    await context.addInitScript((isAdmin) => {
      localStorage.setItem("session", "open");
      if (isAdmin) {
        localStorage.setItem("posPerson", '{"uid":"","displayName":null,"username":null}');
      }
    }, email === ADMIN);
  };
}

async function paint(browser: Browser, url: string, options: PartOptions) {
  const rows: Record<string, string | number>[] = [];
  const verdicts: Verdict[] = [];
  for (const visit of visits) {
    options.progress(`first-load: ${visit.name}`);
    const times = await paintTimes(browser, url, signInAt(url), visit, options.rounds(5));
    const [paintS, shownS] = [times.paintMs / 1000, times.shownMs / 1000];
    rows.push({
      visit: visit.name,
      "first paint s": paintS,
      "shown s": shownS,
      "layout shift": times.layoutShift,
    });
    const verdict = { unit: "s", atLeast: false };
    verdicts.push(
      {
        name: `${visit.name}: first paint`,
        measured: paintS,
        target: visit.paintWithin,
        ...verdict,
      },
      { name: `${visit.name}: shown`, measured: shownS, target: visit.shownWithin, ...verdict },
    );
  }
  return { rows, verdicts };
}

export async function benchFirstLoad(server: BenchServer, options: PartOptions): Promise<Report> {
  await using parts = new AsyncDisposableStack();
  await buildWebIfNeeded();
  const database = await server.ledgerDatabase("first_load");
  await stockService(database);
  const store = await openBenchStore(database, true);
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
  const browser = await launchChromium();
  parts.defer(() => browser.close());
  const { url } = api.server;
  options.progress("first-load: /login, then /dashboard, their scripts");
  const scripts = await weigh(browser, url);
  const painted = await paint(browser, url, options);
  return {
    part: "first-load",
    tables: [
      { title: "Scripts in the order they were requested", rows: scripts.rows },
      {
        title: "Medians of first visits: CPU 4 times slower, 1.5 Mbit/s, 560 ms before each answer",
        rows: painted.rows,
      },
    ],
    notes: [
      "Shown: the form can be filled in, the numbers and rows are there. The form is drawn from the first paint on.",
    ],
    verdicts: [
      {
        name: "scripts until /login and /dashboard are idle",
        measured: scripts.sum,
        target: 120,
        unit: "kB",
        atLeast: false,
      },
      ...painted.verdicts,
    ],
  };
}
