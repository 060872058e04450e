// The stream that screens listen to, read with fetch because an EventSource cannot send a token.
import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { signedIn } from "#http/access.ts";
import { documentedStream } from "#http/document.ts";
import type { AppEnv, Caller } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import type { Live } from "#http/live.ts";

/**
 * `GET /live`: events `progress` with `{"projections": {"balances": 42, …}}`, the positions that the read tables have
 * reached, at once and at each change; `alive` events as heartbeats. `whoIs` reads a listener's standing again.
 */
export function liveRoutes(
  live: Live,
  whoIs: (authorization: string | undefined) => Promise<Caller>,
): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.get(
    "/live",
    signedIn,
    documentedStream({
      summary: "Listen for the positions that the read tables reach",
      tag: "live",
    }),
    (c) => {
      const { uid, tokenExpiresAt } = c.get("person");
      c.get("expensiveReads").enter("stream", c.get("person"), c.req.raw.signal).leave();
      if (!live.hasRoomFor(uid)) {
        throw new HttpError(429, "too_many_streams", "Too many live connections", {
          retryAfterSeconds: 10,
        });
      }
      c.header("X-Accel-Buffering", "no");
      // Nobody would read the stream, nor end it.
      if (c.req.method === "HEAD") {
        c.header("Content-Type", "text/event-stream");
        return c.body(null);
      }
      const authorization = c.req.header("Authorization");
      return streamSSE(c, (stream) =>
        live.listen({
          uid,
          endsAt: tokenExpiresAt,
          mayStay: async () => (await whoIs(authorization)).kind === "person",
          send: (progress) =>
            stream.writeSSE(
              progress === undefined
                ? { event: "alive", data: "" }
                : { event: "progress", data: progress },
            ),
          isGone: () => stream.aborted || stream.closed,
          onGone: (tell) => stream.onAbort(tell),
        }),
      );
    },
  );
  return routes;
}
