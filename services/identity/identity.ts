// The identity module put together: what the app verifies tokens with, and the calls it serves.
import { Hono } from "hono";
import type { Sql } from "#db/connect.ts";
import type { AppEnv } from "#http/env.ts";
import { createRateLimits } from "#http/rate-limit.ts";
import type { AllowedOrigins } from "#http/same-origin.ts";
import { type Accounts, createAccounts } from "#identity/accounts.ts";
import { accountRoutes } from "#identity/account-routes.ts";
import { type AttemptRules, createAttempts, defaultAttemptRules } from "#identity/attempts.ts";
import type { CookieSettings } from "#identity/cookie.ts";
import { createCustomTokens } from "#identity/custom-tokens.ts";
import { createDiscord } from "#identity/discord.ts";
import { discordRoutes } from "#identity/discord-routes.ts";
import { createGoogle } from "#identity/google.ts";
import { googleRoutes } from "#identity/google-routes.ts";
import {
  createTokenVerifier,
  embeddedIssuer,
  issueIdToken,
  type Issuer,
  type TokenVerifier,
} from "#identity/id-tokens.ts";
import { createKnownBrowsers } from "#identity/known-browsers.ts";
import { mailRoutes } from "#identity/mail-routes.ts";
import { createNotes, type Notes } from "#identity/notes.ts";
import type { OAuthSettings } from "#identity/oauth-client.ts";
import { createOAuthFlows } from "#identity/oauth-flows.ts";
import { createPasswords, type PasswordCost } from "#identity/passwords.ts";
import type { IdentityParts } from "#identity/parts.ts";
import { createPayoutHandles, type PayoutHandles } from "#identity/payout-handles.ts";
import { createProfiles, type Profiles } from "#identity/profiles.ts";
import { createEntrance } from "#identity/provider-people.ts";
import { createSessions } from "#identity/sessions.ts";
import { sessionRoutes } from "#identity/session-routes.ts";
import { signInRoutes } from "#identity/sign-in-routes.ts";
import { createSigningKeys } from "#identity/signing-keys.ts";
import { createStandingLookup, type FindStanding } from "#identity/standing.ts";
import type { Mailer } from "#mail/mailer.ts";

export type IdentityOptions = {
  readonly sql: Sql;
  readonly clock: () => Date;
  /** The app's own origins; "host" accepts the one that the request itself was sent to. */
  readonly origins: AllowedOrigins;
  readonly cookies: CookieSettings;
  /** Accepted beside the embedded provider. */
  readonly outsideIssuers?: readonly Issuer[];
  readonly attemptRules?: AttemptRules;
  /** How people reach the app, without a slash at the end; for links in letters. */
  readonly appUrl: () => string;
  readonly mailer: Mailer;
  /** Null where people cannot sign in with it. */
  readonly google: OAuthSettings | null;
  readonly discord: OAuthSettings | null;
  /** Cheaper in tests; 19 MiB and two passes otherwise. */
  readonly passwordCost?: PasswordCost;
};

export type Identity = {
  readonly verifyToken: TokenVerifier;
  readonly findStanding: FindStanding;
  readonly profiles: Profiles;
  readonly payoutHandles: PayoutHandles;
  readonly notes: Notes;
  readonly ensureUser: Accounts["ensureUser"];
  /** An ID token without a password, for scripts and tests that act as a known person. */
  readonly issueTokenFor: (uid: string) => Promise<string>;
  /** Makes the next signing key when it is time: call at start and once an hour. */
  readonly rotateKeys: () => Promise<void>;
  /** Relative to `/api`. */
  readonly routes: Hono<AppEnv>;
};

export function createIdentity(options: IdentityOptions): Identity {
  const { sql, clock, origins, cookies } = options;
  const passwords = createPasswords(options.passwordCost);
  const keys = createSigningKeys(sql, clock);
  const accounts = createAccounts(sql, clock, passwords);
  const sessions = createSessions(sql, clock);
  const parts: IdentityParts = {
    sql,
    clock,
    origins,
    cookies,
    accounts,
    attempts: createAttempts(
      createRateLimits(sql, clock),
      options.attemptRules ?? defaultAttemptRules,
    ),
    browsers: createKnownBrowsers(sql, clock),
    keys,
    passwords,
    sessions,
    addresses: {
      ofApp: options.appUrl,
      ofRequest: (c) => (origins === "host" ? new URL(c.req.url).origin : options.appUrl()),
    },
    customTokens: createCustomTokens(sql, clock),
    discord: options.discord === null ? undefined : createDiscord(options.discord),
    enter: createEntrance(sql, clock),
    flows: createOAuthFlows(sql, clock),
    google: options.google === null ? undefined : createGoogle(options.google, clock),
    mailer: options.mailer,
  };
  const routes = new Hono<AppEnv>();
  routes.route("/", signInRoutes(parts));
  routes.route("/", sessionRoutes(parts));
  routes.route("/", mailRoutes(parts));
  routes.route("/", accountRoutes(parts));
  routes.route("/", googleRoutes(parts));
  routes.route("/", discordRoutes(parts));
  return {
    verifyToken: createTokenVerifier(
      [embeddedIssuer(keys), ...(options.outsideIssuers ?? [])],
      clock,
    ),
    findStanding: createStandingLookup(sql),
    profiles: createProfiles(sql),
    payoutHandles: createPayoutHandles(sql, clock),
    notes: createNotes(sql),
    ensureUser: accounts.ensureUser,
    async issueTokenFor(uid) {
      const epoch = await sessions.epochOf(uid);
      const { idToken } = await issueIdToken(keys, clock, { uid, authenticatedAt: clock(), epoch });
      return idToken;
    },
    rotateKeys: keys.rotate,
    routes,
  };
}
