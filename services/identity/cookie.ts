// The refresh token's cookie: sent to identity's own calls only, and never readable by scripts.
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { SESSION_IDLE_SECONDS } from "#identity/sessions.ts";

const NAME = "refresh_token";
const PATH = "/api/identity";

/** `isSecure` is false only where the app is reached by plain HTTP, as on one's own machine. */
export type CookieSettings = { readonly isSecure: boolean };

export function readRefreshCookie(c: Context): string | undefined {
  return getCookie(c, NAME);
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
    maxAge: SESSION_IDLE_SECONDS,
  });
}

export function clearRefreshCookie(c: Context, settings: CookieSettings): void {
  deleteCookie(c, NAME, {
    path: PATH,
    httpOnly: true,
    secure: settings.isSecure,
    sameSite: "Strict",
  });
}
