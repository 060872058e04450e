// The cookie that binds a sign-in at another provider to the browser it was begun in.
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { CookieSettings } from "#features/sign-in/cookie.ts";
import { FLOW_SECONDS } from "#identity/oauth-flows.ts";
import { newSecret } from "#identity/secrets.ts";

const COOKIE = "oauth_browser";

/** The secret of the browser that asks, if it has one. */
export function readBrowser(c: Context, { isSecure }: CookieSettings): string | undefined {
  const secret = isSecure ? getCookie(c, COOKIE, "host") : getCookie(c, COOKIE);
  return secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : undefined;
}

/**
 * The same, or a new one, for ten minutes from now: two tabs of a browser may sign in at once. Lax, because
 * the provider sends the browser back from its own site.
 */
export function markBrowser(c: Context, settings: CookieSettings): string {
  const secret = readBrowser(c, settings) ?? newSecret();
  setCookie(c, COOKIE, secret, {
    path: "/",
    httpOnly: true,
    secure: settings.isSecure,
    sameSite: "Lax",
    maxAge: FLOW_SECONDS,
    // Over https no other host of the domain can set it.
    ...(settings.isSecure ? { prefix: "host" as const } : {}),
  });
  return secret;
}
