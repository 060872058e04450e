// Limits the commands and other keyed calls of people who are not admins, because every answer, also a refusal, is kept.
import type { RateLimits, RateRule } from "#http/rate-limit.ts";

export type CommandRules = { readonly perMinute: RateRule; readonly perDay: RateRule };

export const defaultCommandRules: CommandRules = {
  perMinute: { attempts: 60, perSeconds: 60 },
  perDay: { attempts: 600, perSeconds: 86_400 },
};

/**
 * Counts a command of this person. Throws HttpError 429 with Retry-After. A repeated command counts too, because only
 * the ledger knows that it is one.
 */
export type CountCommand = (uid: string) => Promise<void>;

export function createCommandLimit(limits: RateLimits, rules: CommandRules): CountCommand {
  const byMinute = limits("command-minute", rules.perMinute);
  const byDay = limits("command-day", rules.perDay);
  return async (uid) => {
    await byMinute.consume(uid);
    await byDay.consume(uid);
  };
}

/** The same for one request: internal retries do not count twice. */
export function countedOnce(count: CountCommand): CountCommand {
  let counted: Promise<void> | undefined;
  return (uid) => (counted ??= count(uid));
}
