// Guessing is limited by address and by account, without letting a stranger lock the owner out for good.
import type { RateLimit, RateLimits } from "#http/rate-limit.ts";

/** Attempts in a window of seconds. */
export type AttemptRules = {
  readonly signUpsByAddress: { readonly attempts: number; readonly perSeconds: number };
  readonly signInsByAddress: { readonly attempts: number; readonly perSeconds: number };
  readonly signInsByAccountAndAddress: { readonly attempts: number; readonly perSeconds: number };
  readonly signInsByAccount: { readonly attempts: number; readonly perSeconds: number };
  readonly refreshesByAddress: { readonly attempts: number; readonly perSeconds: number };
  readonly setupsByAddress: { readonly attempts: number; readonly perSeconds: number };
};

export const defaultAttemptRules: AttemptRules = {
  signUpsByAddress: { attempts: 30, perSeconds: 3_600 },
  signInsByAddress: { attempts: 100, perSeconds: 900 },
  signInsByAccountAndAddress: { attempts: 10, perSeconds: 900 },
  signInsByAccount: { attempts: 50, perSeconds: 900 },
  refreshesByAddress: { attempts: 600, perSeconds: 60 },
  setupsByAddress: { attempts: 10, perSeconds: 900 },
};

const KNOWN_FOR_SECONDS = 90 * 86_400;

export type Attempts = {
  readonly signUps: RateLimit;
  readonly refreshes: RateLimit;
  readonly setups: RateLimit;
  /**
   * Counts a sign-in before the password is looked at, so that guesses sent at once count too. Answers what
   * to call when the password was right: successes do not count. Throws HttpError 429.
   */
  readonly signIn: (email: string, address: string) => Promise<() => Promise<void>>;
};

export function createAttempts(limits: RateLimits, rules: AttemptRules): Attempts {
  const byAddress = limits("sign-in-address", rules.signInsByAddress);
  const byBoth = limits("sign-in-account-address", rules.signInsByAccountAndAddress);
  const byAccount = limits("sign-in-account", rules.signInsByAccount);
  // Addresses an account was opened from before: guessing from elsewhere must not keep its owner out.
  const known = limits("known-address", { attempts: 1, perSeconds: KNOWN_FOR_SECONDS });
  return {
    signUps: limits("sign-up-address", rules.signUpsByAddress),
    refreshes: limits("refresh-address", rules.refreshesByAddress),
    setups: limits("setup-address", rules.setupsByAddress),
    async signIn(email, address) {
      const both = JSON.stringify([email, address]);
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
    },
  };
}
