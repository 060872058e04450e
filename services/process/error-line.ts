// How a process that fails prints its error for people.
import { z } from "zod";
import { codeOf, isConnectionFailure } from "#ledger/log/failure.ts";

/** Node's errors of a connection that was never made. */
const unreachedError = z.discriminatedUnion("syscall", [
  z.object({ syscall: z.literal("getaddrinfo"), code: z.string(), hostname: z.string() }),
  z.object({
    syscall: z.literal("connect"),
    code: z.string(),
    address: z.string(),
    port: z.int().optional(),
  }),
]);

/** The message. An error in the program, not in its use, also says how to see where it came from. */
export function errorLine(error: unknown): string {
  if (!(error instanceof Error)) {
    return "unknown error\n";
  }
  const unreached = describeUnreached(error);
  if (unreached !== null) {
    return `${unreached}\n`;
  }
  const isOurs = [error, error.cause].some(
    (one) => one instanceof TypeError || one instanceof RangeError,
  );
  return `${error.message}\n${isOurs ? "LOG_LEVEL=debug shows where.\n" : ""}`;
}

/** The same for a start: it has no output that could be closed, so a cut connection is one to the database. */
export function startErrorLine(error: unknown): string {
  const isCut =
    isConnectionFailure(error) && !isRefusal(error) && describeUnreached(error) === null;
  return isCut && error instanceof Error
    ? `The connection to the database was lost while starting (${error.message}). ` +
        "Nothing is lost: start again once the database is up.\n"
    : errorLine(error);
}

/** PostgreSQL answered, and said why it takes no connection: it is starting up, or has too many. */
function isRefusal(error: unknown): boolean {
  return ["57P03", "53300"].includes(codeOf(error) ?? "");
}

/** What could not be reached; null for any other error. */
function describeUnreached(error: unknown): string | null {
  // A name with several addresses: one error for each, and no message of its own.
  const one: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const parsed = unreachedError.safeParse(one);
  if (!parsed.success) {
    return null;
  }
  const { code } = parsed.data;
  if (parsed.data.syscall === "getaddrinfo") {
    return `The name ${parsed.data.hostname} cannot be found (${code}). See that it is right, as in DATABASE_URL.`;
  }
  const { address, port } = parsed.data;
  const host = port !== undefined && address.includes(":") ? `[${address}]` : address;
  const place = port === undefined ? host : `${host}:${port}`;
  return (
    `PostgreSQL cannot be reached at ${place} (${code}). ` +
    "See that the server runs, and that the address is right, as in DATABASE_URL."
  );
}
