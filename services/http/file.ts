// Answers with a file that the browser saves and never shows or runs.
import type { Context, MiddlewareHandler } from "hono";
import type { AppEnv } from "#http/env.ts";

/** The name must come from the program, never from a person. */
export const attachment = (type: string, name: string): Readonly<Record<string, string>> => ({
  "content-type": type,
  "content-disposition": `attachment; filename="${name}"`,
});

/** A PDF with a name made by the program. */
export function answerPdf(
  c: Pick<Context<AppEnv>, "body">,
  name: string,
  bytes: Uint8Array,
): Response {
  return c.body(new Uint8Array(bytes), 200, {
    ...attachment("application/pdf", name),
    "content-length": String(bytes.byteLength),
  });
}

/**
 * If a browser shows an attachment anyway, it runs no script and has no access to the app. It is registered before
 * the headers of pages, which it replaces.
 */
export const attachmentHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (c.res.headers.get("Content-Disposition")?.startsWith("attachment") === true) {
    c.header("Content-Security-Policy", "sandbox; default-src 'none'");
    c.header("X-Content-Type-Options", "nosniff");
  }
};
