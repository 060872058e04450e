// A list's period in days of the store: turns the days of a query into the instants that the list is read between.
import type { MiddlewareHandler } from "hono";
import { described } from "#http/described.ts";
import type { RouteDeps } from "#http/deps.ts";
import type { AppEnv } from "#http/env.ts";
import { dayAfter, readDayBegins } from "#http/store-days.ts";

type Period = { readonly from?: string; readonly to?: string };

/** What `queryString` checked before. */
type WithPeriod = { readonly out: { readonly query: Period } };

const spec = { "x-store-days": true, responses: {} };

const isDay = (bound: string | undefined): bound is string => bound?.length === 10;

/**
 * Stands after `queryString`. A `from` that is a day becomes the instant at which that day of the store begins, and a
 * `to` the one at which it ends, as in the store's reports. Instants stay as they are. The OpenAPI document names these
 * calls with `x-store-days`.
 */
export function inStoreDays({
  reads,
  store,
}: Pick<RouteDeps, "reads" | "store">): MiddlewareHandler<AppEnv, string, WithPeriod> {
  const handler: MiddlewareHandler<AppEnv, string, WithPeriod> = async (c, next) => {
    const query = c.req.valid("query");
    const { from, to } = query;
    const days = [...(isDay(from) ? [from] : []), ...(isDay(to) ? [dayAfter(to)] : [])];
    if (days.length > 0) {
      const begins = await readDayBegins(reads, await store.dayBegins(days));
      const instants = begins.map((at) => at.toISOString());
      c.req.addValidatedData("query", {
        ...query,
        ...(isDay(from) ? { from: instants[0] } : {}),
        ...(isDay(to) ? { to: instants.at(-1) } : {}),
      });
    }
    await next();
  };
  return described(handler, spec);
}
