// Tells the server which screens are opened, with a random id of this browser. Never in the way of anything else.
import * as z from "zod/mini";
import { localValue } from "./local-store.ts";
import { randomId } from "./random-id.ts";

const kept = localValue("sessionId", z.string(), "");

/** "session_1763850540000_k3v9…" */
function sessionId(): string {
  if (!/^session_\d{13}_[A-Za-z0-9]{4,32}$/.test(kept.read())) {
    kept.write(`session_${Date.now()}_${randomId().replaceAll("-", "").slice(0, 12)}`);
  }
  return kept.read();
}

/** The server leaves out more: programs, and what their headers say. */
function isCounted(): boolean {
  return (
    navigator.onLine &&
    !navigator.webdriver &&
    Reflect.get(navigator, "doNotTrack") !== "1" &&
    Reflect.get(navigator, "globalPrivacyControl") !== true
  );
}

function send(path: string): void {
  if (isCounted()) {
    const visit = new Blob([JSON.stringify({ sessionId: sessionId(), path })], {
      type: "application/json",
    });
    navigator.sendBeacon("/api/analytics/track", visit);
  }
}

/** When the browser has nothing else to do, and not before somebody sees the page. */
export function noteVisit(path: string): void {
  const whenIdle = () =>
    "requestIdleCallback" in globalThis
      ? requestIdleCallback(() => send(path), { timeout: 2_000 })
      : setTimeout(() => send(path), 200);
  if (Reflect.get(document, "prerendering") === true) {
    document.addEventListener("prerenderingchange", whenIdle, { once: true });
  } else {
    whenIdle();
  }
}
