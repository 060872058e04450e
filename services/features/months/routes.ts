// The calls about closed months and sales tax.
import { Hono } from "hono";
import type { RouteDeps } from "#http/deps.ts";
import type { AppEnv } from "#http/env.ts";
import { addRemittances } from "#features/months/routes-tax.ts";

export function monthRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addRemittances(routes, deps);
  return routes;
}
