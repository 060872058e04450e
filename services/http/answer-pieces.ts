// Sends long texts in pieces while they are made, so that other requests do not wait for the whole text.
import type { Context } from "hono";
import type { AppEnv } from "#http/env.ts";
import { keepReadSource } from "#http/read-place.ts";

/**
 * Answers 200 with the pieces one after the other. The first one is made before the answer begins, so that an error
 * can still be answered as one; the rest as fast as the client reads them. If the client leaves, the generator ends.
 */
export async function answerPieces(
  c: Pick<Context<AppEnv>, "body">,
  pieces: AsyncGenerator<string>,
  headers: Record<string, string>,
): Promise<Response> {
  const encoder = new TextEncoder();
  const first = await pieces.next();
  if (first.done === true) {
    // Even a file without rows has its first line.
    throw new Error("The file has no text at all");
  }
  let begun = first.value;
  const likeTheFirst = keepReadSource();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (begun !== "") {
          controller.enqueue(encoder.encode(begun));
          begun = "";
          return;
        }
        const next = await likeTheFirst(() => pieces.next());
        if (next.done === true) {
          controller.close();
        } else {
          controller.enqueue(encoder.encode(next.value));
        }
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    // Only what was asked for is made: each piece waits for its turn.
    { highWaterMark: 0 },
  );
  return c.body(stream, 200, headers);
}
