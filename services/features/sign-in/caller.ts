// Whom attempts are counted against: a browser that its owner used by itself, everybody else by address.
import type { Context, MiddlewareHandler } from "hono";
import type { AppEnv } from "#http/env.ts";
import type { RateLimit } from "#http/rate-limit.ts";
import { readBrowserCookie, writeBrowserCookie } from "#features/sign-in/cookie.ts";
import type { Use } from "#identity/known-browsers.ts";
import type { SignInParts } from "#features/sign-in/parts.ts";

/** What counts this browser's attempts on the account with this e-mail; undefined where it was never used in it. */
export async function browserOf(
  { accounts, browsers }: SignInParts,
  c: Context<AppEnv>,
  email: string,
): Promise<string | undefined> {
  const known = await browsers.read(readBrowserCookie(c));
  if (known.length === 0) {
    return undefined;
  }
  const account = await accounts.findCredentials(email);
  const one = account === undefined ? undefined : await browsers.ofPerson(known, account.uid);
  return one === undefined ? undefined : `${one.account}.${one.browser}`;
}

/** Where no account is named: the account that this browser was last used for, or the address. */
export async function sourceOf(
  { browsers }: Pick<SignInParts, "browsers">,
  c: Context<AppEnv>,
): Promise<string> {
  const [last] = await browsers.read(readBrowserCookie(c));
  return last === undefined ? c.get("clientAddress") : `known:${last.account}`;
}

/** Counts each call of a route against where it comes from. */
export function limitBySource(
  parts: Pick<SignInParts, "browsers">,
  limit: RateLimit,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await limit.consume(await sourceOf(parts, c));
    await next();
  };
}

/** From here on the browser is known to the person's account. */
export async function rememberBrowser(
  { browsers, cookies }: Pick<SignInParts, "browsers" | "cookies">,
  c: Context<AppEnv>,
  uid: string,
  use: Use,
): Promise<void> {
  const cookie = await browsers.afterUse(readBrowserCookie(c), uid, use);
  if (cookie !== undefined) {
    writeBrowserCookie(c, cookie, cookies);
  }
}
