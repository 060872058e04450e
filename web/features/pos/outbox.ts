// Sends the queue's lines to the ledger, from one tab at a time, each line under its own key, until there is an answer.
import { recordSaleResponse } from "#features/sales/contract-commands.ts";
import { ApiError, asApiError } from "#web/lib/api-error.ts";
import { sendFresh } from "#web/lib/http.ts";
import { catalogueStatus, noteStock, onCatalogue } from "./catalogue.ts";
import { afterOutcome, type Outcome } from "./delivery.ts";
import { onOtherTabsChange, replaceLine, waitingLines } from "./pos-store.ts";
import { sealed, type SealedLine, type WaitingLine } from "./taken-sale.ts";

/** A call that takes longer is aborted and sent again under the same key. */
const callTimeoutMs = 20_000;
const firstRetryMs = 1000;
const lastRetryMs = 10_000;
/** After this many answers of 500 and above in a row, the server is assumed to be at fault, not the lines. */
const failuresInARow = 3;

async function post(line: SealedLine): Promise<Outcome> {
  const { path, body } = line.request;
  try {
    const { value, freshTo } = await sendFresh({
      method: "POST",
      path,
      bodyText: body,
      answer: recordSaleResponse,
      key: line.sendKey,
    });
    const { remainingQuantity, saleID } = value;
    if (remainingQuantity !== null && freshTo !== undefined) {
      await noteStock(line.target.id, remainingQuantity, freshTo, line.sendKey);
    }
    return { kind: "booked", ledgerSaleId: saleID };
  } catch (error) {
    return { kind: "failed", error: asApiError(error) };
  }
}

/** A network without answers must not block the queue. The key makes it safe to ask again. */
function postInTime(line: SealedLine): Promise<Outcome> {
  const error = new ApiError(0, "unreachable", "The server does not answer");
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(resolve, callTimeoutMs, { kind: "failed", error });
  });
  return Promise.race([post(line), late]).finally(() => clearTimeout(timer));
}

let running: { again: boolean } | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let retryMs = firstRetryMs;
let isFollowing = false;

/** Sends every waiting line once. Returns true if some have to be tried again. */
async function sendAll(): Promise<boolean> {
  let isLeft = false;
  let failures = 0;
  for (const waiting of await waitingLines()) {
    const line = await withRequest(waiting);
    const after = afterOutcome(line, await postInTime(line));
    if (after.line.status !== "waiting" || hasChanged(line, after.line)) {
      await replaceLine(line, after.line);
    }
    if (after.next === "go-on") {
      // The server answers, so the rest can be tried again soon.
      retryMs = firstRetryMs;
    }
    failures = after.next === "later" ? failures + 1 : 0;
    isLeft ||= after.next !== "go-on";
    if (after.next === "stop" || failures === failuresInARow) {
      return true;
    }
  }
  return isLeft;
}

/** A line of an older version of this app: what it asks is kept before it is asked for the first time here. */
async function withRequest(line: WaitingLine): Promise<SealedLine> {
  const { request } = line;
  if (request !== undefined) {
    return { ...line, request };
  }
  const kept = sealed(line);
  await replaceLine(line, kept);
  return kept;
}

function hasChanged(before: WaitingLine, after: WaitingLine): boolean {
  return before.problem !== after.problem || before.soldAt !== after.soldAt;
}

/** The keys protect against two senders. The lock only saves work. */
function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  return "locks" in navigator ? navigator.locks.request("posSales-sender", work) : work();
}

/** Sends now. A call during a run causes one more run. */
export async function sendNow(): Promise<void> {
  clearTimeout(timer);
  if (running !== undefined) {
    running.again = true;
    return;
  }
  const current = { again: false };
  running = current;
  let isLeft = true;
  try {
    isLeft = await oneTabAtATime(sendAll);
  } catch (error) {
    // The queue itself cannot be read. Nothing is lost; the next run tries again.
    console.error(new ApiError(0, "queue_unreadable", String(error)));
  } finally {
    running = undefined;
  }
  if (current.again) {
    retryMs = firstRetryMs;
    await sendNow();
  } else if (isLeft && isFollowing) {
    timer = setTimeout(() => void sendNow(), retryMs);
    retryMs = Math.min(retryMs * 2, lastRetryMs);
  } else {
    retryMs = firstRetryMs;
  }
}

/** Sends everything that waits, until the returned function is called. */
export function followQueue(): () => void {
  if (isFollowing) {
    return () => undefined;
  }
  isFollowing = true;
  const wake = (): void => {
    retryMs = firstRetryMs;
    void sendNow();
  };
  const onVisible = (): void => {
    if (document.visibilityState === "visible") {
      wake();
    }
  };
  addEventListener("online", wake);
  document.addEventListener("visibilitychange", onVisible);
  let wasReachable = catalogueStatus().isReachable;
  const stopWatching = onCatalogue(() => {
    const { isReachable } = catalogueStatus();
    if (isReachable && !wasReachable) {
      wake();
    }
    wasReachable = isReachable;
  });
  const stopListening = onOtherTabsChange(wake);
  wake();
  return () => {
    isFollowing = false;
    clearTimeout(timer);
    removeEventListener("online", wake);
    document.removeEventListener("visibilitychange", onVisible);
    stopWatching();
    stopListening();
  };
}
