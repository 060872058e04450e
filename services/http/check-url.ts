// Refuses invalid addresses before any route is matched.
import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "#http/env.ts";
import { badRequest } from "#http/errors.ts";
import { isForm, isStorable, MAX_BODY_BYTES, refuseAbove } from "#http/read-body.ts";

/**
 * 400 for percent signs that are not UTF-8 text and for NUL, in path or query; 413 if the announced body is too
 * large. A form with a file has its own limit (`fileForm`), which is checked before it is read.
 */
export function checkUrl(maxBodyBytes: number = MAX_BODY_BYTES): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (c.req.url.includes("%")) {
      refuseBrokenText(c.req.url);
    }
    if (!isForm(c.req.header("Content-Type"))) {
      refuseAbove(Number(c.req.header("Content-Length") ?? 0), maxBodyBytes);
    }
    await next();
  };
}

function refuseBrokenText(url: string): void {
  let text: string;
  try {
    text = decodeURIComponent(url);
  } catch {
    throw badRequest("invalid_utf8", "The address is not valid UTF-8");
  }
  if (!isStorable(text)) {
    throw badRequest("invalid_text", "The address must not contain NUL");
  }
}
