// Browser contexts for tests: one that a test file has left is emptied and lent to the next, because making one takes a fifth of a second of processor time.
import type { Browser, BrowserContext, Disposable, Page } from "playwright-core";

/** What decides whether a context suits another test. */
export type ContextKind = {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly reducedMotion: "reduce" | "no-preference";
};

/** A context in use. */
export type LentContext = {
  readonly context: BrowserContext;
  /** Empties it for the next user, or closes it if a test did what cannot be undone; a closed one stays closed. */
  readonly giveBack: (origin: string) => Promise<void>;
};

type Kept = {
  readonly context: BrowserContext;
  /** Empty and always open: it keeps the process that draws the context's pages. */
  readonly keeper: Page;
  readonly use: Use;
};

/** What the present user of a context has done. */
type Use = {
  scripts: Disposable[];
  isSpoiled: boolean;
  onPage: ((page: Page) => void) | undefined;
};

/** Of one kind. Each takes a process with its memory, and few tests have more people. */
const MOST_KEPT = 3;

const kept = new WeakMap<Browser, Map<string, Kept[]>>();

/** Lends an empty context; `onPage` learns of each page that opens in it. */
export async function lendContext(
  browser: Browser,
  kind: ContextKind,
  onPage: (page: Page) => void,
): Promise<LentContext> {
  const name = JSON.stringify(kind);
  const ofBrowser = kept.get(browser) ?? new Map<string, Kept[]>();
  kept.set(browser, ofBrowser);
  const free = ofBrowser.get(name) ?? [];
  ofBrowser.set(name, free);
  const lent = free.pop() ?? (await makeContext(browser, kind));
  lent.use.onPage = onPage;
  return {
    context: lent.context,
    async giveBack(origin) {
      lent.use.onPage = undefined;
      if (!browser.isConnected() || lent.keeper.isClosed()) {
        return;
      }
      if (lent.use.isSpoiled || free.length >= MOST_KEPT) {
        await lent.context.close();
      } else {
        await empty(lent, origin);
        free.push(lent);
      }
    },
  };
}

async function makeContext(browser: Browser, kind: ContextKind): Promise<Kept> {
  const context = await browser.newContext({ ...kind, locale: "en-US" });
  const keeper = await context.newPage();
  const use: Use = { scripts: [], isSpoiled: false, onPage: undefined };
  context.on("page", (page) => use.onPage?.(page));
  const addInitScript = context.addInitScript.bind(context);
  replace(context, "addInitScript", async (...given: Parameters<typeof addInitScript>) => {
    const script = await addInitScript(...given);
    use.scripts.push(script);
    return script;
  });
  // Nothing in Playwright takes these back.
  for (const [part, name] of [
    // Each puts another clock into every later page, which also tells events their times.
    [context.clock, "install"],
    [context.clock, "setFixedTime"],
    [context.clock, "setSystemTime"],
    [context.clock, "pauseAt"],
    [context, "exposeFunction"],
    [context, "exposeBinding"],
    [context, "on"],
  ] as const) {
    const act: unknown = Reflect.get(part, name);
    replace(part, name, (...given: readonly unknown[]): unknown => {
      use.isSpoiled = true;
      return typeof act === "function" ? Reflect.apply(act, part, given) : undefined;
    });
  }
  return { context, keeper, use };
}

function replace(part: object, name: string, act: unknown): void {
  Object.defineProperty(part, name, { value: act, configurable: true });
}

async function empty({ context, keeper, use }: Kept, origin: string): Promise<void> {
  await Promise.all([
    ...context.pages().flatMap((page) => (page === keeper ? [] : [page.close()])),
    ...use.scripts.splice(0).map((script) => script.dispose()),
  ]);
  const devTools = await context.newCDPSession(keeper);
  await Promise.all([
    context.unrouteAll({ behavior: "ignoreErrors" }),
    context.clearCookies(),
    context.clearPermissions(),
    context.setGeolocation(null),
    context.setOffline(false),
    context.setExtraHTTPHeaders({}),
    // Its cache stays: what the browser keeps of the app and of the API has a name of its own for each content.
    devTools.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" }),
  ]);
  await devTools.detach();
}
