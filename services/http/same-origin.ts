// Calls that read or set the session's cookie are only accepted from the app's own pages, and only as JSON.
import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "#http/env.ts";
import { badRequest, HttpError } from "#http/errors.ts";
import { isJson } from "#http/read-body.ts";

/** Origins such as `https://store.example`, or "host": the host that the request was sent to. */
export type AllowedOrigins = readonly string[] | "host";

/**
 * Refuses requests that another site's page could send. Browsers send the origin with every POST; "if-sent" accepts
 * programs that send none, "always" does not. Throws HttpError 403, and 400 for another content type.
 */
export function sameOrigin(
  allowed: AllowedOrigins,
  when: "always" | "if-sent",
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const origin = c.req.header("Origin");
    const site = c.req.header("Sec-Fetch-Site");
    const isOurs =
      origin === undefined ? when === "if-sent" : isAllowed(allowed, origin, c.req.url);
    if (!isOurs || (site !== undefined && site !== "same-origin" && site !== "none")) {
      throw new HttpError(403, "foreign_origin", "This call is only for the app's own pages");
    }
    if (!isJson(c.req.header("Content-Type") ?? null)) {
      throw badRequest("not_json", "Send the body as application/json");
    }
    await next();
  };
}

function isAllowed(allowed: AllowedOrigins, origin: string, requestUrl: string): boolean {
  if (allowed !== "host") {
    return allowed.includes(origin);
  }
  // A proxy may have terminated TLS, so the scheme is not compared.
  return URL.canParse(origin) && new URL(origin).host === new URL(requestUrl).host;
}
