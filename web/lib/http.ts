// Every call to the API: the token, one renewal on a 401, and the ledger position that makes us read our own writes.
import type * as z from "zod/mini";
import { ApiError, errorOf } from "./api-error.ts";
import { noteResponse, noteUnanswered } from "./connection.ts";
import { idToken, renewToken } from "./id-token.ts";
import { takeFirstRead } from "./opening.ts";
import { compareBuild, noticeOlderPage } from "./page-age.ts";

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** An answer, and how fresh the tables behind it were. */
export type Fresh<T> = {
  readonly value: T;
  /** The ledger position that the answer includes; undefined if it is not a ledger read. */
  readonly freshTo: number | undefined;
  /** True if the tables had not caught up with what we had written or seen. */
  readonly isStale: boolean;
  /** How many rows are missing or outdated in the answer because the server could not fold them. */
  readonly heldRows: number;
  /** Milliseconds of `Date.now()` when it arrived. */
  readonly receivedAt: number;
  /** How many mutations had ended when it was asked for. */
  readonly askedAfter: number;
};

/** The highest position of any answer. A read that sends it back sees at least what we saw before. */
let seenPosition = 0;
let onSignedOut: () => void = () => undefined;
let onSent: () => void = () => undefined;
let onForbidden: () => void = () => undefined;
let confirmIdentity: () => Promise<boolean> = () => Promise.resolve(false);

/** Called when no mutation is under way any more, however they ended. A batch counts as one call. */
export function whenSent(listener: () => void): void {
  onSent = listener;
}

/** Called when the server refuses a call with 403: the person's role may have changed. */
export function whenForbidden(listener: () => void): void {
  onForbidden = listener;
}

/** Called when a call needs a confirmation of who the person is. If it resolves to true, the call is sent again. */
export function whenUnconfirmed(ask: () => Promise<boolean>): void {
  confirmIdentity = ask;
}

/** Called when a call is refused because the session cannot be renewed. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

export function noticePosition(position: number): void {
  if (Number.isSafeInteger(position) && position > seenPosition) {
    seenPosition = position;
  }
}

/** Forgets what the last person saw. */
export function forgetPosition(): void {
  seenPosition = 0;
}

/** "/sales/history/x?page=2": omits undefined and empty parameters. Also used as the SWR key. */
export function pathOf(path: string, query: Query = {}): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries).toString()}`;
}

/** GET under /api. Throws ApiError. */
export async function read<T>(path: string, schema: z.ZodMiniType<T>): Promise<Fresh<T>> {
  const opened = await takeFirstRead(path);
  if (opened !== undefined) {
    noticePositionOf(opened);
    return freshOf(opened, schema, 0);
  }
  const askedAfter = ended;
  const response = await call(path, { method: "GET" });
  return freshOf(response, schema, askedAfter);
}

function noticePositionOf(response: Response): void {
  compareBuild(response.headers.get("Web-Build"));
  noticePosition(Number(response.headers.get("Ledger-Position") ?? 0));
}

/** True for an answer that was asked for before the last mutation ended, unless another one is still under way. */
export function isOutdated({ askedAfter }: Pick<Fresh<unknown>, "askedAfter">): boolean {
  return underWay === 0 && askedAfter < ended;
}

export type Method = "POST" | "PUT" | "PATCH" | "DELETE";

export type Command<T> = {
  readonly method: Method;
  /** Below /api. */
  readonly path: string;
  readonly body?: unknown;
  /** JSON that is sent word for word, instead of `body`. */
  readonly bodyText?: string;
  /** A form with a file, instead of `body`. */
  readonly form?: FormData;
  /** The schema of the answer. */
  readonly answer: z.ZodMiniType<T>;
  /** One per action; the same again when the action is repeated. */
  readonly key: string;
  /** The browser sends it even if the page is closed or left at once. */
  readonly outlivesPage?: true;
};

/** Mutations that were sent and not yet answered. */
let underWay = 0;
/** Mutations that ended since the page was loaded, however they ended. */
let ended = 0;
let telling: ReturnType<typeof setTimeout> | undefined;
let nextSend = new AbortController();

/** Aborts when a mutation is sent, or at once while one is under way. For questions that the mutation's answer settles. */
export function untilNextSend(): AbortSignal {
  return underWay > 0 ? AbortSignal.abort() : nextSend.signal;
}

/** A mutation under /api. Everything on screen is read again afterwards. Throws ApiError. */
export async function send<T>(command: Command<T>): Promise<T> {
  return (await sendFresh(command)).value;
}

/** The same with the ledger position that the answer includes. That of a repeated answer is the first one's. */
export async function sendFresh<T>(command: Command<T>): Promise<Fresh<T>> {
  underWay += 1;
  nextSend.abort();
  nextSend = new AbortController();
  try {
    const { method, path, body, bodyText, form, key } = command;
    const json = bodyText ?? (body === undefined ? undefined : JSON.stringify(body));
    const sent = form ?? json;
    const response = await call(path, {
      method,
      // The browser writes the type of a form itself, with the mark between its parts.
      headers: {
        ...(form === undefined ? { "Content-Type": "application/json" } : {}),
        "Idempotency-Key": key,
      },
      ...(sent === undefined ? {} : { body: sent }),
      keepalive: command.outlivesPage === true,
    });
    return await freshOf(response, command.answer, ended);
  } finally {
    underWay -= 1;
    ended += 1;
    // Waits a moment, because the next call of a batch starts before this runs.
    clearTimeout(telling);
    telling = setTimeout(() => {
      if (underWay === 0) {
        onSent();
      }
    });
  }
}

/** The raw answer to a GET, for streams and files. Throws ApiError. */
export function open(path: string, signal: AbortSignal, accept: string): Promise<Response> {
  return call(path, { method: "GET", signal, headers: { Accept: accept } });
}

/** Any call, with the token and one renewal. A mutation is sent by `send`. Throws ApiError. */
export async function call(path: string, init: RequestInit): Promise<Response> {
  const sent = await idToken();
  let response = await once(path, init, sent);
  if (response.status === 401 && sent !== undefined) {
    const renewed = await renewToken();
    response = renewed === undefined ? response : await once(path, init, renewed);
  }
  if (response.status === 401) {
    onSignedOut();
  }
  if (response.status === 403) {
    const error = await errorOf(response);
    if (error.code === "confirmation_required") {
      if (await confirmIdentity()) {
        // The same headers: a mutation keeps its idempotency key.
        return call(path, init);
      }
    } else if (path !== "/auth/me") {
      // Otherwise a refused read of the own account would cause itself again.
      onForbidden();
    }
    throw error;
  }
  if (response.status === 400 && init.method === "GET" && seenPosition > 0) {
    // The ledger may have been replaced by another one (a restored backup, a new sample store).
    const error = await errorOf(response);
    if (error.code !== "position_unknown") {
      throw error;
    }
    forgetPosition();
    response = await once(path, init, await idToken());
  }
  if (!response.ok) {
    throw await errorOf(response);
  }
  noticePositionOf(response);
  return response;
}

async function once(path: string, init: RequestInit, token: string | undefined): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token !== undefined) {
    headers.set("Authorization", `Bearer ${token}`);
  }
  if (init.method === "GET" && seenPosition > 0) {
    headers.set("Ledger-Position", String(seenPosition));
  }
  // Whoever goes offline while waiting for the answer may have been heard.
  const wasOffline = "onLine" in navigator && !navigator.onLine;
  try {
    const response = await fetch(`/api${path}`, { ...init, headers, credentials: "same-origin" });
    noteResponse(response);
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") {
      throw error;
    }
    noteUnanswered();
    throw wasOffline
      ? new ApiError(
          0,
          "offline",
          "You're offline. This needs the server: try again once connected.",
        )
      : new ApiError(0, "unreachable", "The server cannot be reached. Check your connection.");
  }
}

async function freshOf<T>(
  response: Response,
  schema: z.ZodMiniType<T>,
  askedAfter: number,
): Promise<Fresh<T>> {
  const { body, isStale, heldRows } = withoutNotices(
    response.status === 204 ? undefined : await response.json(),
  );
  const { headers } = response;
  // A mutation's answer has the position of what it wrote.
  const freshTo = Number(
    headers.get("Ledger-Fresh-To") ?? headers.get("Ledger-Position") ?? Number.NaN,
  );
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    noticeOlderPage();
    throw new ApiError(
      response.status,
      "unexpected_answer",
      "This page is older than the store. Reload it.",
      { requestId: headers.get("X-Request-Id") ?? undefined },
    );
  }
  return {
    value: parsed.data,
    freshTo: Number.isSafeInteger(freshTo) ? freshTo : undefined,
    isStale,
    heldRows,
    receivedAt: Date.now(),
    askedAfter,
  };
}

/** What a read says about itself next to its fields: `"stale": true` if it is behind, `"held": 2` if rows are missing. */
function withoutNotices(json: unknown): { body: unknown; isStale: boolean; heldRows: number } {
  if (typeof json !== "object" || json === null || !("stale" in json || "held" in json)) {
    return { body: json, isStale: false, heldRows: 0 };
  }
  const { stale, held, ...body } = { stale: false, held: 0, ...json };
  return { body, isStale: stale === true, heldRows: typeof held === "number" ? held : 0 };
}
