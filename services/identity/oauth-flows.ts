// A sign-in at another provider, from its beginning to its return: bound to one browser, good once, for ten minutes.
import { createHash, createHmac } from "node:crypto";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { Sql } from "#db/connect.ts";
import type { CookieSettings } from "#identity/cookie.ts";
import { hashOf, newSecret } from "#identity/secrets.ts";

const FLOW_SECONDS = 600;
const COOKIE = "oauth_browser";

export type Provider = "google" | "discord";

/** What goes to the provider. Verifier and nonce can be made again only with the browser's secret. */
export type BegunFlow = {
  readonly state: string;
  readonly codeChallenge: string;
  readonly nonce: string;
};

export type ReturnedFlow = {
  readonly codeVerifier: string;
  readonly nonce: string;
  readonly returnPath: string | null;
};

export type OAuthFlows = {
  readonly begin: (
    provider: Provider,
    browser: string,
    returnPath: string | null,
  ) => Promise<BegunFlow>;
  /** Undefined for a state that is unknown, used, too old, or of another browser, whose own stays good. */
  readonly finish: (
    provider: Provider,
    browser: string,
    state: string,
  ) => Promise<ReturnedFlow | undefined>;
};

export function createOAuthFlows(sql: Sql, clock: () => Date): OAuthFlows {
  return {
    async begin(provider, browser, returnPath) {
      const now = clock();
      const state = newSecret();
      await sql`
        insert into identity.oauth_flows (state_hash, browser_hash, provider, return_path, expires_at)
        values (${hashOf(state)}, ${hashOf(browser)}, ${provider}, ${returnPath},
          ${new Date(now.getTime() + FLOW_SECONDS * 1000)})`;
      await sql`delete from identity.oauth_flows where expires_at <= ${now}`;
      const codeChallenge = createHash("sha256")
        .update(derive(browser, "verifier", state))
        .digest("base64url");
      return { state, codeChallenge, nonce: derive(browser, "nonce", state) };
    },
    async finish(provider, browser, state) {
      const [flow] = await sql<{ return_path: string | null }[]>`
        delete from identity.oauth_flows
        where state_hash = ${hashOf(state)} and browser_hash = ${hashOf(browser)}
          and provider = ${provider} and expires_at > ${clock()}
        returning return_path`;
      return flow === undefined
        ? undefined
        : {
            codeVerifier: derive(browser, "verifier", state),
            nonce: derive(browser, "nonce", state),
            returnPath: flow.return_path,
          };
    },
  };
}

function derive(browser: string, purpose: "verifier" | "nonce", state: string): string {
  return createHmac("sha256", browser).update(`${purpose}:${state}`).digest("base64url");
}

/** The secret of the browser that asks, if it has one. */
export function readBrowser(c: Context, { isSecure }: CookieSettings): string | undefined {
  const secret = isSecure ? getCookie(c, COOKIE, "host") : getCookie(c, COOKIE);
  return secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : undefined;
}

/**
 * The same, or a new one, for ten minutes from now: two tabs of a browser may sign in at once. Lax, because
 * the provider sends the browser back from its own site.
 */
export function markBrowser(c: Context, settings: CookieSettings): string {
  const secret = readBrowser(c, settings) ?? newSecret();
  setCookie(c, COOKIE, secret, {
    path: "/",
    httpOnly: true,
    secure: settings.isSecure,
    sameSite: "Lax",
    maxAge: FLOW_SECONDS,
    // Over https no other host of the domain can set it.
    ...(settings.isSecure ? { prefix: "host" as const } : {}),
  });
  return secret;
}
