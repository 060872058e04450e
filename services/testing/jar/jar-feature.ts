// The toy domain of jars as a whole feature, for test apps: `openTestApp(jarFeature)`, and its one command over HTTP.
import type { TestAnswer, TestApp, TestPerson } from "#testing/service/test-app.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import { jarRoutes } from "#testing/jar/jar-routes.ts";
import { jarEvents, jarStreams } from "#testing/jar/jar.ts";

export const jarFeature = {
  routes: [jarRoutes],
  streams: jarStreams,
  events: jarEvents,
  projections: [jarBook],
};

/** Puts cents into a jar under an idempotency key. */
export function fillOverHttp(
  shop: TestApp,
  as: TestPerson,
  { jar, cents, key }: { readonly jar: string; readonly cents: number; readonly key: string },
): Promise<TestAnswer> {
  return shop.call("POST", `/api/jars/${jar}/fill`, {
    as,
    body: { cents },
    headers: { "Idempotency-Key": key },
  });
}
