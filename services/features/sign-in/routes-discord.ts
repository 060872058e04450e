// Signing in with Discord: to its page, back to the callback, and on to the screen that finishes it.
import { type Context, Hono } from "hono";
import * as z from "zod/mini";
import { open } from "#http/access.ts";
import { documented, documentedRedirect, documentedText } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import { sameOrigin } from "#http/same-origin.ts";
import { withoutFalseName } from "#http/false-names.ts";
import { jsonBody, queryString } from "#http/validate.ts";
import { limitBySource, sourceOf } from "#features/sign-in/caller.ts";
import {
  customTokenRequest,
  discordErrors,
  discordStateResponse,
  discordStateQuery,
  type DiscordError,
  enteredResponse,
} from "#features/sign-in/contract.ts";
import { ProviderRefusal } from "#identity/oauth-client.ts";
import { markBrowser, readBrowser } from "#features/sign-in/flow-cookie.ts";
import type { SecurityOutcome } from "#identity/security-kinds.ts";
import type { SignInParts } from "#features/sign-in/parts.ts";
import { refuse } from "#features/sign-in/refusal.ts";
import { takeFirstStep } from "#features/sign-in/routes-second-step.ts";
import { tellLinked } from "#http/send-letter.ts";

const SCREEN = "/discord-success";

/** Any parameters, from Discord or anybody else: the screen reports what is wrong. */
const callbackQuery = z.looseObject({
  code: z.optional(z.unknown()),
  state: z.optional(z.unknown()),
  error: z.optional(z.unknown()),
});

/** Routes under `/auth/discord`, and the call with which its screen exchanges the custom token. */
export function discordRoutes(parts: SignInParts): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addBeginning(routes, parts);

  routes.get(
    "/auth/discord/callback",
    open,
    documentedRedirect({ summary: "Come back from Discord", tag: "users" }),
    queryString(callbackQuery),
    async (c) => {
      const outcome = await returnFrom(c, parts, c.req.valid("query"));
      await noteFailure(c, outcome);
      return c.redirect(`${SCREEN}?${new URLSearchParams(outcome).toString()}`);
    },
  );

  addCustomToken(routes, parts);
  return routes;
}

function addBeginning(routes: Hono<AppEnv>, parts: SignInParts): void {
  const { addresses, attempts, cookies, discord, flows } = parts;

  routes.get(
    "/auth/discord/client-id",
    open,
    documentedText({
      summary: "Read the app's client ID at Discord; empty if it is not configured",
      tag: "users",
    }),
    (c) => c.text(discord?.clientId ?? ""),
  );

  routes.get(
    "/auth/discord/state",
    open,
    documented({
      summary: "Start signing in with Discord: get the address to go to",
      tag: "users",
      answer: discordStateResponse,
    }),
    queryString(discordStateQuery),
    limitBySource(parts, attempts.flows),
    async (c) => {
      if (discord === undefined) {
        throw refuse("discord_not_configured");
      }
      const { returnPath } = c.req.valid("query");
      const flow = await flows.begin("discord", markBrowser(c, cookies), returnPath ?? null);
      const authorizeUrl = discord.authorizeUrl(addresses.ofRequest(c), flow);
      return c.json({ state: flow.state, authorizeUrl });
    },
  );
}

function addCustomToken(routes: Hono<AppEnv>, parts: SignInParts): void {
  const { attempts, cookies, customTokens, origins } = parts;

  routes.post(
    "/identity/custom-token",
    open,
    documented({
      summary: "Sign in with the token from Discord's callback",
      tag: "identity",
      answer: enteredResponse,
    }),
    sameOrigin(origins, "always"),
    jsonBody(customTokenRequest),
    limitBySource(parts, attempts.tokens),
    async (c) => {
      const browser = readBrowser(c, cookies);
      const { token } = c.req.valid("json");
      const person = browser === undefined ? undefined : await customTokens.consume(token, browser);
      const attempt = { kind: "sign-in", detail: "discord" } as const;
      if (person === undefined) {
        await c.var.security.note({ ...attempt, outcome: "wrong", about: "nobody" });
        throw refuse("custom_token_invalid");
      }
      return c.json(await takeFirstStep(parts, c, { ...person, by: "discord" }));
    },
  );
}

type Outcome = Record<string, string> | { readonly error: DiscordError };

const failed = (error: DiscordError): Outcome => ({ error });

/** Null for what nobody did wrong, and for what is noted where the account is known. */
const outcomeOf: Readonly<Record<DiscordError, SecurityOutcome | null>> = {
  access_denied: null,
  state_invalid: "wrong",
  discord_failed: "wrong",
  discord_unavailable: null,
  discord_not_configured: null,
  account_deactivated: "refused",
  provider_unlinked: null,
  invitation_ended: null,
  too_many_attempts: "limited",
};

async function noteFailure(c: Context<AppEnv>, { error }: Outcome): Promise<void> {
  const failure = discordErrors.find((one) => one === error);
  const outcome = failure === undefined ? null : outcomeOf[failure];
  if (outcome !== null) {
    await c.var.security.note({ kind: "sign-in", outcome, about: "nobody", detail: "discord" });
  }
}

/** The screen's parameters: a token, or why there is none. */
async function returnFrom(
  c: Context<AppEnv>,
  parts: SignInParts,
  { code, state, error }: z.infer<typeof callbackQuery>,
): Promise<Outcome> {
  const { addresses, attempts, cookies, customTokens, discord, enter, flows, storeName } = parts;
  if (discord === undefined) {
    return failed("discord_not_configured");
  }
  const source = await sourceOf(parts, c);
  if (await isTooOften(() => attempts.tokens.consume(source))) {
    return failed("too_many_attempts");
  }
  const browser = readBrowser(c, cookies);
  if (browser === undefined || typeof state !== "string") {
    return failed("state_invalid");
  }
  const flow = await flows.finish("discord", browser, state);
  if (flow === undefined) {
    return failed("state_invalid");
  }
  if (typeof code !== "string" || error !== undefined) {
    return failed(error === "access_denied" ? "access_denied" : "discord_failed");
  }
  try {
    const person = await discord.redeemCode(addresses.ofRequest(c), { code, state }, flow);
    const entry = await enter(await withoutFalseName({ name: storeName }, person));
    if (entry.kind === "deactivated") {
      return failed("account_deactivated");
    }
    if (entry.kind === "unlinked" || entry.kind === "invitation-ended") {
      const attempt = { kind: "sign-in", outcome: "refused", detail: "discord" } as const;
      await c.var.security.note({ ...attempt, about: { uid: entry.uid } });
      return failed(entry.kind === "unlinked" ? "provider_unlinked" : "invitation_ended");
    }
    if (entry.isLinked) {
      await tellLinked(parts, c, entry.uid, "discord");
    }
    const token = await customTokens.issue(entry.uid, browser);
    const { returnPath } = flow;
    return { token, isNew: String(entry.isNew), ...(returnPath === null ? {} : { returnPath }) };
  } catch (refusal) {
    if (!(refusal instanceof ProviderRefusal)) {
      throw refusal;
    }
    c.get("log").warn({ err: refusal, requestId: c.get("requestId") }, "Discord sign-in failed");
    return failed(refusal.kind === "down" ? "discord_unavailable" : "discord_failed");
  }
}

async function isTooOften(count: () => Promise<void>): Promise<boolean> {
  try {
    await count();
    return false;
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) {
      return true;
    }
    throw error;
  }
}
