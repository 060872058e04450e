// The time zones that an admin can choose for the store.
import type { Hono } from "hono";
import { admin } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { createTimeZoneNames } from "#http/known-time-zones.ts";
import { timeZonesResponse } from "#features/settings/contract-days.ts";

export function addTimeZones(routes: Hono<AppEnv>, deps: RouteDeps): void {
  const namesOf = createTimeZoneNames(deps.sql);
  routes.get(
    "/settings/time-zones",
    admin,
    documented({
      summary: "List the time zones that the store can have",
      tag: "settings",
      answer: timeZonesResponse,
    }),
    async (c) => c.json({ timeZones: [...(await namesOf())] }),
  );
}
