// Declares who may call a route. Each route under /api has exactly one of these, as its first handler.
import type { MiddlewareHandler } from "hono";
import { described } from "#http/described.ts";
import type { AppEnv, Person, SignedInEnv } from "#http/env.ts";
import { forbidden, HttpError } from "#http/errors.ts";
import { STORE_SCOPE } from "#http/own-keys.ts";
import { MAX_OPEN_BODY_BYTES } from "#http/read-body.ts";
import { isRehearsal, refuseRehearsal } from "#http/rehearsal.ts";
import { refuseUnreadQuery } from "#http/validate.ts";

export type AccessLevel = "open" | "any-token" | "signed-in" | "self" | "owner" | "admin";

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
  owner: {
    401: { $ref: "#/components/responses/Unauthenticated" },
    403: { $ref: "#/components/responses/Forbidden" },
  },
  admin: {
    401: { $ref: "#/components/responses/Unauthenticated" },
    403: { $ref: "#/components/responses/Forbidden" },
  },
} as const;

const levels = new WeakMap<object, AccessLevel>();

/** A middleware that declares an access. It refuses rehearsals, unless `rehearsable` made it. */
export type Access<E extends AppEnv> = MiddlewareHandler<E> & {
  readonly level: AccessLevel;
  /** The check alone, without the rehearsal rule. */
  readonly check: MiddlewareHandler<E>;
};

/** The access that a handler declares, if it is one of this file's middlewares. */
export function accessOf(handler: object): AccessLevel | undefined {
  return levels.get(handler);
}

/** Anyone, signed in or not; an invalid token is ignored. */
export const open: Access<AppEnv> = declare("open", async (c, next) => {
  c.set("maxBodyBytes", MAX_OPEN_BODY_BYTES);
  await next();
});

/** Anyone with a valid token, with or without a profile, except deactivated people. */
export const anyToken: Access<AppEnv> = declare("any-token", async (c, next) => {
  const caller = await c.get("caller")();
  if (caller.kind !== "newcomer") {
    await requirePerson(c.get("caller"));
  }
  await next();
});

/** Like `signedIn`, also for an admin who still has to set up a second factor: for what that takes. */
export const settingUp: Access<SignedInEnv> = declare<SignedInEnv>("signed-in", async (c, next) => {
  const person = await personOf(c.get("caller"));
  c.set("person", person);
  c.set("commandScope", `user:${person.uid}`);
  await next();
});

/** Anyone with a valid token and a profile. Commands are keyed by the user. */
export const signedIn: Access<SignedInEnv> = declare<SignedInEnv>("signed-in", async (c, next) => {
  const person = await requirePerson(c.get("caller"));
  c.set("person", person);
  c.set("commandScope", `user:${person.uid}`);
  await next();
});

/** The person named by this path parameter, or an admin (whose commands are then the store's). */
export function self(param: string): Access<SignedInEnv> {
  return declare<SignedInEnv>("self", async (c, next) => {
    const person = await requirePerson(c.get("caller"));
    const subjectUid = c.req.param(param);
    const isOwn = subjectUid === person.uid;
    if (!isOwn && person.role !== "admin") {
      throw forbidden("You can only see and change your own data");
    }
    c.set("person", person);
    c.set("commandScope", isOwn ? `user:${person.uid}` : STORE_SCOPE);
    c.set("subjectUid", subjectUid);
    await next();
  });
}

/** The person named by this path parameter, and no admin: for what would act in the person's name later. */
export function owner(param: string): Access<SignedInEnv> {
  return declare<SignedInEnv>("owner", async (c, next) => {
    const person = await requirePerson(c.get("caller"));
    if (c.req.param(param) !== person.uid) {
      throw forbidden("Only the person can change this");
    }
    c.set("person", person);
    c.set("commandScope", `user:${person.uid}`);
    c.set("subjectUid", person.uid);
    await next();
  });
}

/** Admins only. Commands are keyed by the store, so that another admin's point of sale may send one again. */
export const admin: Access<SignedInEnv> = declare<SignedInEnv>("admin", async (c, next) => {
  const person = await requirePerson(c.get("caller"));
  if (person.role !== "admin") {
    throw forbidden("Admin access required");
  }
  c.set("person", person);
  c.set("commandScope", "store");
  await next();
});

async function requirePerson(ask: AppEnv["Variables"]["caller"]): Promise<Person> {
  const person = await personOf(ask);
  if (person.lacksFactor) {
    throw new HttpError(
      403,
      "second_factor_required",
      "Admins of this store need a second factor. Set one up first",
    );
  }
  return person;
}

async function personOf(ask: AppEnv["Variables"]["caller"]): Promise<Person> {
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
    : new HttpError(401, "unauthenticated", "No user logged in");
}

/**
 * The same access for a call that can be rehearsed: its only mutation is one `runCommand`, and what it writes beside
 * the log is in the command's row.
 */
export function rehearsable<E extends AppEnv>(access: Access<E>): Access<E> {
  return declare(access.level, access.check, "rehearsable");
}

/** Marks a middleware with its level, and adds the level's refusals to the OpenAPI document. */
function declare<E extends AppEnv>(
  level: AccessLevel,
  check: MiddlewareHandler<E>,
  rehearsals: "refused" | "rehearsable" = "refused",
): Access<E> {
  const spec = {
    security: level === "open" ? [] : [{ bearer: [] }],
    responses: refusals[level],
    "x-access": level,
    ...(rehearsals === "refused" ? {} : { "x-rehearsal": true }),
  };
  const handler: MiddlewareHandler<E> = (c, next) =>
    check(c, async () => {
      if (rehearsals === "refused") {
        refuseRehearsal(c);
      } else {
        isRehearsal(c);
      }
      refuseUnreadQuery(c);
      await next();
    });
  const middleware = Object.assign(described(handler, spec), { level, check });
  levels.set(middleware, level);
  return middleware;
}
