// Creates the identity module: token verification for the app, and accounts and sessions.
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Sql } from "#db/connect.ts";
import { type Accounts, createAccounts } from "#identity/accounts.ts";
import { createChosenHandles } from "#identity/chosen-handles.ts";
import { createConfirmations } from "#identity/confirmations.ts";
import { createCustomTokens } from "#identity/custom-tokens.ts";
import { createDiscord } from "#identity/discord.ts";
import { createFactors } from "#identity/factors.ts";
import { createGoogle } from "#identity/google.ts";
import {
  createTokenVerifier,
  embeddedIssuer,
  issueIdToken,
  type Issuer,
  type TokenVerifier,
} from "#identity/id-tokens.ts";
import { createKeptAnswers } from "#identity/kept-answers.ts";
import { createKnownBrowsers } from "#identity/known-browsers.ts";
import { createLabels, type Labels } from "#identity/labels.ts";
import { createNotes, type Notes } from "#identity/notes.ts";
import type { OAuthSettings } from "#identity/oauth-client.ts";
import { createOAuthFlows } from "#identity/oauth-flows.ts";
import { createPasskeys } from "#identity/passkeys.ts";
import { createPasswords, type PasswordCost } from "#identity/passwords.ts";
import type { IdentityParts } from "#identity/parts.ts";
import { createPayoutHandles, type PayoutHandles } from "#identity/payout-handles.ts";
import { createProfiles, type Profiles } from "#identity/profiles.ts";
import { createEntrance } from "#identity/provider-people.ts";
import { createSecurityLog } from "#identity/security-log.ts";
import { defaultSessionLimits, type SessionLimits } from "#identity/session-life.ts";
import type { Sealed } from "#identity/sealed.ts";
import { createSecondSteps } from "#identity/second-steps.ts";
import { createSessions } from "#identity/sessions.ts";
import { createSigningKeys } from "#identity/signing-keys.ts";
import {
  type AdminSecondFactor,
  createStandingLookup,
  type FindStanding,
} from "#identity/standing.ts";
import { createStatementKeys } from "#identity/statement-keys.ts";
import { createTradePapers, type TradePapers } from "#identity/trade-papers.ts";
import type { Mailer } from "#mail/mailer.ts";

export type IdentityOptions = {
  readonly sql: Sql;
  readonly clock: () => Date;
  /** Seals what must not be readable in a dump. */
  readonly sealed: Sealed;
  /** Gets a line for each note of the security log. */
  readonly logger: Logger;
  /** Accepted in addition to the embedded provider. */
  readonly outsideIssuers?: readonly Issuer[];
  readonly mailer: Mailer;
  /** Null if people cannot sign in with it. */
  readonly google: OAuthSettings | null;
  readonly discord: OAuthSettings | null;
  readonly sessionLimits?: SessionLimits;
  /** Whether admins can do nothing without a second factor; by default they need none. */
  readonly adminSecondFactor?: AdminSecondFactor;
  /** Lower in tests; 19 MiB and two passes by default. */
  readonly passwordCost?: PasswordCost;
};

export type Identity = {
  readonly verifyToken: TokenVerifier;
  readonly findStanding: FindStanding;
  readonly profiles: Profiles;
  readonly payoutHandles: PayoutHandles;
  readonly notes: Notes;
  readonly labels: Labels;
  readonly tradePapers: TradePapers;
  readonly ensureUser: Accounts["ensureUser"];
  /** The ID token of a new session without a password, for scripts and tests that act as a known person. */
  readonly issueTokenFor: (uid: string) => Promise<string>;
  /** Makes the next signing key if it is time. Call it at start and once an hour. */
  readonly rotateKeys: () => Promise<void>;
  readonly parts: IdentityParts;
};

export function createIdentity(options: IdentityOptions): Identity {
  const { sql, clock, sealed, logger } = options;
  const passwords = createPasswords(options.passwordCost);
  const keys = createSigningKeys(sql, clock, sealed, (kid) =>
    logger.error(
      { kid },
      "A key in identity.signing_keys was not made by this store, or cannot be read: it does not count. Run npm run verify",
    ),
  );
  const accounts = createAccounts(sql, clock, passwords);
  const sessionLimits = options.sessionLimits ?? defaultSessionLimits;
  const adminSecondFactor = options.adminSecondFactor ?? "optional";
  const sessions = createSessions(sql, clock, sessionLimits);
  const parts: IdentityParts = {
    accounts,
    browsers: createKnownBrowsers(sql, clock, sealed),
    chosenHandles: createChosenHandles(sql, clock, sealed),
    confirmations: createConfirmations(sql, clock),
    factors: createFactors(sql, clock, sealed),
    keptAnswers: createKeptAnswers(sql, clock),
    keys,
    passkeys: createPasskeys(sql, clock),
    passwords,
    secondSteps: createSecondSteps(sql, clock),
    securityLog: createSecurityLog(options),
    sealed,
    sessions,
    sessionLimits,
    adminSecondFactor,
    customTokens: createCustomTokens(sql, clock),
    discord: options.discord === null ? undefined : createDiscord(options.discord),
    enter: createEntrance(sql, clock),
    flows: createOAuthFlows(sql, clock),
    google: options.google === null ? undefined : createGoogle(options.google, clock),
    mailer: options.mailer,
    statementKeys: createStatementKeys(sql, clock, sealed),
  };
  return {
    verifyToken: createTokenVerifier(
      [embeddedIssuer(keys), ...(options.outsideIssuers ?? [])],
      clock,
    ),
    findStanding: createStandingLookup(sql, clock, sessionLimits, adminSecondFactor),
    profiles: createProfiles(sql),
    payoutHandles: createPayoutHandles(sql, clock),
    notes: createNotes(sql),
    labels: createLabels(sql, clock),
    tradePapers: createTradePapers(sql, clock),
    ensureUser: accounts.ensureUser,
    async issueTokenFor(uid) {
      const epoch = await sessions.epochOf(uid);
      // Nobody starts a session for a deactivated person, but tests show that a token of theirs opens nothing.
      const session = (await sessions.start({ uid, epoch })) ?? {
        uid,
        sessionId: randomUUID(),
        authenticatedAt: clock(),
        epoch,
      };
      return (await issueIdToken(keys, clock, session)).idToken;
    },
    rotateKeys: keys.rotate,
    parts,
  };
}
