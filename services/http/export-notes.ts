// Notes each file that somebody saves in the security log: which one, of whom, with which filters, and how large it was.
import { ServerResponse } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import type { AppEnv, FreshEnv, Person } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import { routeOf } from "#http/metrics.ts";
import type { RequestNote } from "#http/request-security.ts";

/** It stands around every route: some have a checked query, of any form, and some have none. */
type MaybeQuery = { readonly out: { readonly query: unknown } };

/** Notes every attachment that somebody who is signed in gets. Stands around what sends it in turns. */
export const noteExports: MiddlewareHandler<AppEnv, string, MaybeQuery> = async (c, next) => {
  await next();
  const { headers, ok } = c.res;
  const [, file] =
    /^attachment; filename="(.*)"$/u.exec(headers.get("content-disposition") ?? "") ?? [];
  const { person, subjectUid }: Partial<FreshEnv["Variables"]> = c.var;
  if (!ok || file === undefined || person === undefined || isHead(c)) {
    return;
  }
  // Not before it is known to be a file: the server sends an answer whose body was looked at as a stream.
  const { body } = c.res;
  if (body === null) {
    return;
  }
  const { security } = c.var;
  const about = aboutOf(person, subjectUid);
  const filters = filtersOf(c);
  const route = routeOf(c);
  const noted = new Response(
    notedAtEnd(body, c, async (bytes, cutOff) => {
      if (cutOff !== null) {
        logCutOff(c, { route, file, bytes }, cutOff);
      }
      await security.note({
        ...about,
        kind: "exported",
        outcome: cutOff === null ? "ok" : "cut-off",
        detail: `${file}, ${sizeText(bytes)}${cutOff === null ? "" : ", not to its end"}${filters}`,
        sharedDetail: route,
      });
    }),
    c.res,
  );
  c.res = undefined;
  c.res = noted;
};

const isHead = (c: Context<AppEnv>) => c.req.method === "HEAD";

function aboutOf(person: Person, subjectUid = person.uid): Pick<RequestNote, "about" | "byUid"> {
  return subjectUid === person.uid
    ? { about: { uid: person.uid } }
    : { about: { uid: subjectUid }, byUid: person.uid };
}

/** Filters whose values are days, choices and ids. What somebody typed is not kept: only that there was something. */
const SHOWN: ReadonlySet<string> = new Set(
  (
    "from to fromPosition toPosition at position year tab status showCompleted kind type group outcome role money " +
    "view method channel paidBy filter preset unsoldDays ownAccount account item sale payout trade shipment"
  ).split(" "),
);
/** Some lists also take a part of a name for a person. */
const PERSONS: ReadonlySet<string> = new Set(["consignor", "person", "actor"]);
/** In the file's name, or without meaning for what it says. */
const LEFT_OUT: ReadonlySet<string> = new Set(["format", "paper", "sort", "order"]);

/**
 * " · from 2026-11-01, q". Only names that the route's schema took: a route without one ignores the query, which could
 * otherwise put words of its own into the note.
 */
function filtersOf(c: Context<AppEnv, string, MaybeQuery>): string {
  const taken = c.req.valid("query");
  const words = Object.entries(c.req.queries())
    .filter(([name]) => taken instanceof Object && Object.hasOwn(taken, name))
    .flatMap(([name, values]) => values.map((value) => [name, value] as const))
    .filter(([name, value]) => value !== "" && !LEFT_OUT.has(name))
    .map(([name, value]) =>
      SHOWN.has(name) || (PERSONS.has(name) && /^[\w-]{20,40}$/u.test(value))
        ? `${name} ${value}`
        : name,
    );
  return words.length === 0 ? "" : ` · ${words.join(", ")}`;
}

/** "312 B", "84 kB", "2.1 MB" */
function sizeText(bytes: number): string {
  if (bytes < 1_000) {
    return `${bytes} B`;
  }
  return bytes < 1_000_000
    ? `${Math.round(bytes / 1_000)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Why a file ended before its end: an error, or the connection was gone. */
type CutOff = { readonly error: unknown } | "left";

/** One line, without the stack of an error that is answered like this every day. */
function logCutOff(
  c: Context<AppEnv>,
  what: { readonly route: string; readonly file: string; readonly bytes: number },
  cutOff: CutOff,
): void {
  const { log, requestId } = c.var;
  if (cutOff === "left") {
    log.info({ requestId, ...what, reason: "the connection was closed" }, "a file was cut off");
    return;
  }
  const { error } = cutOff;
  const reason = error instanceof Error ? error.message : "unknown";
  if (error instanceof HttpError) {
    log.warn({ requestId, ...what, reason, code: error.code }, "a file was cut off");
  } else {
    log.error({ requestId, ...what, reason }, "a file was cut off");
    log.debug({ requestId, err: error }, "why a file was cut off");
  }
}

/** False without a connection: a test calls the app itself. */
function closeConnection(c: Context<AppEnv>): boolean {
  const env: unknown = c.env;
  if (env instanceof Object && "outgoing" in env && env.outgoing instanceof ServerResponse) {
    env.outgoing.destroy();
    return true;
  }
  return false;
}

/** A file is not complete before its note is written. One that ends before has a note that says so. */
function notedAtEnd(
  body: ReadableStream<Uint8Array>,
  c: Context<AppEnv>,
  note: (bytes: number, cutOff: CutOff | null) => Promise<void>,
): ReadableStream<Uint8Array> {
  const { signal } = c.req.raw;
  const reader = body.getReader();
  let bytes = 0;
  let noted: Promise<void> | undefined;
  const end = (cutOff: CutOff | null) => (noted ??= note(bytes, cutOff));
  const left = () => void end("left");
  signal.addEventListener("abort", left, { once: true });
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const next = await reader.read();
          if (!next.done) {
            bytes += next.value.byteLength;
            controller.enqueue(next.value);
            return;
          }
        } catch (error) {
          await end({ error });
          // The server would print an error of the stream with its stack. It cancels the stream of a closed connection.
          if (closeConnection(c)) {
            return;
          }
          throw error;
        }
        await end(null);
        signal.removeEventListener("abort", left);
        controller.close();
      },
      async cancel(reason) {
        await Promise.all([end("left"), reader.cancel(reason)]);
      },
    },
    { highWaterMark: 0 },
  );
}
