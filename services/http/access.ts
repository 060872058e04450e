// Declares who may call a route. Each route under /api has exactly one of these, as its first handler.
import type { MiddlewareHandler } from "hono";
import { describeRoute, uniqueSymbol } from "hono-openapi";
import type { AppEnv, Person, SignedInEnv } from "#http/env.ts";
import { forbidden, HttpError } from "#http/errors.ts";

export type AccessLevel = "open" | "any-token" | "signed-in" | "self" | "admin";

const refusals = {
  open: {},
  "any-token": {
    401: { $ref: "#/components/responses/Unauthenticated" },
    403: { $ref: "#/components/responses/Forbidden" },
  },
  "signed-in": { 401: { $ref: "#/components/responses/Unauthenticated" } },
  self: {
    401: { $ref: "#/components/responses/Unauthenticated" },
    403: { $ref: "#/components/responses/Forbidden" },
  },
  admin: {
    401: { $ref: "#/components/responses/Unauthenticated" },
    403: { $ref: "#/components/responses/Forbidden" },
  },
} as const;

const levels = new WeakMap<object, AccessLevel>();

/** The access that a handler declares, if it is one of this file's middlewares. */
export function accessOf(handler: object): AccessLevel | undefined {
  return levels.get(handler);
}

/** Anyone, signed in or not; an invalid token is ignored. */
export const open: MiddlewareHandler<AppEnv> = declare("open", async (_c, next) => {
  await next();
});

/** Anyone with a valid token, with or without a profile, except deactivated people. */
export const anyToken: MiddlewareHandler<AppEnv> = declare("any-token", async (c, next) => {
  const caller = await c.get("caller")();
  if (caller.kind !== "newcomer") {
    await requirePerson(c.get("caller"));
  }
  await next();
});

/** Anyone with a valid token and a profile. Commands are keyed by the user. */
export const signedIn: MiddlewareHandler<SignedInEnv> = declare<SignedInEnv>(
  "signed-in",
  async (c, next) => {
    const person = await requirePerson(c.get("caller"));
    c.set("person", person);
    c.set("commandScope", `user:${person.uid}`);
    await next();
  },
);

/** The person named by this path parameter, or an admin (whose commands are then the store's). */
export function self(param: string): MiddlewareHandler<SignedInEnv> {
  return declare<SignedInEnv>("self", async (c, next) => {
    const person = await requirePerson(c.get("caller"));
    const subjectUid = c.req.param(param);
    const isOwn = subjectUid === person.uid;
    if (!isOwn && person.role !== "admin") {
      throw forbidden("You can only see and change your own data");
    }
    c.set("person", person);
    c.set("commandScope", isOwn ? `user:${person.uid}` : "store");
    c.set("subjectUid", subjectUid);
    await next();
  });
}

/** Admins only. Commands are keyed by the store, so that another admin's point of sale may send one again. */
export const admin: MiddlewareHandler<SignedInEnv> = declare<SignedInEnv>(
  "admin",
  async (c, next) => {
    const person = await requirePerson(c.get("caller"));
    if (person.role !== "admin") {
      throw forbidden("Admin access required");
    }
    c.set("person", person);
    c.set("commandScope", "store");
    await next();
  },
);

async function requirePerson(ask: AppEnv["Variables"]["caller"]): Promise<Person> {
  const caller = await ask();
  if (caller.kind === "person") {
    return caller.person;
  }
  if (caller.kind === "newcomer") {
    throw new HttpError(403, "no_profile", "This sign-in has no profile here");
  }
  if (caller.kind === "barred") {
    throw new HttpError(403, caller.code, caller.message);
  }
  throw caller.kind === "refused"
    ? new HttpError(401, "invalid_token", caller.message)
    : new HttpError(401, "unauthenticated", "Sign in first");
}

/** Marks a middleware with its level, and adds the level's refusals to the OpenAPI document. */
function declare<E extends AppEnv>(
  level: AccessLevel,
  handler: MiddlewareHandler<E>,
): MiddlewareHandler<E> {
  const spec = {
    security: level === "open" ? [] : [{ bearer: [] }],
    responses: refusals[level],
    "x-access": level,
  };
  const described = describeRoute(spec);
  const middleware = Object.assign(handler, {
    [uniqueSymbol]: Reflect.get(described, uniqueSymbol) as unknown,
  });
  levels.set(middleware, level);
  return middleware;
}
