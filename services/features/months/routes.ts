// The calls about closed months and sales tax.
import { Hono } from "hono";
import type { RouteDeps } from "#http/deps.ts";
import type { AppEnv } from "#http/env.ts";
import type { ReadParts } from "#features/months/queries.ts";
import { addMonths } from "#features/months/routes-months.ts";
import { addTaxReport } from "#features/months/routes-report.ts";
import { addRemittances } from "#features/months/routes-tax.ts";

/** `readParts` are the totals of the reports, which closing a month stores. */
export function monthRoutes(deps: RouteDeps, readParts: ReadParts): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addMonths(routes, { ...deps, readParts });
  addTaxReport(routes, { ...deps, readParts });
  addRemittances(routes, deps);
  return routes;
}
