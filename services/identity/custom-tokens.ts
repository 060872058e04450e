// A token from a provider's callback to the screen that signs in: valid once, for a minute, in the same browser.
import type { Sql } from "#db/connect.ts";
import { hashOf, newSecret } from "#identity/secrets.ts";

const CUSTOM_TOKEN_MS = 60_000;

export type CustomTokens = {
  readonly issue: (uid: string, browser: string) => Promise<string>;
  /** The person of the token. If it is sent several times at once, only one call gets an answer. */
  readonly consume: (token: string, browser: string) => Promise<string | undefined>;
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
      const [row] = await sql<{ uid: string }[]>`
        delete from identity.custom_tokens
        where token_hash = ${hashOf(token)} and browser_hash = ${hashOf(browser)}
          and expires_at > ${clock()}
        returning uid`;
      return row?.uid;
    },
  };
}
