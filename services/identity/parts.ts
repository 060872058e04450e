// What identity's routes work with, made once when the module is put together.
import type { Sql } from "#db/connect.ts";
import type { AllowedOrigins } from "#http/same-origin.ts";
import type { Accounts } from "#identity/accounts.ts";
import type { Attempts } from "#identity/attempts.ts";
import type { CookieSettings } from "#identity/cookie.ts";
import type { Passwords } from "#identity/passwords.ts";
import type { Sessions } from "#identity/sessions.ts";
import type { SigningKeys } from "#identity/signing-keys.ts";
import type { Cents } from "#ledger/money.ts";

/** How a user's balance is read without identity knowing the feature that keeps it. */
export type BalanceReader = {
  /** The projections it reads, by name. */
  readonly projections: readonly string[];
  readonly read: (uid: string) => Promise<Cents>;
};

export type IdentityParts = {
  readonly sql: Sql;
  readonly clock: () => Date;
  readonly balance: BalanceReader;
  readonly origins: AllowedOrigins;
  readonly cookies: CookieSettings;
  readonly accounts: Accounts;
  readonly attempts: Attempts;
  readonly keys: SigningKeys;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
};
