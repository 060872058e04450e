// Metrics of requests, counted by route and never by address or person.
import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { AppEnv } from "#http/env.ts";

export type Metrics = {
  /** Other modules register their metrics here: positions, lag, batch sizes. */
  readonly registry: Registry;
  readonly observe: (method: string, route: string, status: number, seconds: number) => void;
};

/** Its own registry, so that several apps in one process do not conflict. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: "http_request_duration_seconds",
    help: "From the request's arrival to the answer's first byte",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  return {
    registry,
    observe(method, route, status, seconds) {
      duration.observe({ method, route, status: String(status) }, seconds);
    },
  };
}

/** The pattern of the route that answered: `/api/sales/:id`, or `unmatched`. */
export function routeOf(c: Context<AppEnv>): string {
  const path = routePath(c);
  return path.includes("*") ? "unmatched" : path;
}

/** Times every request, writes one log line for it, and adds its id to the answer. */
export function observeRequests(
  metrics: Metrics,
  newId: () => string,
  logger: AppEnv["Variables"]["log"],
  clientAddress: (c: Context<AppEnv>) => string,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const startedAt = performance.now();
    const requestId = newId();
    c.set("requestId", requestId);
    c.set("log", logger);
    c.set("clientAddress", clientAddress(c));
    c.header("X-Request-Id", requestId);
    await next();
    const durationMs = performance.now() - startedAt;
    const route = routeOf(c);
    const { status } = c.res;
    metrics.observe(c.req.method, route, status, durationMs / 1000);
    const line = {
      requestId,
      method: c.req.method,
      route,
      status,
      durationMs: Math.round(durationMs * 100) / 100,
    };
    if (status >= 500) {
      logger.error(line, "request");
    } else {
      logger.info(line, "request");
    }
  };
}
