// Signing in with a passkey and nothing else: it proves that it is there, and by a finger, a face or a PIN whose it is.
import { Hono } from "hono";
import { open } from "#http/access.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { sameOrigin } from "#http/same-origin.ts";
import { jsonBody } from "#http/validate.ts";
import { limitBySource } from "#features/sign-in/caller.ts";
import { emptyRequest, sessionResponse } from "#features/sign-in/contract.ts";
import {
  passkeyOptionsResponse,
  passkeySignInRequest,
} from "#features/sign-in/contract-passkeys.ts";
import { passkeySiteOf, refusePasskey } from "#features/sign-in/passkey-site.ts";
import type { SignInParts } from "#features/sign-in/parts.ts";
import { enterAs } from "#features/sign-in/routes-session.ts";

const tag = "identity";
const SIGN_IN = { purpose: "sign-in", uid: null } as const;

/** Routes under `/identity/passkey`. */
export function passkeyRoutes(parts: SignInParts): Hono<AppEnv> {
  const { attempts, origins, passkeys } = parts;
  const routes = new Hono<AppEnv>();

  routes.post(
    "/identity/passkey/start",
    open,
    documented({
      summary: "Start signing in with a passkey: get what it signs",
      tag,
      answer: passkeyOptionsResponse,
    }),
    sameOrigin(origins, "always"),
    jsonBody(emptyRequest),
    limitBySource(parts, attempts.flows),
    async (c) => {
      const options = await passkeys.beginUse(await passkeySiteOf(parts, c), SIGN_IN);
      return c.json({ options: { ...options } });
    },
  );

  routes.post(
    "/identity/passkey",
    open,
    documented({ summary: "Sign in with a passkey", tag, answer: sessionResponse }),
    sameOrigin(origins, "always"),
    jsonBody(passkeySignInRequest),
    limitBySource(parts, attempts.tokens),
    async (c) => {
      const site = await passkeySiteOf(parts, c);
      const { security } = c.var;
      const used = await passkeys.finishUse(site, SIGN_IN, c.req.valid("json").passkey);
      const noted = { kind: "sign-in", detail: "passkey" } as const;
      if (used.kind === "refused") {
        security.count({ ...noted, outcome: "wrong", about: "nobody" });
        throw refusePasskey(c, used.because);
      }
      const { uid, epoch } = used;
      const session = await enterAs(parts, c, { uid, epoch });
      await security.note({ ...noted, outcome: "ok", about: { uid } });
      return c.json(session);
    },
  );
  return routes;
}
