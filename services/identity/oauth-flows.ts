// A sign-in at another provider from start to return: bound to one browser, valid once, for ten minutes.
import { createHash, createHmac } from "node:crypto";
import type { Sql } from "#db/connect.ts";
import { hashOf, newSecret } from "#identity/secrets.ts";

export const FLOW_SECONDS = 600;

export type Provider = "google" | "discord";

/** What is sent to the provider. Verifier and nonce can be derived again only with the browser's secret. */
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
  /** Undefined for a state that is unknown, used, too old, or of another browser, for which it stays valid. */
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
