// What an admin does for somebody who lost every second factor: takes them away, ends the sessions, and writes a letter.
import { Hono } from "hono";
import { admin } from "#http/access.ts";
import { confirmed } from "#http/confirmed.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { notFound } from "#http/errors.ts";
import { keepsAnswer } from "#http/keeps-answer.ts";
import { noBody, pathParams } from "#http/validate.ts";
import {
  factorsResetResponse,
  userFactorsParams,
  userFactorsResponse,
} from "#features/sign-in/contract-factors.ts";
import type { SignInParts } from "#features/sign-in/parts.ts";
import { refuse } from "#features/sign-in/refusal.ts";
import { requireKnownUser } from "#features/sign-in/require-known-user.ts";
import { resetFactors } from "#identity/factor-reset.ts";
import { sendNotice } from "#http/send-letter.ts";
import { factorsResetLetter } from "#identity/letters.ts";

const tag = "users";

/** Routes under `/auth/users/:uid/factors`. */
export function resetFactorsRoutes(parts: SignInParts): Hono<AppEnv> {
  const { clock, factors, sql } = parts;
  const routes = new Hono<AppEnv>();
  routes.get(
    "/auth/users/:uid/factors",
    admin,
    documented({ summary: "Count a user's second factors", tag, answer: userFactorsResponse }),
    pathParams(userFactorsParams),
    async (c) => {
      const { uid } = c.req.valid("param");
      await requireKnownUser(sql, uid);
      return c.json({ factors: (await factors.list(uid)).length });
    },
  );
  routes.delete(
    "/auth/users/:uid/factors",
    admin,
    confirmed,
    documented({
      summary: "Remove the second factors of somebody who lost them",
      tag,
      answer: factorsResetResponse,
    }),
    pathParams(userFactorsParams),
    noBody,
    keepsAnswer,
    async (c) => {
      const { uid } = c.req.valid("param");
      const byUid = c.get("person").uid;
      if (uid === byUid) {
        throw refuse("own_factors");
      }
      const reset = await resetFactors(sql, clock(), uid);
      if (reset === undefined) {
        throw notFound("unknown_user", "There is no such user");
      }
      const about = { uid };
      const detail = "all, reset by an admin";
      await c.var.security.note({ kind: "totp-removed", outcome: "ok", about, byUid, detail });
      return c.json({
        removed: reset.removed,
        letter: await sendNotice(parts, c, reset.email, factorsResetLetter),
      });
    },
  );
  return routes;
}
