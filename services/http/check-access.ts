// Deny by default: the app does not start if a route under /api does not declare who may call it.
import type { Hono } from "hono";
import { findTargetHandler } from "hono/utils/handler";
import { accessOf, type AccessLevel } from "#http/access.ts";
import type { AppEnv } from "#http/env.ts";

export type DeclaredRoute = {
  readonly method: string;
  readonly path: string;
  /** Every access that the route declares, in order; there must be exactly one. */
  readonly access: readonly AccessLevel[];
  /** True if the declaration is the route's first handler, before anything is read or validated. */
  readonly isFirst: boolean;
};

/** Every route under /api with the access it declares. Middlewares for whole branches are not routes. */
export function declaredRoutes(app: Hono<AppEnv>): readonly DeclaredRoute[] {
  const handlers = app.routes.filter(
    ({ method, path }) => method !== "ALL" && path.startsWith("/api"),
  );
  const byRoute = Map.groupBy(handlers, ({ method, path }) => `${method} ${path}`);
  return [...byRoute.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) {
      return [];
    }
    const levels = group.map(({ handler }) => accessOf(findTargetHandler(handler)));
    return {
      method: first.method,
      path: first.path,
      access: levels.filter((level) => level !== undefined),
      isFirst: levels[0] !== undefined,
    };
  });
}

/** Throws an error that names the routes that declare no access, several, or one too late. */
export function refuseUndeclaredRoutes(app: Hono<AppEnv>): void {
  const wrong = declaredRoutes(app).filter(
    ({ access, isFirst }) => access.length !== 1 || !isFirst,
  );
  if (wrong.length > 0) {
    const names = wrong.map(({ method, path }) => `${method} ${path}`).join(", ");
    throw new Error(
      `These routes must declare their access once, as their first handler: ${names}`,
    );
  }
}
