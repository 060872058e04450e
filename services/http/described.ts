// Lets a middleware say something about its routes in the OpenAPI document.
import { describeRoute, uniqueSymbol } from "hono-openapi";
import type { DescribeRouteOptions } from "hono-openapi";

/** Fields of OpenAPI, and our own, which begin with `x-`. */
type Description = DescribeRouteOptions & { readonly [own: `x-${string}`]: unknown };

/** The same handler, with what the document says about every route that has it. */
export function described<Handler extends object>(handler: Handler, spec: Description): Handler {
  const mark: unknown = Reflect.get(describeRoute(spec), uniqueSymbol);
  return Object.assign(handler, { [uniqueSymbol]: mark });
}
