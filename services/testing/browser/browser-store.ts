// The whole service with the built app, in this process on a database of its own, for browser tests.
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { pino } from "pino";
import { parseConfig } from "#config";
import type { Decider } from "#ledger/decider.ts";
import { readWebBuild } from "#http/web-build.ts";
import { openStore } from "#process/open-store.ts";
import { startApi } from "#process/start-api.ts";
import { startWorker } from "#process/start-worker.ts";
import type { Store } from "#process/open-store.ts";
import { webBuildFolder } from "#process/machine.ts";
import { sharedChromium } from "#testing/browser/chromium.ts";
import { lendContext, type LentContext } from "#testing/browser/contexts.ts";
import { slowAnswers } from "#testing/browser/pace.ts";
import { steadyPort } from "#testing/browser/steady-port.ts";
import { watchPage } from "#testing/browser/watched-pages.ts";
import { makePerson } from "#testing/shop/people.ts";
import { CHEAP_PASSWORDS } from "#testing/service/test-app-parts.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";

export type BrowserStore = {
  readonly store: Store;
  readonly url: string;
  /** A browser context with its own cookies and storage. */
  readonly visitor: (size?: { width: number; height: number }) => Promise<BrowserContext>;
  /** The same without JavaScript, as some search engines read. */
  readonly reader: () => Promise<BrowserContext>;
  /** Empties a visitor's context for the next one; the context may not be used after it. */
  readonly leave: (visitor: BrowserContext) => Promise<void>;
  /** An empty page of a person whose browser is signed in. The login screen has its own tests. */
  readonly signedIn: (context: BrowserContext, email: string) => Promise<Page>;
  /** The same, with a screen; by default the one that people see first. */
  readonly signIn: (context: BrowserContext, email: string, at?: string) => Promise<Page>;
  /** Makes a person, with the same password as everyone in this store. */
  readonly person: (email: string, displayName: string, role: "user" | "admin") => Promise<string>;
  /** Books something as the system, under a new key. */
  readonly execute: <Command>(
    decider: Decider<Command, unknown>,
    command: Command,
  ) => Promise<void>;
  /** The links in the mails to an address, newest last. */
  readonly mailedLinks: (email: string) => Promise<readonly string[]>;
  /** Errors that the pages logged or threw. */
  readonly pageErrors: readonly string[];
  readonly close: () => Promise<void>;
};

const PASSWORD = "a-password-of-tests";
/** Enough for a machine at a quarter of its usual speed. */
const PATIENCE_MS = 60_000;

/**
 * `environment` adds to the store's configuration, for example a stand-in's address; `browserFlags` to the browser's.
 * People ask for reduced motion, because drawing it takes half of a dialog's time; one file looks at it.
 */
export async function openBrowserStore(
  environment: Readonly<Record<string, string>> = {},
  browserFlags: readonly string[] = [],
  reducedMotion: "reduce" | "no-preference" = "reduce",
): Promise<BrowserStore> {
  const database = await readableDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), "browser-store-"));
  const store = await openStore({
    config: parseConfig({
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      DATA_DIR: dataDir,
      PORT: String(await steadyPort()),
      // Each browser test would prove its books when it meets a full minute.
      PROOF_TIME: "off",
      ...environment,
    }),
    logger: pino({ level: "error" }),
    name: "browser-test",
    works: true,
    passwordCost: CHEAP_PASSWORDS,
  });
  const worker = await startWorker(store);
  const api = await startApi(store, await readWebBuild(webBuildFolder));
  const browser: Browser = await sharedChromium(browserFlags);
  const pageErrors: string[] = [];
  const contexts = contextsOf(browser, reducedMotion, pageErrors, api.server.url);
  return {
    store,
    url: api.server.url,
    pageErrors,
    visitor: contexts.visitor,
    reader: contexts.reader,
    leave: contexts.leave,
    signedIn: (context, email) => signedIn(context, email, api.server.url),
    async signIn(context, email, at = "/login") {
      const page = await signedIn(context, email, api.server.url);
      await page.goto(`${api.server.url}${at}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      return page;
    },
    person: (email, displayName, role) =>
      // With a username, because the dashboard would ask for one first.
      makePerson(store, {
        email,
        displayName,
        username: email.slice(0, email.indexOf("@")),
        role,
        password: PASSWORD,
      }),
    async execute(decider, command) {
      const request = {
        actor: "system:test",
        scope: "store",
        key: randomUUID(),
        requestHash: "00",
      };
      await store.ledger.execute(decider, command, request);
    },
    mailedLinks: (email) => linksTo(email, path.join(dataDir, "outbox")),
    async close() {
      await contexts.close();
      await api.close();
      await worker.close();
      await store.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Borrows contexts of the browser that other files share, and gives them back. */
function contextsOf(
  browser: Browser,
  reducedMotion: "reduce" | "no-preference",
  pageErrors: string[],
  url: string,
): Pick<BrowserStore, "visitor" | "reader" | "leave" | "close"> {
  const lent: LentContext[] = [];
  const readers: BrowserContext[] = [];
  const onPage = (page: Page) => {
    watchPage(page);
    page.on("pageerror", (error) => pageErrors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") {
        // With the path of what could not be loaded.
        const { url: source } = message.location();
        const { pathname } = URL.canParse(source) ? new URL(source) : { pathname: "" };
        pageErrors.push(`${message.text()} ${pathname}`);
      }
    });
  };
  return {
    async visitor(viewport = { width: 1280, height: 900 }) {
      const one = await lendContext(browser, { viewport, reducedMotion }, onPage);
      lent.push(one);
      one.context.setDefaultTimeout(PATIENCE_MS);
      await slowAnswers(one.context);
      return one.context;
    },
    async reader() {
      const context = await browser.newContext({ locale: "en-US", javaScriptEnabled: false });
      readers.push(context);
      context.setDefaultTimeout(PATIENCE_MS);
      return context;
    },
    async leave(context) {
      const index = lent.findIndex((one) => one.context === context);
      const [one] = index === -1 ? [] : lent.splice(index, 1);
      await one?.giveBack(url);
    },
    async close() {
      // One after the other, because only a few are kept.
      for (const one of lent) {
        await one.giveBack(url);
      }
      await Promise.all(readers.map((reader) => reader.close()));
    },
  };
}

/** Signs in as the login screen does: with a cookie, and with the hint that there is one. */
async function signedIn(context: BrowserContext, email: string, url: string): Promise<Page> {
  const answer = await context.request.post(`${url}/api/identity/sign-in`, {
    headers: { Origin: url },
    data: { email, password: PASSWORD },
  });
  if (!answer.ok()) {
    throw new Error(`${email} could not sign in: ${await answer.text()}`);
  }
  await context.addInitScript(() => {
    if (location.protocol === "http:" && localStorage.getItem("session") === null) {
      localStorage.setItem("session", "open");
    }
  });
  return context.newPage();
}

async function linksTo(email: string, outbox: string): Promise<readonly string[]> {
  const names = await readdir(outbox).catch(() => []);
  const letters = await Promise.all(
    names
      .toSorted((one, other) => one.localeCompare(other))
      .map((name) => readFile(path.join(outbox, name), "utf8")),
  );
  return letters
    .filter((letter) => letter.includes(`To: ${email}`))
    .flatMap((letter) => {
      // Quoted-printable breaks long lines with "=" and writes "=" itself as "=3D".
      const text = letter.replaceAll("=\r\n", "").replaceAll("=3D", "=");
      return /https?:\/\/[^\s"<>]+#(?:token|invitation)=[\w.-]+/.exec(text)?.[0] ?? [];
    });
}
