// Distinguishes failures of the database: lost races are decided again, lost connections are retried, and a full disk
// is waited for.

type Coded = { readonly code: string; readonly constraintName: string | undefined };

function coded(error: unknown): Coded | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) {
    return undefined;
  }
  const constraint = "constraint_name" in error ? error.constraint_name : undefined;
  return typeof error.code === "string"
    ? {
        code: error.code,
        constraintName: typeof constraint === "string" ? constraint : undefined,
      }
    : undefined;
}

/** The code that PostgreSQL, the driver or the system gave an error. */
export function codeOf(error: unknown): string | undefined {
  return coded(error)?.code;
}

// Two writers made the same row at once: the second decides again on the state after the first.
const RACED_CONSTRAINTS = new Set(["streams_pkey", "event_streams_pkey", "command_keys_pkey"]);

/** True when another writer came first: a conflicting insert, a deadlock, a serialization failure. */
export function isConflict(error: unknown): boolean {
  const failure = coded(error);
  if (failure === undefined) {
    return false;
  }
  if (failure.code === "23505") {
    return failure.constraintName !== undefined && RACED_CONSTRAINTS.has(failure.constraintName);
  }
  return failure.code === "40P01" || failure.code === "40001";
}

const CONNECTION_CODES = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "CONNECTION_CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ETIMEDOUT",
]);

/** True when it is unknown whether the statement was carried out: the connection or the server went away. */
export function isConnectionFailure(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) {
    return false;
  }
  // 08 connection exceptions; 57P01/2/3 shutdown, crash, starting up; 53300 too many connections.
  return (
    CONNECTION_CODES.has(code) ||
    code.startsWith("08") ||
    code.startsWith("57P0") ||
    code === "53300"
  );
}

/** True when the server ended a statement that took longer than statements may, or that an operator stopped. */
export function isCanceled(error: unknown): boolean {
  return codeOf(error) === "57014";
}

const NO_ROOM_CODES = new Set(["53100", "ENOSPC", "EDQUOT"]);

/** True when something could not be written because a disk or a quota is full. */
export function isOutOfRoom(error: unknown): boolean {
  const code = codeOf(error);
  return (
    (code !== undefined && NO_ROOM_CODES.has(code)) ||
    // PostgreSQL has its own code for this, but does not use it everywhere it writes.
    (error instanceof Error && /No space left on device|Disk quota exceeded/u.test(error.message))
  );
}

/** True when the problem is the server and not the statement: the same statement may work later. */
export function isServerTrouble(error: unknown): boolean {
  return isConnectionFailure(error) || isOutOfRoom(error);
}

// 25 a read-only server, 40 lost races, 53 no room or no memory, 55 locks, 57 canceled or shut down, 58 the disk itself.
const NO_DATA_CLASSES = new Set(["25", "40", "53", "55", "57", "58"]);

/** True when a step met an older event without a row in read.upcast_events: fill it in and try again. */
export function isUpcastMissing(error: unknown): boolean {
  return codeOf(error) === "LG002";
}

/** True when a statement failed for a reason that no row of data can cause: it may succeed the next time. */
export function isNoFaultOfData(error: unknown): boolean {
  const code = codeOf(error);
  return (
    isServerTrouble(error) ||
    isUpcastMissing(error) ||
    (code !== undefined && NO_DATA_CLASSES.has(code.slice(0, 2)))
  );
}
