// The call behind the set-up link: a signed-in person who opens it becomes the first admin, by an ordinary event.
import { Hono } from "hono";
import { signedIn } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { badRequest } from "#http/errors.ts";
import { createRateLimits, limitByAddress } from "#http/rate-limit.ts";
import { isKnownToPostgres } from "#http/known-time-zones.ts";
import { isTimeZone } from "#http/time-zones.ts";
import { jsonBody } from "#http/validate.ts";
import { consumeSetupLink } from "#identity/setup-link.ts";
import { userRefusals } from "#features/users/contract-refusals.ts";
import { setupRequest } from "#features/users/contract-own.ts";
import { setupResponse } from "#features/users/contract.ts";
import { becomeFirstAdmin } from "#features/users/first-admin.ts";

const ATTEMPTS = { attempts: 10, perSeconds: 900 };

export function setupRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.post(
    "/identity/setup",
    signedIn,
    documented({
      summary: "Become the first admin by the link printed at start",
      tag: "identity",
      answer: setupResponse,
    }),
    jsonBody(setupRequest),
    limitByAddress(createRateLimits(deps.sql, deps.clock)("setup-address", ATTEMPTS)),
    async (c) => {
      const { token, timeZone = "" } = c.req.valid("json");
      // A name that only the browser knows, or one that cannot count, must not keep anybody from becoming the admin.
      const isChoice =
        deps.store.fixedTimeZone === null &&
        isTimeZone(timeZone) &&
        (await isKnownToPostgres(deps.sql, timeZone));
      const chosen = isChoice ? timeZone : null;
      const isAdmin = await consumeSetupLink(
        (uid, inSameTransaction) => becomeFirstAdmin(deps, uid, inSameTransaction, chosen),
        deps.clock,
        token,
        c.get("person").uid,
      );
      const { uid } = c.get("person");
      const attempt = { kind: "first-admin", about: { uid } } as const;
      await c.var.security.note({ ...attempt, outcome: isAdmin ? "ok" : "wrong" });
      if (!isAdmin) {
        throw badRequest("setup_link_invalid", userRefusals.setup_link_invalid.message);
      }
      return c.json({ role: "admin" });
    },
  );
  return routes;
}
