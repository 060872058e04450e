// When a session ends by itself: some time after its last use, and in any case some time after the sign-in.
import type { Role } from "#identity/profiles.ts";

export type SessionLimit = {
  /** A session ends if no page of it is used for this long. */
  readonly idleSeconds: number;
  /** A session ends this long after the sign-in, however it is used. */
  readonly longestSeconds: number;
};

/** Admins' sessions end sooner, because they can do more. The role is that of the log at each request. */
export type SessionLimits = Readonly<Record<Role, SessionLimit>>;

const DAY_SECONDS = 86_400;

export const defaultSessionLimits: SessionLimits = {
  user: { idleSeconds: 30 * DAY_SECONDS, longestSeconds: 90 * DAY_SECONDS },
  admin: { idleSeconds: DAY_SECONDS / 2, longestSeconds: 30 * DAY_SECONDS },
};

export function endOfSession(
  session: { readonly signedInAt: Date; readonly usedAt: Date },
  { idleSeconds, longestSeconds }: SessionLimit,
): Date {
  return new Date(
    Math.min(
      session.usedAt.getTime() + idleSeconds * 1000,
      session.signedInAt.getTime() + longestSeconds * 1000,
    ),
  );
}

/** How long a browser keeps the session's cookie after it was last written. */
export function cookieSeconds({ user, admin }: SessionLimits): number {
  return Math.max(user.idleSeconds, admin.idleSeconds);
}
