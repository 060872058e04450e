// A store with a till in a browser whose profile is kept, and a server that can be stopped and restarted at its address.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { pino } from "pino";
import { parseConfig } from "#config";
import { readWebBuild } from "#http/web-build.ts";
import { openStore } from "#process/open-store.ts";
import { startApi } from "#process/start-api.ts";
import { startWorker } from "#process/start-worker.ts";
import type { Store } from "#process/open-store.ts";
import type { Api } from "#process/start-api.ts";
import { webBuildFolder } from "#process/machine.ts";
import { makePerson } from "#testing/shop/people.ts";
import { openProfile, sharedChromium } from "#testing/browser/chromium.ts";
import { watchPage } from "#testing/browser/watched-pages.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";
import { steadyPort } from "#testing/browser/steady-port.ts";
import { CHEAP_PASSWORDS } from "#testing/service/test-app-parts.ts";

export type TillStore = {
  readonly store: Store;
  readonly url: string;
  readonly averyUid: string;
  readonly blakeUid: string;
  /** A call as one of the admins; returns status and body. */
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    as?: "robin" | "sam",
  ) => Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
  /** An item in stock; its id. `owner` null for the store's own. */
  readonly item: (
    owner: string | null,
    barcode1: string,
    quantity: number,
    itemName?: string,
  ) => Promise<string>;
  readonly stopServer: () => Promise<void>;
  readonly startServer: () => Promise<void>;
  /** The till's browser; opened again with the same profile after `closeBrowser`. */
  readonly till: () => Promise<Page>;
  readonly closeBrowser: () => Promise<void>;
  /** Errors thrown by the till's pages. */
  readonly pageErrors: readonly string[];
  readonly close: () => Promise<void>;
};

const PASSWORD = "a-password-of-tests";
/** Reduced motion, as in other browser tests: drawing it takes half of a dialog's time. */
const look = { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" } as const;

/** `keepsProfile`: closing the browser and opening it again finds what the till has stored. It costs a browser of its own. */
export async function openTillStore(keepsProfile = false): Promise<TillStore> {
  const database = await readableDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), "till-store-"));
  const store = await openStore({
    config: parseConfig({
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      DATA_DIR: dataDir,
      PORT: String(await steadyPort()),
      // Each of these tests would prove its books when it meets a full minute.
      PROOF_TIME: "off",
    }),
    logger: pino({ level: "error" }),
    name: "till-test",
    works: true,
    passwordCost: CHEAP_PASSWORDS,
  });
  const worker = await startWorker(store);
  const build = await readWebBuild(webBuildFolder);
  let api: Api | undefined = await startApi(store, build);
  const { url } = api.server;
  const people = await peopleOf(store);
  const call = callerOf(url, people.tokens);
  const pageErrors: string[] = [];
  let profile: BrowserContext | undefined;
  const stopServer = async (): Promise<void> => {
    await api?.close();
    api = undefined;
  };
  const closeBrowser = async (): Promise<void> => {
    await profile?.close();
    profile = undefined;
  };
  return {
    store,
    url,
    averyUid: people.averyUid,
    blakeUid: people.blakeUid,
    call,
    pageErrors,
    async item(owner, barcode1, quantity, itemName = `Item ${barcode1}`) {
      const item = { itemName, barcode1, quantity };
      const { body } = await (owner === null
        ? call("POST", "/inventory/master", item)
        : call("POST", "/inventory/consignor", { ...item, consignorID: owner }));
      return String(body["id"]);
    },
    stopServer,
    async startServer() {
      api ??= await startApi(store, build);
    },
    async till() {
      if (profile === undefined) {
        profile = keepsProfile
          ? await openProfile(path.join(dataDir, "profile"), look)
          : await (await sharedChromium()).newContext({ ...look, locale: "en-US" });
        return openTill(profile, url, pageErrors);
      }
      return profile.pages()[0] ?? profile.newPage();
    },
    closeBrowser,
    async close() {
      await closeBrowser();
      await stopServer();
      await worker.close();
      await store.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Opens the point of sale, and signs in unless the profile is. */
async function openTill(profile: BrowserContext, url: string, pageErrors: string[]): Promise<Page> {
  const watch = (page: Page) => {
    watchPage(page);
    page.on("pageerror", (error) => pageErrors.push(error.message));
  };
  profile.pages().forEach(watch);
  profile.on("page", watch);
  profile.setDefaultTimeout(60_000);
  const page = profile.pages()[0] ?? (await profile.newPage());
  await page.goto(`${url}/pos`);
  const email = page.getByLabel("Email");
  await email.or(page.getByRole("combobox")).waitFor();
  if (await email.isVisible()) {
    await email.fill("robin@store.test");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/pos/u);
  }
  return page;
}

type People = {
  readonly averyUid: string;
  readonly blakeUid: string;
  readonly tokens: Readonly<Record<"robin" | "sam", string>>;
};

async function peopleOf(store: Store): Promise<People> {
  const { identity } = store;
  const person = (name: string, role: "user" | "admin", password?: string) =>
    makePerson(store, {
      email: `${name.toLowerCase()}@store.test`,
      displayName: name,
      role,
      ...(password === undefined ? {} : { password }),
    });
  const robin = await person("Robin", "admin", PASSWORD);
  const sam = await person("Sam", "admin");
  return {
    averyUid: await person("Avery", "user"),
    blakeUid: await person("Blake", "user"),
    tokens: {
      robin: await identity.issueTokenFor(robin),
      sam: await identity.issueTokenFor(sam),
    },
  };
}

function callerOf(url: string, tokens: People["tokens"]): TillStore["call"] {
  return async (method, path, body, as = "robin") => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${tokens[as]}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      body: Object(await response.json()) as Record<string, unknown>,
    };
  };
}
