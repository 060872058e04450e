// What identity's routes work with, made once when the module is put together.
import type { Context } from "hono";
import type { Sql } from "#db/connect.ts";
import type { AllowedOrigins } from "#http/same-origin.ts";
import type { Accounts } from "#identity/accounts.ts";
import type { Attempts } from "#identity/attempts.ts";
import type { CookieSettings } from "#identity/cookie.ts";
import type { CustomTokens } from "#identity/custom-tokens.ts";
import type { Discord } from "#identity/discord.ts";
import type { Google } from "#identity/google.ts";
import type { KnownBrowsers } from "#identity/known-browsers.ts";
import type { OAuthFlows } from "#identity/oauth-flows.ts";
import type { Passwords } from "#identity/passwords.ts";
import type { Enter } from "#identity/provider-people.ts";
import type { Sessions } from "#identity/sessions.ts";
import type { SigningKeys } from "#identity/signing-keys.ts";
import type { Mailer } from "#mail/mailer.ts";

/** Where the app is reached. */
export type AppAddress = {
  /** For letters: never from a request, or whoever asks for a letter could choose where its link leads. */
  readonly ofApp: () => string;
  /** For the way back from a provider: the one configured, or the one this browser uses. */
  readonly ofRequest: (c: Context) => string;
};

export type IdentityParts = {
  readonly sql: Sql;
  readonly clock: () => Date;
  readonly origins: AllowedOrigins;
  readonly cookies: CookieSettings;
  readonly accounts: Accounts;
  readonly attempts: Attempts;
  readonly browsers: KnownBrowsers;
  readonly keys: SigningKeys;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly addresses: AppAddress;
  readonly customTokens: CustomTokens;
  /** Undefined where people cannot sign in with it. */
  readonly discord: Discord | undefined;
  readonly enter: Enter;
  readonly flows: OAuthFlows;
  readonly google: Google | undefined;
  readonly mailer: Mailer;
};
