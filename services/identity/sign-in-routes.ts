// How people get in: a new account, e-mail and password, and the link that makes the first admin.
import { Hono } from "hono";
import { open, signedIn } from "#http/access.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { badRequest, conflict, HttpError } from "#http/errors.ts";
import { limitByAddress } from "#http/rate-limit.ts";
import { sameOrigin } from "#http/same-origin.ts";
import { jsonBody } from "#http/validate.ts";
import { normalEmail } from "#identity/accounts.ts";
import {
  messages,
  sessionAnswer,
  setupAnswer,
  setupRequest,
  signInRequest,
  signUpRequest,
} from "#identity/contract.ts";
import type { IdentityParts } from "#identity/parts.ts";
import { answerSession } from "#identity/session-routes.ts";
import { consumeSetupLink } from "#identity/setup-link.ts";

const tag = "identity";

/** Routes under `/identity` that prove who somebody is. */
export function signInRoutes(parts: IdentityParts): Hono<AppEnv> {
  const { accounts, attempts, clock, origins, passwords, sessions, sql } = parts;
  const routes = new Hono<AppEnv>();

  routes.post(
    "/identity/sign-up",
    open,
    documented({ summary: "Create an account", tag, answer: sessionAnswer }),
    sameOrigin(origins, "if-sent"),
    jsonBody(signUpRequest),
    limitByAddress(attempts.signUps),
    async (c) => {
      const { email, password, displayName } = c.req.valid("json");
      const uid = await accounts.signUp(
        email,
        password,
        displayName === "" ? undefined : displayName,
      );
      if (uid === undefined) {
        throw conflict("email_already_in_use", messages.emailInUse);
      }
      return c.json(await answerSession(parts, c, await sessions.start(uid)));
    },
  );

  routes.post(
    "/identity/sign-in",
    open,
    documented({ summary: "Sign in with e-mail and password", tag, answer: sessionAnswer }),
    sameOrigin(origins, "if-sent"),
    jsonBody(signInRequest),
    async (c) => {
      const { email, password } = c.req.valid("json");
      const succeeded = await attempts.signIn(normalEmail(email), c.get("clientAddress"));
      const account = await accounts.findCredentials(email);
      const check = await passwords.verify(password, account?.passwordHash);
      if (account === undefined) {
        throw badRequest("user_not_found", messages.unknownEmail, "email");
      }
      if (!check.matches) {
        throw badRequest("wrong_password", messages.wrongPassword, "password");
      }
      if (account.isDeactivated) {
        throw new HttpError(403, "account_deactivated", "This account was deactivated");
      }
      await succeeded();
      if (check.outdated) {
        await accounts.replaceHash(account.uid, await passwords.hash(password));
      }
      return c.json(await answerSession(parts, c, await sessions.start(account.uid)));
    },
  );

  routes.post(
    "/identity/setup",
    signedIn,
    documented({
      summary: "Become the first admin by the link printed at start",
      tag,
      answer: setupAnswer,
    }),
    jsonBody(setupRequest),
    limitByAddress(attempts.setups),
    async (c) => {
      const { token } = c.req.valid("json");
      if (!(await consumeSetupLink(sql, clock, token, c.get("person").uid))) {
        throw badRequest(
          "setup_link_invalid",
          "This set-up link was used, replaced or has expired",
        );
      }
      return c.json({ role: "admin" });
    },
  );

  return routes;
}
