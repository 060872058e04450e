// What one attempt to deliver a notification came to, and when the next one may be. Pure.

/** Constants of ours: they are stored, and shown to operators. */
export type Why =
  | "unreachable"
  | "server-error"
  | "no-answer"
  | "interrupted"
  | "rejected"
  | "rate-limited"
  | "bad-token"
  | "closed"
  | "no-shared-server"
  | "unknown-account"
  | "channel-gone"
  | "mail-refused";

export type Outcome =
  | { readonly kind: "sent" }
  /** Turned off, erased or without an address since. */
  | { readonly kind: "unwanted" }
  /** Only the person can change it. */
  | { readonly kind: "refused"; readonly why: Why }
  /** It certainly did not go out. */
  | { readonly kind: "failed"; readonly why: Why }
  /** It may have gone out. */
  | { readonly kind: "uncertain"; readonly why: Why }
  /** A limit of the other side; no attempt at all. `person`: only this one's messages wait. */
  | { readonly kind: "limited"; readonly scope: "person" | "channel"; readonly forMs: number }
  /** Nothing can be sent to anybody until an operator acts. */
  | { readonly kind: "stopped"; readonly why: Why };

const SECOND_MS = 1_000;
const FIRST_PAUSE_MS = 5 * SECOND_MS;
const LONGEST_PAUSE_MS = 3_600_000;

/** After this many attempts, about half a day, it is given up. */
export const MOST_ATTEMPTS = 20;

/**
 * For so long Discord answers a repeated nonce with the first message instead of sending a second one. It says "the
 * past few minutes".
 */
export const NONCE_KNOWN_MS = 120_000;

/** 5 s, 10 s, 20 s and so on, at most an hour, each shortened by up to half. `random` is from 0 to 1. */
export function pauseAfter(attempts: number, random: number): number {
  const whole = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
  return Math.round(whole * (1 - random / 2));
}
