// The calls of a change of another admin's email: what waits, and the links of the letters to both addresses.
import { Hono } from "hono";
import { admin, open } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { keepsAnswer } from "#http/keeps-answer.ts";
import { createRateLimits, limitByAddress } from "#http/rate-limit.ts";
import { sameOrigin } from "#http/same-origin.ts";
import { jsonBody, noBody, pathParams } from "#http/validate.ts";
import {
  agreeTo,
  cancelEmailChange,
  endEmailChange,
  findChangeByLink,
  findEmailChange,
} from "#identity/email-changes.ts";
import type { EmailChange } from "#identity/email-changes.ts";
import { userParams } from "#features/users/contract.ts";
import {
  emailChangeAgreedResponse,
  emailChangeLinkRequest,
  emailChangeResponse,
  emailChangeStoppedResponse,
} from "#features/users/contract-email-change.ts";
import type { WaitingEmailChange } from "#features/users/contract-email-change.ts";
import { carryOut } from "#features/users/email-change.ts";
import { refuse, requireUser } from "#features/users/user-desk.ts";

const tag = "users";
const ATTEMPTS = { attempts: 60, perSeconds: 900 };

export function emailChangeRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addWaiting(routes, deps);
  addLinks(routes, deps);
  return routes;
}

function viewOf(change: EmailChange | undefined): WaitingEmailChange | null {
  return change === undefined
    ? null
    : {
        email: change.email,
        newAgreed: change.newAgreed,
        oldAgreed: change.oldAgreed,
        askedAt: change.askedAt.toISOString(),
        expiresAt: change.expiresAt.toISOString(),
      };
}

function addWaiting(routes: Hono<AppEnv>, { sql, clock }: RouteDeps): void {
  routes.get(
    "/auth/users/:uid/email-change",
    admin,
    documented({ summary: "Show a waiting change of email", tag, answer: emailChangeResponse }),
    pathParams(userParams),
    async (c) => {
      const { uid } = await requireUser(sql, c.req.valid("param").uid);
      return c.json({ waiting: viewOf(await findEmailChange(sql, clock(), uid)) });
    },
  );
  routes.delete(
    "/auth/users/:uid/email-change",
    admin,
    documented({ summary: "Stop a waiting change of email", tag, answer: emailChangeResponse }),
    pathParams(userParams),
    noBody,
    keepsAnswer,
    async (c) => {
      const { uid } = await requireUser(sql, c.req.valid("param").uid);
      if (await cancelEmailChange(sql, uid)) {
        await c.var.security.note({
          kind: "email-changed",
          outcome: "refused",
          about: { uid },
          byUid: c.var.person.uid,
        });
      }
      return c.json({ waiting: null });
    },
  );
}

function addLinks(routes: Hono<AppEnv>, deps: RouteDeps): void {
  const { sql, clock, site } = deps;
  const guesses = limitByAddress(createRateLimits(sql, clock)("email-change-address", ATTEMPTS));
  routes.post(
    "/identity/email-change/agree",
    open,
    documented({
      summary: "Agree to a change of email with a mailed link",
      tag,
      answer: emailChangeAgreedResponse,
    }),
    sameOrigin(site.origins, "if-sent"),
    jsonBody(emailChangeLinkRequest),
    guesses,
    async (c) => {
      const link = await findChangeByLink(sql, clock(), c.req.valid("json").token);
      const change =
        link === undefined ? undefined : await agreeTo(sql, clock(), link.change, link.side);
      if (change === undefined) {
        throw refuse("email_change_invalid");
      }
      const { uid, email, askedBy: byUid, newAgreed, oldAgreed } = change;
      if (!newAgreed || !oldAgreed) {
        return c.json({ email, changed: false, waitsFor: newAgreed ? "old" : "new" });
      }
      await carryOut(deps, change);
      await c.var.security.note({ kind: "email-changed", outcome: "ok", about: { uid }, byUid });
      return c.json({ email, changed: true, waitsFor: null });
    },
  );
  routes.post(
    "/identity/email-change/stop",
    open,
    documented({
      summary: "Stop a change of email with a mailed link",
      tag,
      answer: emailChangeStoppedResponse,
    }),
    sameOrigin(site.origins, "if-sent"),
    jsonBody(emailChangeLinkRequest),
    guesses,
    async (c) => {
      const link = await findChangeByLink(sql, clock(), c.req.valid("json").token);
      if (link === undefined) {
        throw refuse("email_change_invalid");
      }
      const { uid, askedBy: byUid } = link.change;
      await endEmailChange(sql, link.change);
      await c.var.security.note({
        kind: "email-changed",
        outcome: "refused",
        about: { uid },
        byUid,
        detail: `stopped by the ${link.side} address`,
      });
      return c.json({ stopped: true });
    },
  );
}
