// The page's first script, inline in its head: the theme, and the session and first reads, which load while the app's scripts do.
import type { Opening } from "#web/lib/opening.ts";
import { loginPath } from "#web/paths.ts";
import { firstReads } from "./first-reads.ts";
import { needsSession } from "./page-kind.ts";

function kept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Without a storage nobody is known here.
    return null;
  }
}

if (/^"?dark"?$/.test(kept("theme") ?? "")) {
  document.documentElement.dataset["theme"] = "dark";
  const bar = document.querySelector<HTMLMetaElement>("[name=theme-color]");
  bar?.setAttribute("content", bar.dataset["dark"] ?? "");
}

const isOpen = /^"?open"?$/.test(kept("session") ?? "");

if (!isOpen && needsSession(location.pathname)) {
  // The app would send this visitor there, only later.
  const { pathname, search, hash } = location;
  history.replaceState(null, "", loginPath(`${pathname}${search}${hash}`));
}

function get(path: string, idToken: string): Promise<Response> {
  const answer = fetch(`/api${path}`, {
    headers: { Authorization: `Bearer ${idToken}` },
    credentials: "same-origin",
  });
  // The app reads again by itself what failed here, and nobody may have asked for it.
  answer.catch(() => undefined);
  return answer;
}

/** As `lib/id-token.ts` renews it: one tab at a time. */
async function openSession(opening: Opening): Promise<Response> {
  const response = await fetch("/api/identity/refresh", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    credentials: "same-origin",
    body: "{}",
  });
  if (response.ok) {
    const { uid, idToken }: { readonly uid: string; readonly idToken: string } = await response
      .clone()
      .json();
    // The till remembers the last admin here.
    const wasAdmin = (kept("posPerson") ?? "null") !== "null";
    for (const path of firstReads(location, uid, wasAdmin)) {
      opening.reads.set(path, get(path, idToken));
    }
  }
  return response;
}

if (isOpen) {
  document.documentElement.dataset["session"] = "open";
  const opening: Opening = { session: undefined, reads: new Map() };
  opening.session =
    "locks" in navigator
      ? navigator.locks.request("identity-refresh", () => openSession(opening))
      : openSession(opening);
  opening.session.catch(() => undefined);
  globalThis.opening = opening;
}
