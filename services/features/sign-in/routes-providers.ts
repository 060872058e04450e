// Unlinking Google or Discord from one's own account, and letting them link themselves again.
import { Hono } from "hono";
import { signedIn } from "#http/access.ts";
import { confirmed } from "#http/confirmed.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { jsonBody, noBody, pathParams } from "#http/validate.ts";
import { emptyRequest } from "#features/sign-in/contract.ts";
import {
  providerAllowedResponse,
  providerParams,
  providerUnlinkedResponse,
  type UnlinkableProvider,
} from "#features/sign-in/contract-account.ts";
import type { SignInParts } from "#features/sign-in/parts.ts";
import { refuse } from "#features/sign-in/refusal.ts";
import { tellOwner } from "#http/send-letter.ts";
import { DISCORD_ISSUER } from "#identity/discord.ts";
import { allowProvider, unlinkProvider } from "#identity/unlinked-providers.ts";

const tag = "identity";

type Providers = Pick<SignInParts, "google" | "discord">;

/** The issuers that people can sign in with on the login screen. */
export function usableIssuers({ google, discord }: Providers): readonly string[] {
  return [
    ...(google === undefined ? [] : [google.issuer]),
    ...(discord === undefined ? [] : [DISCORD_ISSUER]),
  ];
}

/** Undefined for Google where it is not configured any more, because its address is part of the configuration. */
function issuerOf({ google }: Providers, provider: UnlinkableProvider): string | undefined {
  return provider === "discord" ? DISCORD_ISSUER : google?.issuer;
}

/** Routes under `/identity/providers`. */
export function providerRoutes(parts: SignInParts): Hono<AppEnv> {
  const { clock, sql } = parts;
  const routes = new Hono<AppEnv>();

  routes.delete(
    "/identity/providers/:provider",
    signedIn,
    confirmed,
    documented({
      summary: "Unlink Google or Discord from one's account",
      tag,
      answer: providerUnlinkedResponse,
    }),
    pathParams(providerParams),
    noBody,
    async (c) => {
      const { uid, sessionId } = c.get("person");
      const { provider } = c.req.valid("param");
      const issuer = issuerOf(parts, provider);
      if (issuer === undefined) {
        throw refuse("provider_not_linked");
      }
      const usable = usableIssuers(parts);
      const outcome = await unlinkProvider(sql, clock(), { uid, sessionId, issuer, usable });
      if (outcome === "not_linked") {
        throw refuse("provider_not_linked");
      }
      if (outcome === "only_way_in") {
        throw refuse("only_way_in");
      }
      const noted = { kind: "provider-unlinked", outcome: "ok", about: { uid } } as const;
      await c.var.security.note({ ...noted, detail: provider });
      await tellOwner(parts, c, uid, `${provider}-unlinked`);
      return c.json({ unlinked: true });
    },
  );

  routes.post(
    "/identity/providers/:provider",
    signedIn,
    confirmed,
    documented({
      summary: "Let Google or Discord link themselves to one's account again",
      tag,
      answer: providerAllowedResponse,
    }),
    pathParams(providerParams),
    jsonBody(emptyRequest),
    async (c) => {
      const { uid } = c.get("person");
      const { provider } = c.req.valid("param");
      const issuer = issuerOf(parts, provider);
      if (issuer === undefined || !(await allowProvider(sql, uid, issuer))) {
        throw refuse("provider_not_unlinked");
      }
      const noted = { kind: "provider-allowed", outcome: "ok", about: { uid } } as const;
      await c.var.security.note({ ...noted, detail: provider });
      return c.json({ allowed: true });
    },
  );
  return routes;
}
