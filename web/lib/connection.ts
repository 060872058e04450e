// Whether the store can be reached: the browser has a connection, and the server answers. Without that, nothing on screen is up to date.

/**
 * A number: the browser has a connection, but the server did not answer any call after this moment, in milliseconds of
 * `Date.now()`.
 */
export type Connection = "connected" | "offline" | number;

/** A call may fail, and a restart takes some seconds. Only a second failure that much later is worth a message. */
const patienceMs = 5_000;
/** A call without an end counts as failed only if nothing else was heard for this long: a proxy may hold one call back. */
const quietMs = 45_000;

const listeners = new Set<() => void>();

let answers: Connection = "connected";
let failingSince: number | undefined;
let heardAt = Date.now();

function isOffline(): boolean {
  // Node's navigator, in tests, does not say.
  return "onLine" in navigator && !navigator.onLine;
}

function become(next: Connection): void {
  if (next !== answers) {
    answers = next;
    for (const listener of listeners) {
      listener();
    }
  }
}

/** The server was heard: it answered, or its stream goes on. */
export function noteHeard(): void {
  heardAt = Date.now();
  failingSince = undefined;
  become("connected");
}

/** The server's own answers have an id. Without one, a failure comes from a proxy that does not reach the server. */
export function noteResponse(response: Response): void {
  if (response.status > 500 && !response.headers.has("X-Request-Id")) {
    noteUnanswered();
  } else {
    noteHeard();
  }
}

/** A call ended without an answer. */
export function noteUnanswered(): void {
  const now = Date.now();
  if (isOffline()) {
    // Known already. Once the browser is online again, the server has its full time to answer.
    noteHeard();
  } else if (failingSince === undefined) {
    failingSince = now;
  } else if (answers === "connected" && now - failingSince >= patienceMs) {
    become(failingSince);
  }
}

/** A call was given up because nothing came. */
export function noteSilence(): void {
  if (Date.now() - heardAt >= quietMs) {
    noteUnanswered();
  }
}

export function connection(): Connection {
  return isOffline() ? "offline" : answers;
}

export function whenConnection(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}
