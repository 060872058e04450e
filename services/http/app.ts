// Creates the HTTP app: the middlewares of every request, then the features' routes, then the web build.
import { timingSafeEqual } from "node:crypto";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { open } from "#http/access.ts";
import { authenticate, identify } from "#http/authenticate.ts";
import { refuseUndeclaredRoutes } from "#http/check-access.ts";
import { checkUrl } from "#http/check-url.ts";
import { clientAddressBehind, socketAddress } from "#http/client-address.ts";
import {
  countedOnce,
  type CommandRules,
  createCommandLimit,
  defaultCommandRules,
} from "#http/command-limit.ts";
import type { FeatureRoutes, RouteDeps } from "#http/deps.ts";
import type { AppEnv } from "#http/env.ts";
import { answerError, answerUnknownRoute } from "#http/errors.ts";
import { noteExports } from "#http/export-notes.ts";
import { attachmentHeaders } from "#http/file.ts";
import { liveRoutes } from "#http/live-routes.ts";
import { createAppManifest, MANIFEST } from "#http/app-manifest.ts";
import { createBrandedPages } from "#http/branded-pages.ts";
import { createHomePage } from "#http/home-page.ts";
import type { Live } from "#http/live.ts";
import { type Metrics, observeRequests } from "#http/metrics.ts";
import { describeApi, type OpenApiDocument } from "#http/openapi.ts";
import type { Outages } from "#http/outages.ts";
import { answerReadiness, type Readiness } from "#http/readiness.ts";
import { createExpensiveReads } from "#http/expensive-reads.ts";
import type { ExpensiveRules } from "#http/expensive-reads.ts";
import type { Pages } from "#http/page.ts";
import { createReadShopWindow } from "#http/shop-window.ts";
import { createRateLimits } from "#http/rate-limit.ts";
import { noteRefusals } from "#http/request-security.ts";
import { Rehearsed, type Rehearsals } from "#http/rehearsal.ts";
import { nameWebBuild, serveWebBuild, type WebBuild } from "#http/web-build.ts";
import { isLoopback } from "#identity/networks.ts";
import { GOOGLE_CALLBACK } from "#identity/google.ts";
import type { Identity } from "#identity/identity.ts";

export type AppDeps = RouteDeps & {
  readonly identity: Pick<Identity, "verifyToken" | "findStanding" | "parts">;
  readonly live: Live;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly outages: Outages;
  readonly rehearsals: Rehearsals;
  readonly webBuild: WebBuild;
  /** The number of our own proxies in front. */
  readonly proxyCount: number;
  /** The limits for consignors; admins have none. */
  readonly commandRules?: CommandRules;
  readonly expensiveRules?: ExpensiveRules;
  /** Without one, `/metrics` answers only on the machine itself and under its own name. */
  readonly metricsToken?: string;
  /** In production, `/metrics` answers nobody without the token. */
  readonly isProduction?: boolean;
};

/** Throws if a route under /api does not declare who may call it. */
export function createApp(deps: AppDeps, features: readonly FeatureRoutes[]): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.onError(async (error, c) =>
    error instanceof Rehearsed
      ? c.json(error.answer)
      : answerError((await deps.outages.explain(error)) ?? error, c),
  );
  app.notFound(answerUnknownRoute);
  app.use(
    observeRequests(deps.metrics, deps.newId, deps.logger, clientAddressBehind(deps.proxyCount)),
  );
  app.use(GOOGLE_CALLBACK, popUpHeaders);
  app.use("/assets/*", workerHeaders);
  app.use("/api/*", attachmentHeaders, nameWebBuild(deps.webBuild));
  app.use(pageHeaders(deps.webBuild.pages.inline, deps.retailer.imageHosts));
  addOperatorRoutes(app, deps);
  const count = createCommandLimit(
    createRateLimits(deps.sql, deps.clock),
    deps.commandRules ?? defaultCommandRules,
  );
  const expensiveReads = createExpensiveReads(deps.clock, deps.expensiveRules);
  const { securityLog } = deps.identity.parts;
  app.use("/api/*", apiHeaders, authenticate(deps.identity), noteRefusals(securityLog));
  app.use("/api/*", noteExports);
  app.use("/api/*", checkUrl(), async (c, next) => {
    c.set("freshness", deps.freshness);
    c.set("countCommand", countedOnce(count));
    c.set("expensiveReads", expensiveReads);
    c.set("isConfirmed", deps.identity.parts.confirmations.isConfirmed);
    c.set("keptAnswers", deps.identity.parts.keptAnswers);
    c.set("rehearse", deps.rehearsals.rehearse);
    await next();
  });
  let document: Promise<OpenApiDocument> | undefined;
  app.get("/api/openapi.json", open, async (c) => {
    document ??= describeApi(app, deps.rehearsals.answer);
    return c.json(await document);
  });
  app.route(
    "/api",
    liveRoutes(deps.live, (authorization) => identify(deps.identity, authorization)),
  );
  for (const routes of features) {
    app.route("/api", routes(deps));
  }
  app.all("/api/*", answerUnknownRoute);
  const shopWindow = createReadShopWindow(deps);
  const { files, pages } = deps.webBuild;
  const home = createHomePage({ shopWindow, site: deps.site, make: pages.home });
  const manifest = createAppManifest({ shopWindow, built: files.get(MANIFEST) });
  const at = createBrandedPages({ shopWindow, pages });
  app.get("/*", serveWebBuild(deps.webBuild, at, home, new Map([[MANIFEST, manifest]])));
  refuseUndeclaredRoutes(app);
  return app;
}

// Base UI needs no style element with its CSPProvider, and React sets styles by script.
const pageHeaders = (
  { scripts, styles }: Pages["inline"],
  imageHosts: ReadonlySet<string>,
): MiddlewareHandler<AppEnv> =>
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      // Inline only what the build wrote into the page, by its hash.
      scriptSrc: ["'self'", ...scripts],
      styleSrc: ["'self'", ...styles],
      // Pictures of items are our own copies; items from before have addresses of the retailer's.
      imgSrc: ["'self'", "data:", "blob:", ...[...imageHosts].map((host) => `https://${host}`)],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      workerSrc: ["'self'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
    // The Google pop-up must be able to answer the page that opened it.
    crossOriginOpenerPolicy: "same-origin-allow-popups",
    // A year. Browsers heed it over https only.
    strictTransportSecurity: "max-age=31536000; includeSubDomains",
    referrerPolicy: "strict-origin-when-cross-origin",
    // Only the app's own pages may use the camera, and none may use the microphone.
    permissionsPolicy: { camera: ["self"], microphone: [], geolocation: [] },
  });

// A worker has the policy of its own response: only the camera's code reader may run WebAssembly, and nothing else.
const workerHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (c.req.path.startsWith("/assets/code-reader-worker-")) {
    c.header(
      "Content-Security-Policy",
      "default-src 'none'; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
    );
  }
};

// The page that Google's pop-up returns to must stay connected to its opener, or it could not close itself.
const popUpHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  c.header("Cross-Origin-Opener-Policy", "unsafe-none");
};

const apiHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.header("Cache-Control", "no-store");
  await next();
};

function addOperatorRoutes(app: Hono<AppEnv>, deps: AppDeps): void {
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", (c) => answerReadiness(c, deps.readiness));
  app.get("/metrics", async (c) => {
    if (!mayReadMetrics(c, deps)) {
      return answerUnknownRoute(c);
    }
    const { registry } = deps.metrics;
    return c.body(await registry.metrics(), 200, { "Content-Type": registry.contentType });
  });
}

function mayReadMetrics(
  c: Context<AppEnv>,
  { metricsToken: token, isProduction = false }: AppDeps,
): boolean {
  if (token === undefined) {
    // A request through a proxy on this machine comes from outside, and so may one under a public name.
    const isForwarded = ["X-Forwarded-For", "X-Real-IP", "Forwarded", "Via"].some(
      (name) => c.req.header(name) !== undefined,
    );
    const isNear = /^(127\.|::1$|::ffff:127\.|none$)/.test(socketAddress(c));
    return !isProduction && !isForwarded && isNear && isLoopback(new URL(c.req.url).hostname);
  }
  const sent = Buffer.from(c.req.header("Authorization") ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
}
