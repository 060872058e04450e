// Read your own writes: a read waits briefly until its tables have reached what the caller has seen.
import type { Context, MiddlewareHandler } from "hono";
import { described } from "#http/described.ts";
import type { FreshEnv } from "#http/env.ts";
import { badRequest, HttpError } from "#http/errors.ts";
import type { ReadSource } from "#http/read-source.ts";
import { readFrom } from "#http/read-place.ts";
import type { HeldLookup } from "#ledger/projection/held-lookup.ts";

/** Waits until the named projections have reached a position. */
export type Freshness = {
  /**
   * With `position`: waits for it, at most 2 s. Without: waits for the log's current head, at most 250 ms, or 2 s for a
   * call that is refused otherwise (`isPatient`). `freshTo` is the lowest position of the projections on the server that
   * the request reads from. Throws HttpError 400 for a position above the head.
   */
  readonly wait: (
    projections: readonly string[],
    position?: number,
    mayReadStandby?: boolean,
    isPatient?: boolean,
  ) => Promise<Reached>;
  readonly held: HeldLookup;
};

/** How far a read's tables are. */
export type Reached = {
  /** Where they are read from. */
  readonly source: ReadSource;
  readonly freshTo: number;
  readonly stale: boolean;
  /** How many row keys of all people these tables hold back. */
  readonly held: number;
};

/**
 * Declares which projections a route reads, and waits for them. Placed after access and validation. Names are those
 * of the projections, for example `readsFrom("balances", "account-history")`.
 */
export function readsFrom(...projections: readonly string[]): MiddlewareHandler<FreshEnv> {
  return waitingFor("shows", projections, (_, next) => next());
}

/** What a call does with the tables that it names: shows them, or decides from them. */
export type TableUse = "shows" | "decides";

const uses = new WeakMap<object, TableUse>();

/** Undefined for a handler that neither `readsFrom` nor `decidesFrom` made. */
export function tableUseOf(handler: object): TableUse | undefined {
  return uses.get(handler);
}

/**
 * As `readsFrom`, for a call whose result stays although it depends on what these tables say: an event, a deleted
 * account, a letter. Refuses it with 503 `held_back` while they hold back a row, and 503 `not_caught_up` while they
 * are behind.
 */
export function decidesFrom(...projections: readonly string[]): MiddlewareHandler<FreshEnv> {
  return waitingFor("decides", projections, (c, next) => {
    if (c.var.held > 0) {
      throw heldBack("Not everything that this depends on can be read right now.");
    }
    refuseStale(c);
    return next();
  });
}

type Reading = Pick<Context<FreshEnv>, "var">;

function refuseStale(c: Reading): void {
  if (c.var.stale) {
    throw new HttpError(
      503,
      "not_caught_up",
      "The newest entries are not counted yet. Try again in a moment",
      { retryAfterSeconds: 2 },
    );
  }
}

/** Refuses "This report", a document that somebody relies on, with rows missing or without the newest entries. */
export function refuseIncomplete(c: Reading, what: string): void {
  refuseGaps(c, what);
  refuseStale(c);
}

/** The same for one that ends at a position which the tables have reached, or is shown with how fresh it is. */
export function refuseGaps(c: Reading, what: string): void {
  if (c.var.held > 0) {
    throw heldBack(`${what} would not be complete right now.`);
  }
}

function waitingFor(
  use: TableUse,
  projections: readonly string[],
  then: MiddlewareHandler<FreshEnv>,
): MiddlewareHandler<FreshEnv> {
  const handler: MiddlewareHandler<FreshEnv> = async (c, next) => {
    const position = positionFrom(c.req.header("Ledger-Position"));
    // A request that changes something must read its own change.
    const mayReadStandby = c.req.method === "GET" || c.req.method === "HEAD";
    const isPatient = use === "decides";
    const reached = await c.get("freshness").wait(projections, position, mayReadStandby, isPatient);
    c.set("freshTo", reached.freshTo);
    c.set("stale", reached.stale);
    c.header("Ledger-Fresh-To", String(reached.freshTo));
    if (reached.stale) {
      c.header("Ledger-Stale", "true");
    }
    await readFrom(reached.source, async () => {
      c.set("held", reached.held === 0 ? 0 : await heldFor(c, projections));
      if (c.var.held > 0) {
        c.header("Ledger-Held", String(c.var.held));
      }
      await then(c, next);
    });
  };
  uses.set(handler, use);
  return described(handler, {
    parameters: [
      {
        in: "header",
        name: "Ledger-Position",
        description: "Wait until the answer reflects this position of the log (at most 2 s)",
        schema: { type: "integer", minimum: 0 },
      },
    ],
  });
}

/** The held keys that concern this read: one person's, or everybody's for an admin's lists. */
function heldFor(
  c: Pick<Context<FreshEnv>, "var">,
  projections: readonly string[],
): Promise<number> {
  const { freshness, person, subjectUid } = c.var;
  const uid = subjectUid ?? (person?.role === "admin" ? undefined : person?.uid);
  return freshness.held.count(projections, uid);
}

/**
 * Answers a read: the body, with `"stale": true` if the tables had not caught up in time, and with `"held": 2` if two
 * rows are missing or old because they could not be folded.
 */
export function respondFresh(c: Pick<Context<FreshEnv>, "var" | "json">, body: object): Response {
  const { stale, held } = c.var;
  return c.json({ ...body, ...(stale ? { stale } : {}), ...(held > 0 ? { held } : {}) });
}

/**
 * Refuses a read of one row that is held back, because the table's row is missing or wrong. Throws HttpError 503
 * `held_back`. For a person whom the row does not concern it does nothing, as if the row did not exist.
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

/** 503: it exists, but its row is missing or old. */
export function heldBack(sentence: string): HttpError {
  return new HttpError(
    503,
    "held_back",
    `${sentence} Nothing is lost, and the store's operator has been notified.`,
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
