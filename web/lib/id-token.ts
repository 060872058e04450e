// The ID token: kept only in memory, renewed through the HttpOnly cookie, by one tab at a time.
import * as z from "zod/mini";
import {
  enteredResponse,
  sessionResponse,
  type SecondStep,
  type SessionResponse,
} from "#features/sign-in/contract.ts";
import { ApiError, errorOf } from "#web/lib/api-error.ts";
import { noteResponse, noteUnanswered } from "#web/lib/connection.ts";
import { localValue } from "#web/lib/local-store.ts";
import { takeOpenedSession } from "#web/lib/opening.ts";
import { noticeUse, takeUse } from "#web/lib/page-use.ts";

/** A token is renewed this long before it expires. */
const renewBeforeMs = 60_000;
const retryPausesMs = [250, 1000];

/** Whether somebody is signed in here. It saves visitors without a session a call. */
export const sessionHint = localValue("session", z.enum(["open", "closed"]), "closed");

let token: { readonly value: string; readonly endsAt: number } | undefined;
let renewal: Promise<string | undefined> | undefined;

/** POST to `/api/identity/<call>`; throws ApiError. */
export async function postIdentity(call: string, body: unknown): Promise<Response> {
  const response = await fetch(`/api/identity/${call}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    credentials: "same-origin",
    body: JSON.stringify(body),
  }).catch(() => {
    noteUnanswered();
    throw new ApiError(0, "unreachable", "The server cannot be reached. Check your connection.");
  });
  noteResponse(response);
  if (!response.ok) {
    throw await errorOf(response);
  }
  return response;
}

/** For calls that set or end the cookie. They never run while another tab refreshes. Throws ApiError. */
export function postInTurn(call: string, body: unknown): Promise<Response> {
  return oneTabAtATime(() => postIdentity(call, body));
}

let takeSecondStep: ((step: SecondStep) => Promise<Response>) | undefined;

/** Called when a sign-in needs a second factor; resolves to the answer with the session. */
export function whenSecondStep(take: (step: SecondStep) => Promise<Response>): void {
  takeSecondStep = take;
}

/** Stores the token of a sign-in, sign-up or refresh. Takes the second step first, if there is one. */
export async function adoptToken(response: Response): Promise<SessionResponse> {
  const entered = enteredResponse.parse(await response.json());
  const answer =
    "idToken" in entered
      ? entered
      : sessionResponse.parse(await (await takeSecondStep?.(entered.secondStep))?.json());
  token = { value: answer.idToken, endsAt: Date.now() + answer.expiresIn * 1000 };
  sessionHint.write("open");
  return answer;
}

export function dropToken(): void {
  token = undefined;
  sessionHint.write("closed");
}

/** The current token, renewed if it is about to expire; undefined if nobody is signed in. */
export async function idToken(): Promise<string | undefined> {
  if (token !== undefined && token.endsAt - Date.now() > renewBeforeMs) {
    return token.value;
  }
  return sessionHint.read() === "open" ? renewToken() : undefined;
}

/** A new token from the cookie; undefined if the session has ended. Throws ApiError if there is no answer. */
export function renewToken(): Promise<string | undefined> {
  renewal ??= oneTabAtATime(renew).finally(() => {
    renewal = undefined;
  });
  return renewal;
}

/**
 * Says whether the page was used since the last time. Asks again at once if there was no answer. The server may have rotated the cookie without our receiving it, and
 * accepts the old one only for a few seconds.
 */
async function askForToken(): Promise<Response> {
  const wasUsed = takeUse();
  try {
    return await refresh(wasUsed ? {} : { idle: true });
  } catch (error) {
    if (wasUsed) {
      noticeUse();
    }
    throw error;
  }
}

async function refresh(body: { readonly idle?: true }): Promise<Response> {
  for (const pauseMs of retryPausesMs) {
    try {
      return await postIdentity("refresh", body);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 0) {
        throw error;
      }
      await new Promise((resolve) => {
        setTimeout(resolve, pauseMs);
      });
    }
  }
  return postIdentity("refresh", body);
}

/** The page asks once by itself, before the app's scripts are there, and says that it was used: somebody opened it. */
async function openedToken(): Promise<Response | undefined> {
  const response = await takeOpenedSession();
  if (response !== undefined) {
    takeUse();
    if (!response.ok) {
      throw await errorOf(response);
    }
  }
  return response;
}

async function renew(): Promise<string | undefined> {
  try {
    return (await adoptToken((await openedToken()) ?? (await askForToken()))).idToken;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 400 || error.status === 401)) {
      dropToken();
      return undefined;
    }
    throw error;
  }
}

/** The cookie rotates at each use, so tabs take turns. */
async function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  return "locks" in navigator ? navigator.locks.request("identity-refresh", work) : work();
}
