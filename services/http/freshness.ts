// Read your own writes: a read waits, briefly, until the tables it reads have reached what the caller has seen.
import type { Context, MiddlewareHandler } from "hono";
import { describeRoute, uniqueSymbol } from "hono-openapi";
import type { FreshEnv } from "#http/env.ts";
import { badRequest } from "#http/errors.ts";

/** Waits until the named projections have reached a position. */
export type Freshness = {
  /**
   * With `position`: waits for it, at most 2 s. Without: for the log's head as it is now, at most 250 ms.
   * `freshTo` is the lowest position that the projections have reached. Throws HttpError 400 for a
   * position above the head.
   */
  readonly wait: (
    projections: readonly string[],
    position?: number,
  ) => Promise<{ freshTo: number; stale: boolean }>;
};

/**
 * Declares which projections a route reads, and waits for them. Stands after access and validation.
 * Names are those of the projections, for example `readsFrom("balances", "account-history")`.
 */
export function readsFrom(...projections: readonly string[]): MiddlewareHandler<FreshEnv> {
  const handler: MiddlewareHandler<FreshEnv> = async (c, next) => {
    const position = positionFrom(c.req.header("Ledger-Position"));
    const reached = await c.get("freshness").wait(projections, position);
    c.set("freshTo", reached.freshTo);
    c.set("stale", reached.stale);
    c.header("Ledger-Fresh-To", String(reached.freshTo));
    await next();
  };
  const described = describeRoute({
    parameters: [
      {
        in: "header",
        name: "Ledger-Position",
        description: "Wait until the answer reflects this position of the log (at most 2 s)",
        schema: { type: "integer", minimum: 0 },
      },
    ],
  });
  return Object.assign(handler, {
    [uniqueSymbol]: Reflect.get(described, uniqueSymbol) as unknown,
  });
}

/** Answers a read: the body, and `"stale": true` in it when the tables had not caught up in time. */
export function respondFresh(c: Pick<Context<FreshEnv>, "var" | "json">, body: object): Response {
  return c.json(c.var.stale ? { ...body, stale: true } : body);
}

function positionFrom(header: string | undefined): number | undefined {
  if (header === undefined) {
    return undefined;
  }
  const position = Number(header);
  if (!/^\d{1,16}$/.test(header) || !Number.isSafeInteger(position)) {
    throw badRequest(
      "invalid_position",
      "Ledger-Position must be a whole number",
      "Ledger-Position",
    );
  }
  return position;
}
