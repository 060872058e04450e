// Read your own writes: a read waits, briefly, until the tables it reads have reached what the caller has seen.
import type { Context, MiddlewareHandler } from "hono";
import { describeRoute, uniqueSymbol } from "hono-openapi";
import type { FreshEnv } from "#http/env.ts";
import { badRequest, HttpError } from "#http/errors.ts";
import type { ReadSource } from "#http/read-source.ts";
import { readFrom } from "#http/read-place.ts";
import type { HeldLookup } from "#ledger/projection/held-lookup.ts";

/** Waits until the named projections have reached a position. */
export type Freshness = {
  /**
   * With `position`: waits for it, at most 2 s. Without: for the log's head as it is now, at most 250 ms.
   * `freshTo` is the lowest position that the projections have reached where the request is to read. Throws
   * HttpError 400 for a position above the head.
   */
  readonly wait: (
    projections: readonly string[],
    position?: number,
    mayReadStandby?: boolean,
  ) => Promise<Reached>;
  readonly held: HeldLookup;
};

/** How far the read tables are that a read is about. */
export type Reached = {
  /** Where they are read. */
  readonly source: ReadSource;
  readonly freshTo: number;
  readonly stale: boolean;
  /** Row keys of all people that these tables hold back. */
  readonly held: number;
};

/**
 * Declares which projections a route reads, and waits for them. Stands after access and validation.
 * Names are those of the projections, for example `readsFrom("balances", "account-history")`.
 */
export function readsFrom(...projections: readonly string[]): MiddlewareHandler<FreshEnv> {
  const handler: MiddlewareHandler<FreshEnv> = async (c, next) => {
    const position = positionFrom(c.req.header("Ledger-Position"));
    // A request that changes something reads what it has just changed.
    const mayReadStandby = c.req.method === "GET" || c.req.method === "HEAD";
    const reached = await c.get("freshness").wait(projections, position, mayReadStandby);
    c.set("freshTo", reached.freshTo);
    c.set("stale", reached.stale);
    c.header("Ledger-Fresh-To", String(reached.freshTo));
    await readFrom(reached.source, async () => {
      c.set("held", reached.held === 0 ? 0 : await heldFor(c, projections));
      if (c.var.held > 0) {
        c.header("Ledger-Held", String(c.var.held));
      }
      await next();
    });
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

/** Of what is held back, only what the read is about: one person's, or for an admin's lists everybody's. */
function heldFor(
  c: Pick<Context<FreshEnv>, "var">,
  projections: readonly string[],
): Promise<number> {
  const { freshness, person, subjectUid } = c.var;
  const uid = subjectUid ?? (person?.role === "admin" ? undefined : person?.uid);
  return freshness.held.count(projections, uid);
}

/**
 * Answers a read: the body, with `"stale": true` in it when the tables had not caught up in time, and with
 * `"held": 2` when two rows are missing from it, or old, because they could not be folded.
 */
export function respondFresh(c: Pick<Context<FreshEnv>, "var" | "json">, body: object): Response {
  const { stale, held } = c.var;
  return c.json({ ...body, ...(stale ? { stale } : {}), ...(held > 0 ? { held } : {}) });
}

/**
 * Refuses a read of one row that is held back: what the table has of it is not what the ledger says. Throws
 * HttpError 503 `held_back`. To somebody whom the row does not concern it is as if it were not there.
 */
export async function refuseHeld(
  c: Pick<Context<FreshEnv>, "var">,
  projection: string,
  key: string,
  what: string,
): Promise<void> {
  if (c.var.held === 0) {
    return;
  }
  const { freshness, person } = c.var;
  const uid = person?.role === "admin" ? undefined : person?.uid;
  if (await freshness.held.isHeld(projection, key, uid)) {
    throw heldBack(`${what} is on record, but it cannot be shown right now.`);
  }
}

/** 503: it exists, and what the tables have of it is missing or old. */
export function heldBack(sentence: string): HttpError {
  return new HttpError(
    503,
    "held_back",
    `${sentence} Nothing is lost, and the store's operator is told.`,
    { retryAfterSeconds: 60 },
  );
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
