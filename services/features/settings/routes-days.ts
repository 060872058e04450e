// When days of the store begin and end, for readers in other time zones whose lists are filtered by such days.
import type { Hono } from "hono";
import { signedIn } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { inStoreDays } from "#http/store-period.ts";
import { queryString } from "#http/validate.ts";
import { storeDaysQuery, storeDaysResponse } from "#features/settings/contract-days.ts";

export function addDays(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/settings/days",
    signedIn,
    documented({
      summary: "Say when days of the store begin and end",
      tag: "settings",
      answer: storeDaysResponse,
    }),
    queryString(storeDaysQuery),
    inStoreDays(deps),
    async (c) => {
      const { from = null, to = null } = c.req.valid("query");
      return c.json({ timeZone: await deps.store.timeZone(), from, to });
    },
  );
}
