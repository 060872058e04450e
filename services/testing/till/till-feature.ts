// The toy domain of tills as a whole feature, for apps of tests: `openTestApp(tillFeature)`, and its one command over HTTP.
import type { TestAnswer, TestApp, TestPerson } from "#testing/service/test-app.ts";
import { tillBook } from "#testing/till/till-projection.ts";
import { tillRoutes } from "#testing/till/till-routes.ts";
import { tillEvents, tillStreams } from "#testing/till/till.ts";

export const tillFeature = {
  routes: [tillRoutes],
  streams: tillStreams,
  events: tillEvents,
  projections: [tillBook],
};

/** Puts cents into a till under an idempotency key. */
export function fillOverHttp(
  shop: TestApp,
  as: TestPerson,
  { till, cents, key }: { readonly till: string; readonly cents: number; readonly key: string },
): Promise<TestAnswer> {
  return shop.call("POST", `/api/tills/${till}/fill`, {
    as,
    body: { cents },
    headers: { "Idempotency-Key": key },
  });
}
