// The parts of identity: accounts, passwords, sessions, keys, providers and letters, created once.
import type { Accounts } from "#identity/accounts.ts";
import type { ChosenHandles } from "#identity/chosen-handles.ts";
import type { Confirmations } from "#identity/confirmations.ts";
import type { CustomTokens } from "#identity/custom-tokens.ts";
import type { Discord } from "#identity/discord.ts";
import type { Factors } from "#identity/factors.ts";
import type { Google } from "#identity/google.ts";
import type { KeptAnswers } from "#identity/kept-answers.ts";
import type { KnownBrowsers } from "#identity/known-browsers.ts";
import type { OAuthFlows } from "#identity/oauth-flows.ts";
import type { Passkeys } from "#identity/passkeys.ts";
import type { Passwords } from "#identity/passwords.ts";
import type { Enter } from "#identity/provider-people.ts";
import type { SecurityLog } from "#identity/security-log.ts";
import type { SessionLimits } from "#identity/session-life.ts";
import type { Sealed } from "#identity/sealed.ts";
import type { SecondSteps } from "#identity/second-steps.ts";
import type { Sessions } from "#identity/sessions.ts";
import type { SigningKeys } from "#identity/signing-keys.ts";
import type { AdminSecondFactor } from "#identity/standing.ts";
import type { StatementKeys } from "#identity/statement-keys.ts";
import type { Mailer } from "#mail/mailer.ts";

export type IdentityParts = {
  readonly accounts: Accounts;
  readonly browsers: KnownBrowsers;
  readonly chosenHandles: ChosenHandles;
  readonly confirmations: Confirmations;
  readonly factors: Factors;
  readonly keptAnswers: KeptAnswers;
  readonly keys: SigningKeys;
  readonly adminSecondFactor: AdminSecondFactor;
  readonly passwords: Passwords;
  readonly passkeys: Passkeys;
  readonly secondSteps: SecondSteps;
  readonly securityLog: SecurityLog;
  readonly sealed: Sealed;
  readonly sessions: Sessions;
  readonly sessionLimits: SessionLimits;
  readonly customTokens: CustomTokens;
  /** Undefined if people cannot sign in with it. */
  readonly discord: Discord | undefined;
  readonly enter: Enter;
  readonly flows: OAuthFlows;
  readonly google: Google | undefined;
  readonly mailer: Mailer;
  readonly statementKeys: StatementKeys;
};
