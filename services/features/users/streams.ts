// The streams that keep users consistent: each user, the admins there are, and who holds a username.
import type { StreamDefinition } from "#ledger/decider.ts";
import { is } from "#ledger/event.ts";
import { UserDeactivated, UsernameChanged, UserRoleChanged } from "#features/users/events.ts";

/**
 * `role` and `deactivatedAt` are copied into identity.profiles by a trigger on the stream's row, so they keep
 * these names and meanings in every later version of the state.
 */
export type UserState = {
  /** Null until an event says it: whoever has a profile is a plain user then. */
  readonly role: "user" | "admin" | null;
  /** ISO 8601; null while the person may come in. */
  readonly deactivatedAt: string | null;
  /** The reservation of the username; null without one. */
  readonly username: string | null;
};

const USER = "user-";

export function userStreamId(uid: string): string {
  return `${USER}${uid}`;
}

/** `user-<uid>`. */
export const userStream: StreamDefinition<UserState> = {
  category: "user",
  stateVersion: 1,
  initial: { role: null, deactivatedAt: null, username: null },
  evolve: (state, event) => {
    if (is(UserRoleChanged, event)) {
      return { ...state, role: event.data.after };
    }
    if (is(UsernameChanged, event)) {
      return { ...state, username: event.data.takes };
    }
    if (is(UserDeactivated, event)) {
      return { role: "user", deactivatedAt: event.happenedAt, username: null };
    }
    return state;
  },
};

/** Everybody who is an admin now. */
export type AdminsState = { readonly uids: readonly string[] };

/** There is one: whoever makes or unmakes an admin extends it, so the last one is known for certain. */
export const ADMINS = "admins";

export const adminsStream: StreamDefinition<AdminsState> = {
  category: ADMINS,
  stateVersion: 1,
  initial: { uids: [] },
  evolve: (state, event) => {
    if (is(UserRoleChanged, event)) {
      const { uid, after } = event.data;
      const others = state.uids.filter((other) => other !== uid);
      return { uids: after === "admin" ? [...others, uid] : others };
    }
    if (is(UserDeactivated, event)) {
      const { uid } = event.data;
      return { uids: state.uids.filter((other) => other !== uid) };
    }
    return state;
  },
};

/** Who has a username; null while it is free. */
export type UsernameState = { readonly uid: string | null };

const USERNAME = "username-";

/** `reservation` is the username hashed with the store's secret. */
export function usernameStreamId(reservation: string): string {
  return `${USERNAME}${reservation}`;
}

export const usernameStream: StreamDefinition<UsernameState> = {
  category: "username",
  stateVersion: 1,
  initial: { uid: null },
  evolve: (state, event, streamId) => {
    if (is(UsernameChanged, event)) {
      const { uid, takes } = event.data;
      return { uid: usernameStreamId(takes) === streamId ? uid : null };
    }
    return is(UserDeactivated, event) ? { uid: null } : state;
  },
};
