// The cookie that binds a sign-in with another provider to the browser in which it was started.
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { CookieSettings } from "#features/sign-in/cookie.ts";
import { FLOW_SECONDS } from "#identity/oauth-flows.ts";
import { newSecret } from "#identity/secrets.ts";

const COOKIE = "oauth_browser";

/** The browser's secret, if it has one. */
export function readBrowser(c: Context, { isSecure }: CookieSettings): string | undefined {
  const secret = isSecure ? getCookie(c, COOKIE, "host") : getCookie(c, COOKIE);
  return secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : undefined;
}

/**
 * The existing secret or a new one, for ten minutes from now, so that two tabs of a browser can sign in at once.
 * Lax, because the provider sends the browser back from its own site.
 */
export function markBrowser(c: Context, settings: CookieSettings): string {
  const secret = readBrowser(c, settings) ?? newSecret();
  setCookie(c, COOKIE, secret, {
    path: "/",
    httpOnly: true,
    secure: settings.isSecure,
    sameSite: "Lax",
    maxAge: FLOW_SECONDS,
    // Over https, no other host of the domain can set it.
    ...(settings.isSecure ? { prefix: "host" as const } : {}),
  });
  return secret;
}
