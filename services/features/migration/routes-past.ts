// The call that lists what a person sold and was paid in the old app.
import type { Hono } from "hono";
import { self } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { pathParams, queryString } from "#http/validate.ts";
import { pastParams, pastQuery, pastResponse } from "#features/migration/contract-past.ts";
import { readPast } from "#features/migration/queries-past.ts";

/** Reads the log, so it is as fresh as the log is. */
export function addPast(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/sales/old-app/:id",
    self("id"),
    documented({
      summary: "List a consignor's past sales or payouts of the old app",
      tag: "sales",
      answer: pastResponse,
    }),
    pathParams(pastParams),
    queryString(pastQuery),
    async (c) => {
      const { kind, cursor, limit } = c.req.valid("query");
      return c.json(await readPast(deps, c.req.valid("param").id, { kind, cursor, limit }));
    },
  );
}
