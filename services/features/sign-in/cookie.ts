// The long-lived cookies: the session's refresh token, and what makes a browser known. Scripts cannot read them.
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { CookiePrefixOptions } from "hono/utils/cookie";
import { KNOWN_FOR_SECONDS } from "#identity/known-browsers.ts";

const NAME = "refresh_token";
const PATH = "/api/identity";

const BROWSER_NAME = "known_browser";
// Signing in with Discord starts and returns outside identity's own path.
const BROWSER_PATH = "/api";

export type CookieSettings = {
  /** False only if the app is reached by plain HTTP, as on a developer's machine. */
  readonly isSecure: boolean;
  /** How long a browser keeps the session's cookie without a renewal. */
  readonly keepSeconds: number;
};

/**
 * Over https a browser takes these cookies from https alone, so that nobody on the network can put one of theirs in
 * the place of ours. `__Host-` would need the path `/`, and the session's cookie goes to identity's calls only.
 */
function prefixOf({ isSecure }: Pick<CookieSettings, "isSecure">): {
  prefix?: CookiePrefixOptions;
} {
  return isSecure ? { prefix: "secure" } : {};
}

function read(
  c: Context,
  name: string,
  { isSecure }: Pick<CookieSettings, "isSecure">,
): string | undefined {
  return isSecure ? getCookie(c, name, "secure") : getCookie(c, name);
}

export function readRefreshCookie(c: Context, settings: CookieSettings): string | undefined {
  return read(c, NAME, settings);
}

export function writeRefreshCookie(
  c: Context,
  refreshToken: string,
  settings: CookieSettings,
): void {
  setCookie(c, NAME, refreshToken, {
    path: PATH,
    httpOnly: true,
    secure: settings.isSecure,
    sameSite: "Strict",
    maxAge: settings.keepSeconds,
    ...prefixOf(settings),
  });
}

export function clearRefreshCookie(c: Context, settings: CookieSettings): void {
  deleteCookie(c, NAME, {
    path: PATH,
    httpOnly: true,
    secure: settings.isSecure,
    sameSite: "Strict",
    ...prefixOf(settings),
  });
}

export function readBrowserCookie(c: Context, settings: CookieSettings): string | undefined {
  return read(c, BROWSER_NAME, settings);
}

/**
 * It gives no access and only decides how attempts are counted, so signing out keeps it. Lax, because Discord
 * sends the browser back from its own site.
 */
export function writeBrowserCookie(c: Context, known: string, settings: CookieSettings): void {
  setCookie(c, BROWSER_NAME, known, {
    path: BROWSER_PATH,
    httpOnly: true,
    secure: settings.isSecure,
    sameSite: "Lax",
    maxAge: KNOWN_FOR_SECONDS,
    ...prefixOf(settings),
  });
}
