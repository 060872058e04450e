// Confirming who one is, in a session that began a while ago. Calls that hurt ask for it with `confirmed`.
import { Hono } from "hono";
import { signedIn } from "#http/access.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { jsonBody } from "#http/validate.ts";
import {
  confirmedResponse,
  confirmRequest,
  confirmWaysResponse,
} from "#features/sign-in/contract-confirm.ts";
import type { SignInParts } from "#features/sign-in/parts.ts";
import { refuse } from "#features/sign-in/refusal.ts";

const tag = "identity";

/** Routes under `/identity/confirm`. */
export function confirmRoutes(parts: SignInParts): Hono<AppEnv> {
  const { accounts, attempts, confirmations, passwords } = parts;
  const routes = new Hono<AppEnv>();
  routes.get(
    "/identity/confirm",
    signedIn,
    documented({
      summary: "Ask with what one can confirm who one is",
      tag,
      answer: confirmWaysResponse,
    }),
    async (c) => {
      const hash = await accounts.findHash(c.get("person").uid);
      return c.json({ ways: hash === undefined ? [] : (["password"] as const) });
    },
  );
  routes.post(
    "/identity/confirm",
    signedIn,
    documented({ summary: "Confirm who one is", tag, answer: confirmedResponse }),
    jsonBody(confirmRequest),
    async (c) => {
      const person = c.get("person");
      await attempts.confirmations.consume(person.uid);
      const hash = await accounts.findHash(person.uid);
      if (hash === undefined) {
        throw refuse("nothing_to_confirm_with");
      }
      const { matches } = await passwords.verify(c.req.valid("json").password, hash, "first");
      if (!matches) {
        throw refuse("wrong_password", "password");
      }
      await attempts.confirmations.forget(person.uid);
      await confirmations.confirm(person);
      return c.json({ confirmed: true });
    },
  );
  return routes;
}
