// Who am I, who is this, who could be meant: the reads of `/auth`.
import { Hono } from "hono";
import { admin, self, signedIn } from "#http/access.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { notFound } from "#http/errors.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { pathParams, queryString } from "#http/validate.ts";
import {
  type UserAnswer,
  userAnswer,
  userParams,
  userSearchAnswer,
  userSearchQuery,
} from "#identity/contract.ts";
import type { IdentityParts } from "#identity/parts.ts";
import { findUser, searchUsers } from "#identity/users.ts";
import { toDollars } from "#ledger/money.ts";

const tag = "users";

/** Routes under `/auth`. */
export function userRoutes({ sql, balance }: IdentityParts): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  async function readUser(uid: string): Promise<UserAnswer> {
    const [user, cents] = await Promise.all([findUser(sql, uid), balance.read(uid)]);
    if (user === undefined) {
      throw notFound("unknown_user", "There is no such user");
    }
    return { ...user, balance: toDollars(cents) };
  }

  routes.get(
    "/auth/me",
    signedIn,
    documented({ summary: "Read one's own profile", tag, answer: userAnswer }),
    readsFrom(...balance.projections),
    async (c) => respondFresh(c, await readUser(c.get("person").uid)),
  );

  routes.get(
    "/auth/search",
    admin,
    documented({
      summary: "Find consignors by name, username or e-mail",
      tag,
      answer: userSearchAnswer,
    }),
    queryString(userSearchQuery),
    async (c) => c.json({ users: await searchUsers(sql, c.req.valid("query").q) }),
  );

  routes.get(
    "/auth/users/:uid",
    self("uid"),
    documented({ summary: "Read a user", tag, answer: userAnswer }),
    pathParams(userParams),
    readsFrom(...balance.projections),
    async (c) => respondFresh(c, await readUser(c.req.valid("param").uid)),
  );

  return routes;
}
