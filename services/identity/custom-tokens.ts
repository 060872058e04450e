// A token from a provider's callback to the screen that signs in: valid once, for a minute, in the same browser.
import type { Sql } from "#db/connect.ts";
import { hashOf, newSecret } from "#identity/secrets.ts";

const CUSTOM_TOKEN_MS = 60_000;

export type TokenPerson = { readonly uid: string; readonly epoch: number };

export type CustomTokens = {
  readonly issue: (uid: string, browser: string) => Promise<string>;
  /** The person of the token, and their epoch of sessions. If it is sent several times at once, only one call gets an answer. */
  readonly consume: (token: string, browser: string) => Promise<TokenPerson | undefined>;
};

export function createCustomTokens(sql: Sql, clock: () => Date): CustomTokens {
  return {
    async issue(uid, browser) {
      const now = clock();
      const token = newSecret();
      await sql`
        insert into identity.custom_tokens (token_hash, browser_hash, uid, expires_at)
        values (${hashOf(token)}, ${hashOf(browser)}, ${uid},
          ${new Date(now.getTime() + CUSTOM_TOKEN_MS)})`;
      await sql`delete from identity.custom_tokens where expires_at <= ${now}`;
      return token;
    },
    async consume(token, browser) {
      const [row] = await sql<TokenPerson[]>`
        delete from identity.custom_tokens t using identity.profiles p
        where t.token_hash = ${hashOf(token)} and t.browser_hash = ${hashOf(browser)}
          and t.expires_at > ${clock()} and p.uid = t.uid
        returning t.uid, p.session_epoch as epoch`;
      return row;
    },
  };
}
