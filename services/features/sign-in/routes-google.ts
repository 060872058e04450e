// Signing in with Google: the start of the pop-up, and the session for its code or credential.
import { type Context, Hono } from "hono";
import { open } from "#http/access.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { sameOrigin } from "#http/same-origin.ts";
import { withoutFalseName } from "#http/false-names.ts";
import { jsonBody } from "#http/validate.ts";
import { limitBySource } from "#features/sign-in/caller.ts";
import {
  emptyRequest,
  googleRequest,
  type GoogleRequest,
  enteredResponse,
} from "#features/sign-in/contract.ts";
import { googleStartResponse } from "#features/sign-in/contract-google.ts";
import type { Google } from "#identity/google.ts";
import { ProviderRefusal } from "#identity/oauth-client.ts";
import { markBrowser, readBrowser } from "#features/sign-in/flow-cookie.ts";
import type { ReturnedFlow } from "#identity/oauth-flows.ts";
import type { SignInParts } from "#features/sign-in/parts.ts";
import type { ProviderPerson } from "#identity/provider-people.ts";
import { refuse } from "#features/sign-in/refusal.ts";
import { takeFirstStep } from "#features/sign-in/routes-second-step.ts";
import { tellLinked } from "#http/send-letter.ts";

const tag = "identity";

/** Routes under `/identity` for signing in with Google. */
export function googleRoutes(parts: SignInParts): Hono<AppEnv> {
  const { addresses, attempts, cookies, enter, flows, google, origins } = parts;
  const routes = new Hono<AppEnv>();

  routes.post(
    "/identity/google/start",
    open,
    documented({
      summary: "Start signing in with Google: get the address for the pop-up",
      tag,
      answer: googleStartResponse,
    }),
    sameOrigin(origins, "if-sent"),
    jsonBody(emptyRequest),
    limitBySource(parts, attempts.flows),
    async (c) => {
      if (google === undefined) {
        throw refuse("google_not_configured");
      }
      const flow = await flows.begin("google", markBrowser(c, cookies), null);
      const origin = addresses.ofRequest(c);
      const authorizeUrl = await orRefuse(c, () => google.authorizeUrl(origin, flow));
      return c.json({ authorizeUrl, state: flow.state, nonce: flow.nonce });
    },
  );

  routes.post(
    "/identity/google",
    open,
    documented({
      summary: "Sign in with a code or credential from Google",
      tag,
      answer: enteredResponse,
    }),
    sameOrigin(origins, "always"),
    jsonBody(googleRequest),
    limitBySource(parts, attempts.tokens),
    async (c) => {
      const request = c.req.valid("json");
      if (google === undefined) {
        throw refuse("google_not_configured");
      }
      const browser = readBrowser(c, cookies);
      const flow =
        browser === undefined ? undefined : await flows.finish("google", browser, request.state);
      const attempt = { kind: "sign-in", about: "nobody", detail: "google" } as const;
      if (flow === undefined) {
        await c.var.security.note({ ...attempt, outcome: "wrong" });
        throw refuse("google_failed");
      }
      const origin = addresses.ofRequest(c);
      const person = await orRefuse(c, () => redeem(google, origin, request, flow));
      const entry = await enter(await withoutFalseName({ name: parts.storeName }, person));
      if (entry.kind === "deactivated") {
        await c.var.security.note({ ...attempt, outcome: "refused" });
        throw refuse("account_deactivated");
      }
      if (entry.kind === "unlinked" || entry.kind === "invitation-ended") {
        await c.var.security.note({ ...attempt, outcome: "refused", about: { uid: entry.uid } });
        throw refuse(entry.kind === "unlinked" ? "provider_unlinked" : "invitation_ended");
      }
      const { uid, epoch } = entry;
      if (entry.isLinked) {
        await tellLinked(parts, c, uid, "google");
      }
      return c.json(await takeFirstStep(parts, c, { uid, epoch, by: "google" }));
    },
  );

  return routes;
}

function redeem(
  google: Google,
  origin: string,
  request: GoogleRequest,
  flow: ReturnedFlow,
): Promise<ProviderPerson> {
  if ("credential" in request) {
    return google.readCredential(request.credential, flow);
  }
  const { code, state, iss } = request;
  return google.redeemCode(
    origin,
    iss === undefined ? { code, state } : { code, state, iss },
    flow,
  );
}

/** Logs why, and tells the person only that it failed. */
async function orRefuse<Result>(c: Context<AppEnv>, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) {
      throw error;
    }
    c.get("log").warn({ err: error, requestId: c.get("requestId") }, "sign-in with Google failed");
    if (error.kind === "down") {
      throw refuse("google_unavailable");
    }
    const attempt = { kind: "sign-in", about: "nobody", detail: "google" } as const;
    await c.var.security.note({ ...attempt, outcome: "wrong" });
    throw refuse("google_failed");
  }
}
