// Limits how many expensive reads (files, searches, live streams) one person may ask for, so that nobody makes the shop wait.
import type { Context, MiddlewareHandler, Next } from "hono";
import type { Caller, ExpensiveEnv, Person, SignedInEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import { createTurns } from "#http/turns.ts";
import type { Turns } from "#http/turns.ts";

/** What one person may ask for: this many calls at once, and this much within a minute. */
export type ExpensiveRule = { readonly atOnce: number; readonly perMinute: number };

export type ExpensiveRules = {
  readonly [Kind in ExpensiveKind]: {
    readonly admins: ExpensiveRule;
    readonly others: ExpensiveRule;
  };
};

/** Files and streams are counted by call, searches and look-ups of codes by the milliseconds that they took. */
export type ExpensiveKind = "file" | "search" | "lookup" | "stream";

const countedByTime: ReadonlySet<ExpensiveKind> = new Set(["search", "lookup"]);

/**
 * Far above what a screen asks for. Several tills may be signed in as one admin, so admins have more. At a till, a
 * search takes a few milliseconds.
 */
export const defaultExpensiveRules: ExpensiveRules = {
  file: { admins: { atOnce: 6, perMinute: 120 }, others: { atOnce: 3, perMinute: 40 } },
  search: { admins: { atOnce: 12, perMinute: 60_000 }, others: { atOnce: 6, perMinute: 20_000 } },
  // They wait for their turn instead: several people scan as fast as they can.
  lookup: {
    admins: { atOnce: 200, perMinute: 60_000 },
    others: { atOnce: 50, perMinute: 20_000 },
  },
  // How many streams one person may have open is counted where they are.
  stream: { admins: { atOnce: 1_000, perMinute: 600 }, others: { atOnce: 1_000, perMinute: 120 } },
};

/** How many expensive reads run at the same time, of all people together. */
const PLACES = 1;
/** A search that takes no longer makes nobody wait, so that a busy till goes before those who ask for long ones. */
const SHORT_SEARCH_MS = 50;
/** A file that is being sent ends this soon after its session. */
const LOOK_AGAIN_MS = 2_000;
const MINUTE_MS = 60_000;
const MAX_REMEMBERED = 5_000;

/** One call that was let in. */
export type ExpensiveCall = {
  /** Runs a part of it when it is the person's turn. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Asks every few seconds whether the person may still have what is sent; throws HttpError 403 if not. */
  readonly lookAgain: (caller: () => Promise<Caller>) => Promise<void>;
  /** Ends it. Calling it again does nothing. */
  readonly leave: () => void;
};

export type ExpensiveReads = {
  /** Throws HttpError 429 with Retry-After if the person asks for too much. */
  readonly enter: (kind: ExpensiveKind, person: Person, signal: AbortSignal) => ExpensiveCall;
};

/** What a person has left of a minute's worth, which grows back evenly. */
type Allowance = { left: number; at: number; atOnce: number };

export function createExpensiveReads(
  clock: () => Date,
  rules: ExpensiveRules = defaultExpensiveRules,
): ExpensiveReads {
  const turns = createTurns(PLACES);
  const allowances = new Map<string, Allowance>();

  function allowanceOf(kind: ExpensiveKind, uid: string, { perMinute }: ExpensiveRule): Allowance {
    const key = `${kind} ${uid}`;
    const now = clock().getTime();
    const known = allowances.get(key) ?? { left: perMinute, at: now, atOnce: 0 };
    // A clock that was set back gives nothing.
    const grown = (Math.max(0, now - known.at) / MINUTE_MS) * perMinute;
    known.left = Math.min(perMinute, known.left + grown);
    known.at = now;
    allowances.delete(key);
    allowances.set(key, known);
    forgetRested(allowances, now);
    return known;
  }

  return {
    enter(kind, person, signal) {
      const { uid, role } = person;
      const rule = rules[kind][role === "admin" ? "admins" : "others"];
      const allowance = allowanceOf(kind, uid, rule);
      const countsTime = countedByTime.has(kind);
      const least = countsTime ? 0 : 1;
      if (allowance.left < least || allowance.left <= 0) {
        const missing = least - allowance.left;
        throw tooMany(kind, "too_many_reads", (missing / rule.perMinute) * MINUTE_MS);
      }
      if (allowance.atOnce >= rule.atOnce) {
        throw tooMany(kind, "too_many_reads_at_once", 1_000);
      }
      allowance.atOnce += 1;
      allowance.left -= least;
      const lookAgain = lookingAgain(clock, person);
      return { ...callOf(turns, uid, signal, allowance, countsTime), lookAgain };
    },
  };
}

function callOf(
  turns: Turns,
  uid: string,
  signal: AbortSignal,
  allowance: Allowance,
  countsTime: boolean,
): Omit<ExpensiveCall, "lookAgain"> {
  let isLeft = false;
  async function timed<Result>(work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      allowance.left -= countsTime ? performance.now() - startedAt : 0;
    }
  }
  return {
    inTurn: (work) => turns.take(uid, signal, () => timed(work), countsTime ? SHORT_SEARCH_MS : 0),
    leave() {
      allowance.atOnce -= isLeft ? 0 : 1;
      isLeft = true;
    },
  };
}

function lookingAgain(clock: () => Date, { role }: Person): ExpensiveCall["lookAgain"] {
  let lookedAt = clock().getTime();
  return async (callerNow) => {
    const now = clock().getTime();
    // A clock that was set back must not put it off.
    if (now >= lookedAt && now < lookedAt + LOOK_AGAIN_MS) {
      return;
    }
    lookedAt = now;
    const caller = await callerNow();
    const isAllowed =
      caller.kind === "person" &&
      !caller.person.lacksFactor &&
      (role !== "admin" || caller.person.role === "admin");
    if (!isAllowed) {
      throw new HttpError(403, "sign_in_ended", "The sign-in has ended");
    }
  };
}

/** Those who asked for nothing for a minute have everything again. */
function forgetRested(allowances: Map<string, Allowance>, now: number): void {
  if (allowances.size <= MAX_REMEMBERED) {
    return;
  }
  for (const [key, { at, atOnce }] of allowances) {
    if (atOnce === 0 && now - at > MINUTE_MS) {
      allowances.delete(key);
    }
  }
}

const NAMES: Readonly<Record<ExpensiveKind, string>> = {
  file: "files",
  search: "searches",
  lookup: "look-ups",
  stream: "live connections",
};

function tooMany(kind: ExpensiveKind, code: string, waitMs: number): HttpError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const wait = seconds === 1 ? "a second" : `${seconds} seconds`;
  return new HttpError(429, code, `Too many ${NAMES[kind]}. Wait ${wait}, then try again`, {
    retryAfterSeconds: seconds,
  });
}

/** A call that answers at once, such as a search: all of it runs in the person's turn. Stands after `readsFrom`. */
export const expensiveSearch: MiddlewareHandler<SignedInEnv> = (c, next) =>
  atOnce("search", c, next);

/** The same for the look-up of one code. */
export const expensiveLookup: MiddlewareHandler<SignedInEnv> = (c, next) =>
  atOnce("lookup", c, next);

async function atOnce(kind: ExpensiveKind, c: Context<SignedInEnv>, next: Next): Promise<void> {
  const call = c.get("expensiveReads").enter(kind, c.get("person"), c.req.raw.signal);
  try {
    await call.inTurn(next);
  } finally {
    call.leave();
  }
}

/** A call that answers with a list as a file: each piece is made in the person's turn. Stands after `readsFrom`. */
export const expensiveFile: MiddlewareHandler<SignedInEnv> = (c, next) =>
  letIn(c, (call) => call.inTurn(next));

/** The same for a route that says itself which part of its work is read in the person's turn. */
export const expensiveFileInParts: MiddlewareHandler<ExpensiveEnv> = (c, next) =>
  letIn(c, (call) => {
    c.set("inTurn", call.inTurn);
    return next();
  });

async function letIn<E extends SignedInEnv>(
  c: Context<E>,
  answer: (call: ExpensiveCall) => Promise<void>,
): Promise<void> {
  const { signal, method } = c.req.raw;
  const call = c.get("expensiveReads").enter("file", c.get("person"), signal);
  signal.addEventListener("abort", call.leave, { once: true });
  let pieces: ReadableStream<Uint8Array> | null = null;
  try {
    await answer(call);
    pieces = c.res.ok && isMadeInPieces(c.res) && method !== "HEAD" ? c.res.body : null;
  } finally {
    if (pieces === null) {
      call.leave();
    }
  }
  if (pieces !== null) {
    const inTurns = new Response(await begun(c, pieces, call), c.res);
    c.res = undefined;
    c.res = inTurns;
  }
}

async function begun<E extends SignedInEnv>(
  c: Context<E>,
  pieces: ReadableStream<Uint8Array>,
  call: ExpensiveCall,
): Promise<ReadableStream<Uint8Array>> {
  try {
    return await piecesInTurn(pieces, call, c.get("callerNow"));
  } catch (error) {
    // The error's answer takes over the headers, and is not a file.
    c.res.headers.delete("Content-Disposition");
    throw error;
  }
}

/** Only a PDF is made as a whole before its answer begins. */
function isMadeInPieces({ headers }: Response): boolean {
  const isFile = headers.get("content-disposition")?.startsWith("attachment") === true;
  return isFile && headers.get("content-type") !== "application/pdf";
}

/** The first piece is made before the answer begins, so that an error before it is answered as one. */
async function piecesInTurn(
  pieces: ReadableStream<Uint8Array>,
  call: ExpensiveCall,
  callerNow: () => Promise<Caller>,
): Promise<ReadableStream<Uint8Array>> {
  const reader = pieces.getReader();
  const read = async () => {
    try {
      await call.lookAgain(callerNow);
      return await call.inTurn(() => reader.read());
    } catch (error) {
      call.leave();
      await reader.cancel(error);
      throw error;
    }
  };
  let first: Awaited<ReturnType<typeof read>> | undefined = await read();
  return new ReadableStream(
    {
      async pull(controller) {
        const next = first ?? (await read());
        first = undefined;
        if (next.done) {
          call.leave();
          controller.close();
        } else {
          controller.enqueue(next.value);
        }
      },
      async cancel(reason) {
        call.leave();
        await reader.cancel(reason);
      },
    },
    // No piece is made before it is asked for.
    { highWaterMark: 0 },
  );
}
