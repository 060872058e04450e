// How attempts are counted: a known browser has its own count, everything else counts by address.
import type { Context, MiddlewareHandler } from "hono";
import type { AppEnv, SignedInEnv } from "#http/env.ts";
import type { RateLimit } from "#http/rate-limit.ts";
import { readBrowserCookie, writeBrowserCookie } from "#features/sign-in/cookie.ts";
import type { Use } from "#identity/known-browsers.ts";
import type { SignInParts } from "#features/sign-in/parts.ts";

/** The key of this browser's count for the account with this email; undefined if the account does not know it. */
export async function browserOf(
  { accounts, browsers, cookies }: SignInParts,
  c: Context<AppEnv>,
  email: string,
): Promise<string | undefined> {
  const known = await browsers.read(readBrowserCookie(c, cookies));
  if (known.length === 0) {
    return undefined;
  }
  const account = await accounts.findCredentials(email);
  if (account === undefined) {
    return undefined;
  }
  const one = await browsers.ofPerson(known, account.uid, account.browsersKnownFrom);
  return one === undefined ? undefined : `${one.account}.${one.browser}`;
}

/**
 * If no account is named: the account that this browser was last used for, in this browser, or the address. The
 * account's other browsers are counted on their own: whoever copied one cookie cannot use up their attempts.
 */
export async function sourceOf(
  { browsers, cookies }: Pick<SignInParts, "browsers" | "cookies">,
  c: Context<AppEnv>,
): Promise<string> {
  const [last] = await browsers.read(readBrowserCookie(c, cookies));
  return last === undefined ? c.get("clientAddress") : `known:${last.account}.${last.browser}`;
}

/** Counts each call of a route by its origin. */
export function limitBySource(
  parts: Pick<SignInParts, "browsers" | "cookies">,
  limit: RateLimit,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await limit.consume(await sourceOf(parts, c));
    await next();
  };
}

/** Makes the browser known to the person's account. */
export async function rememberBrowser(
  { browsers, cookies }: Pick<SignInParts, "browsers" | "cookies">,
  c: Context<AppEnv> | Context<SignedInEnv>,
  uid: string,
  use: Use,
): Promise<void> {
  const cookie = await browsers.afterUse(readBrowserCookie(c, cookies), uid, use);
  if (cookie !== undefined) {
    writeBrowserCookie(c, cookie, cookies);
  }
}
