// The calls about visits: each page tells of its own, and admins read the numbers.
import { Hono } from "hono";
import { admin, open } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented, documentedBeacon } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { jsonBody } from "#http/validate.ts";
import { statsResponse, trackRequest } from "#features/visits/contract.ts";
import { readVisitStats } from "#features/visits/visit-stats.ts";
import { createVisitCounter } from "#features/visits/visit-counter.ts";
import { createSessionLimit, createVisitLimit } from "#features/visits/visit-limit.ts";
import { isCounted, patternOf } from "#features/visits/visit.ts";

const tag = "analytics";

export function visitRoutes(deps: RouteDeps): Hono<AppEnv> {
  const { sql, clock, logger, store } = deps;
  const routes = new Hono<AppEnv>();
  const limit = createVisitLimit(clock);
  const isStored = createSessionLimit(clock, logger);
  const counter = createVisitCounter({ sql, clock, logger, timeZone: store.timeZone });
  routes.post(
    "/analytics/track",
    open,
    documentedBeacon({ summary: "Count a visit of a screen", tag }),
    jsonBody(trackRequest),
    (c) => {
      const headers = {
        userAgent: c.req.header("User-Agent"),
        purpose: c.req.header("Sec-Purpose") ?? c.req.header("Purpose"),
        doNotTrack: c.req.header("DNT"),
        globalPrivacyControl: c.req.header("Sec-GPC"),
      };
      if (isCounted(headers)) {
        const address = c.get("clientAddress");
        limit(address);
        const { sessionId, path } = c.req.valid("json");
        counter.count({
          sessionId: isStored(sessionId, address) ? sessionId : null,
          path: patternOf(path),
        });
      }
      return c.body(null, 204);
    },
  );
  routes.get(
    "/analytics/stats",
    admin,
    documented({
      summary: "Read how many people visit the app's screens",
      tag,
      answer: statsResponse,
    }),
    async (c) => {
      await counter.written();
      return c.json(await readVisitStats(sql, clock(), await store.timeZone()));
    },
  );
  return routes;
}
