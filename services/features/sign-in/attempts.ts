// Guessing is limited by address and by account. The owner's known browsers have their own count, so strangers never lock them out.
import { networkOf } from "#identity/networks.ts";
import { HttpError } from "#http/errors.ts";
import type { RateLimit, RateLimits, RateRule } from "#http/rate-limit.ts";
import type { Turn } from "#identity/passwords.ts";

/** How many attempts are allowed in which window. */
export type AttemptRules = {
  readonly signUpsByAddress: RateRule;
  readonly signUpsByEmail: RateRule;
  readonly signInsByAddress: RateRule;
  readonly signInsByAccountAndAddress: RateRule;
  readonly signInsByAccount: RateRule;
  /** In a browser that the account was used in before. */
  readonly signInsByBrowser: RateRule;
  /** In all such browsers of one account. One more counts as unknown. */
  readonly signInsByBrowsers: RateRule;
  readonly refreshesByAddress: RateRule;
  readonly signOutsByAddress: RateRule;
  /** Mails, requested by somebody who is not signed in. */
  readonly resetsByAddress: RateRule;
  readonly resetsByAccountAndAddress: RateRule;
  readonly resetsByAccount: RateRule;
  readonly resetsByBrowser: RateRule;
  readonly resetsByBrowsers: RateRule;
  readonly verificationsByAccount: RateRule;
  /** New passwords with a valid link. */
  readonly newPasswordsByAccount: RateRule;
  /** Submitted tokens and codes of any kind. */
  readonly tokensByAddress: RateRule;
  /** Started sign-ins with other providers. */
  readonly flowsByAddress: RateRule;
  readonly passwordLinksByAccount: RateRule;
  /** Passwords and codes typed by somebody who is signed in, to confirm who they are. */
  readonly confirmationsByAccount: RateRule;
  /** The same, counted also when they are right: each costs as much as a sign-in. */
  readonly rightConfirmationsByAccount: RateRule;
  /** Password checks that overtake those of strangers. */
  readonly firstTurnsByAccount: RateRule;
  /** Started and finished set-ups of second factors. */
  readonly setupsByAccount: RateRule;
  /** Codes of second factors, in all browsers that do not know the account, and again in all its own. */
  readonly factorCodesByAccount: RateRule;
  readonly factorCodesByAccountAndDay: RateRule;
};

export const defaultAttemptRules: AttemptRules = {
  signUpsByAddress: { attempts: 30, perSeconds: 3_600 },
  signUpsByEmail: { attempts: 100, perSeconds: 3_600 },
  signInsByAddress: { attempts: 100, perSeconds: 900 },
  signInsByAccountAndAddress: { attempts: 10, perSeconds: 900 },
  signInsByAccount: { attempts: 50, perSeconds: 900 },
  signInsByBrowser: { attempts: 10, perSeconds: 900 },
  signInsByBrowsers: { attempts: 40, perSeconds: 900 },
  refreshesByAddress: { attempts: 600, perSeconds: 60 },
  signOutsByAddress: { attempts: 100, perSeconds: 60 },
  resetsByAddress: { attempts: 20, perSeconds: 3_600 },
  resetsByAccountAndAddress: { attempts: 5, perSeconds: 3_600 },
  resetsByAccount: { attempts: 10, perSeconds: 3_600 },
  resetsByBrowser: { attempts: 5, perSeconds: 3_600 },
  resetsByBrowsers: { attempts: 20, perSeconds: 3_600 },
  verificationsByAccount: { attempts: 5, perSeconds: 3_600 },
  newPasswordsByAccount: { attempts: 10, perSeconds: 900 },
  tokensByAddress: { attempts: 300, perSeconds: 900 },
  flowsByAddress: { attempts: 300, perSeconds: 900 },
  passwordLinksByAccount: { attempts: 10, perSeconds: 900 },
  confirmationsByAccount: { attempts: 10, perSeconds: 900 },
  rightConfirmationsByAccount: { attempts: 20, perSeconds: 900 },
  firstTurnsByAccount: { attempts: 20, perSeconds: 900 },
  setupsByAccount: { attempts: 40, perSeconds: 900 },
  factorCodesByAccount: { attempts: 10, perSeconds: 900 },
  // Three codes of a million are right at any time: fifty guesses a day find one in eighteen years.
  factorCodesByAccountAndDay: { attempts: 50, perSeconds: 86_400 },
};

const KNOWN_FOR_SECONDS = 90 * 86_400;

export type Attempts = {
  /** Counts by address, before anything else. Throws HttpError 429, like all of these. */
  readonly signUpFrom: (address: string) => Promise<void>;
  readonly signUpAs: (email: string) => Promise<void>;
  readonly refreshes: RateLimit;
  readonly signOuts: RateLimit;
  readonly verifications: RateLimit;
  readonly tokens: RateLimit;
  readonly flows: RateLimit;
  readonly passwordLinks: RateLimit;
  readonly newPasswords: RateLimit;
  /** Returns a function to call if it was right: then only the count of all confirmations goes on. */
  readonly confirmation: (uid: string) => Promise<() => Promise<void>>;
  /** For a password that a known person or browser sends. Beyond a few, it waits like a stranger's. Never throws 429. */
  readonly turnOf: (uid: string) => Promise<Turn>;
  readonly setups: RateLimit;
  /**
   * Like `signIn`, for a code of the second step or of a confirmation. `known`: in a session, or in a browser that the
   * account knows. All of these share one count, which only a right code takes back from, one for each.
   */
  readonly factorCode: (uid: string, from: "known" | "elsewhere") => Promise<() => Promise<void>>;
  /**
   * Counts a requested mail. Strangers do not use up the limit of an address that the account knows. `browser` is one
   * that the account knows: only its own count is used.
   */
  readonly reset: (email: string, address: string, browser?: string) => Promise<void>;
  /**
   * Counts a sign-in before the password is checked, so that concurrent guesses count too. Returns a function to call
   * if the password was right, because successes do not count. Throws HttpError 429. `browser` as above.
   */
  readonly signIn: (
    email: string,
    address: string,
    browser?: string,
  ) => Promise<() => Promise<void>>;
  /** Remembers the owner's address, so that guessing from elsewhere does not lock it out. */
  readonly know: (email: string, address: string) => Promise<void>;
};

export function createAttempts(limits: RateLimits, rules: AttemptRules): Attempts {
  // Addresses the owner signed in from before: guessing from elsewhere must not lock them out.
  const known = limits("known-address", { attempts: 1, perSeconds: KNOWN_FOR_SECONDS });
  const signUpsByAddress = limits("sign-up-address", rules.signUpsByAddress);
  const firstTurns = limits("first-turn-account", rules.firstTurnsByAccount);
  const signUpsByEmail = limits("sign-up-email", rules.signUpsByEmail);
  return {
    refreshes: limits("refresh-address", rules.refreshesByAddress),
    signOuts: limits("sign-out-address", rules.signOutsByAddress),
    verifications: limits("verification-account", rules.verificationsByAccount),
    tokens: limits("token-address", rules.tokensByAddress),
    flows: limits("flow-address", rules.flowsByAddress),
    passwordLinks: limits("password-link-account", rules.passwordLinksByAccount),
    newPasswords: limits("new-password-account", rules.newPasswordsByAccount),
    confirmation: countConfirmations(limits, rules),
    turnOf: async (uid) => ((await isWithin(firstTurns, uid)) ? "first" : "in order"),
    setups: limits("factor-setup-account", rules.setupsByAccount),
    factorCode: countFactorCodes(limits, rules),
    signUpFrom: (address) => signUpsByAddress.consume(address),
    signUpAs: (email) => signUpsByEmail.consume(email),
    reset: countResets(limits, rules, known),
    signIn: countSignIns(limits, rules, known),
    know: (email, address) => known.mark(keyOf(email, address)),
  };
}

function countConfirmations(limits: RateLimits, rules: AttemptRules): Attempts["confirmation"] {
  const byAccount = limits("confirmation-account", rules.confirmationsByAccount);
  const all = limits("any-confirmation-account", rules.rightConfirmationsByAccount);
  return async (uid) => {
    await all.consume(uid);
    await byAccount.consume(uid);
    return () => byAccount.forget(uid);
  };
}

function countResets(limits: RateLimits, rules: AttemptRules, known: RateLimit): Attempts["reset"] {
  const byAddress = limits("reset-address", rules.resetsByAddress);
  const byBoth = limits("reset-account-address", rules.resetsByAccountAndAddress);
  const byAccount = limits("reset-account", rules.resetsByAccount);
  const byBrowser = limits("reset-browser", rules.resetsByBrowser);
  const byBrowsers = limits("reset-browsers", rules.resetsByBrowsers);
  return async (email, address, browser) => {
    if (browser !== undefined) {
      await byBrowser.consume(browser);
      if (await isWithin(byBrowsers, email)) {
        return;
      }
    }
    const both = keyOf(email, address);
    await byAddress.consume(address);
    await byBoth.consume(both);
    if (!(await known.isCounted(both))) {
      await byAccount.consume(email);
    }
  };
}

function countSignIns(
  limits: RateLimits,
  rules: AttemptRules,
  known: RateLimit,
): Attempts["signIn"] {
  const byAddress = limits("sign-in-address", rules.signInsByAddress);
  const byBoth = limits("sign-in-account-address", rules.signInsByAccountAndAddress);
  const byAccount = limits("sign-in-account", rules.signInsByAccount);
  const byBrowser = limits("sign-in-browser", rules.signInsByBrowser);
  const byBrowsers = limits("sign-in-browsers", rules.signInsByBrowsers);
  return async (email, address, browser) => {
    const both = keyOf(email, address);
    if (browser !== undefined) {
      await byBrowser.consume(browser);
      if (await isWithin(byBrowsers, email)) {
        return async () => {
          await Promise.all([
            byBrowser.forget(browser),
            byBrowsers.giveBack(email),
            known.mark(both),
          ]);
        };
      }
    }
    await byAddress.consume(address);
    await byBoth.consume(both);
    const isKnown = await known.isCounted(both);
    if (!isKnown) {
      await byAccount.consume(email);
    }
    return async () => {
      await Promise.all([
        byAddress.giveBack(address),
        byBoth.forget(both),
        isKnown ? undefined : byAccount.giveBack(email),
        known.mark(both),
      ]);
    };
  };
}

/**
 * Counts an attempt in a known browser. Whoever once had the password may have made a thousand browsers known: beyond a
 * few at a time, they get no more guesses than a stranger.
 */
async function isWithin(limit: RateLimit, email: string): Promise<boolean> {
  try {
    await limit.consume(email);
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) {
      return false;
    }
    throw error;
  }
}

/** Two counts, so that strangers who know the password do not lock out the owner's browsers and sessions. */
function countFactorCodes(limits: RateLimits, rules: AttemptRules): Attempts["factorCode"] {
  const byAccount = limits("factor-code-account", rules.factorCodesByAccount);
  const byDay = limits("factor-code-account-day", rules.factorCodesByAccountAndDay);
  return async (uid, from) => {
    const key = JSON.stringify([uid, from]);
    await byAccount.consume(key);
    await byDay.consume(key);
    return async () => {
      await Promise.all([byAccount.giveBack(key), byDay.giveBack(key)]);
    };
  };
}

/** An account and the household that somebody tries from. */
function keyOf(email: string, address: string): string {
  return JSON.stringify([email, networkOf(address)]);
}
