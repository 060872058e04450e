// What the sign-in routes use: identity's parts, and the addresses of the app.
import type { Context } from "hono";
import type { RouteDeps } from "#http/deps.ts";
import { createRateLimits } from "#http/rate-limit.ts";
import { letterParts, type LetterParts } from "#http/send-letter.ts";
import type { AllowedOrigins } from "#http/same-origin.ts";
import { cookieSeconds } from "#identity/session-life.ts";
import type { IdentityParts } from "#identity/parts.ts";
import type { AttemptRules, Attempts } from "#features/sign-in/attempts.ts";
import { createAttempts } from "#features/sign-in/attempts.ts";
import type { CookieSettings } from "#features/sign-in/cookie.ts";

/** The app's addresses. */
export type AppAddress = {
  /** For mails. Never from a request, or whoever requests a mail could choose where its link leads. */
  readonly ofApp: () => string;
  /** For the return from a provider: the configured one, or the one this browser uses. */
  readonly ofRequest: (c: Context) => string;
};

export type SignInParts = IdentityParts &
  LetterParts & {
    readonly clock: () => Date;
    readonly origins: AllowedOrigins;
    readonly cookies: CookieSettings;
    readonly attempts: Attempts;
    readonly addresses: AppAddress;
    readonly storeName: () => Promise<string>;
  };

export function signInParts(deps: RouteDeps, rules: AttemptRules): SignInParts {
  const { sql, clock, site } = deps;
  return {
    ...deps.identity.parts,
    ...letterParts(deps),
    clock,
    storeName: deps.store.name,
    origins: site.origins,
    cookies: {
      isSecure: site.isSecure,
      keepSeconds: cookieSeconds(deps.identity.parts.sessionLimits),
    },
    attempts: createAttempts(createRateLimits(sql, clock), rules),
    addresses: {
      ofApp: site.url,
      ofRequest: (c) => (site.origins === "host" ? new URL(c.req.url).origin : site.url()),
    },
  };
}
