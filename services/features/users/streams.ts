// The streams that keep users consistent: each user, the admins there are, and who holds a username.
import type { Rejection, States, StreamDefinition } from "#ledger/decider.ts";
import { reject } from "#ledger/decider.ts";
import type { AnyEvent } from "#ledger/event.ts";
import { is } from "#ledger/event.ts";
import { defineName } from "#ledger/names.ts";
import { ConsignorShareAgreed } from "#features/settings/events.ts";
import {
  ShipmentDeleted,
  ShipmentProcessed,
  ShipmentReopened,
  ShipmentSubmitted,
} from "#features/shipments/events.ts";
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
  /** The share of a sale that was agreed with the person; null where the store's default applies. */
  readonly agreedPercentage: number | null;
  /** Ids of the person's shipments that are neither processed nor deleted, oldest first. */
  readonly openShipments: readonly string[];
};

const userStreamName = defineName("user_stream", "user-");

export function userStreamId(uid: string): string {
  return userStreamName.of(uid);
}

/** `user-<uid>`. */
export const userStream: StreamDefinition<UserState> = {
  category: "user",
  stateVersion: 3,
  initial: {
    role: null,
    deactivatedAt: null,
    username: null,
    agreedPercentage: null,
    openShipments: [],
  },
  evolve: (state, event) => {
    if (is(UserRoleChanged, event)) {
      return { ...state, role: event.data.after };
    }
    if (is(UsernameChanged, event)) {
      return { ...state, username: event.data.takes };
    }
    if (is(ConsignorShareAgreed, event)) {
      return { ...state, agreedPercentage: event.data.after };
    }
    if (is(UserDeactivated, event)) {
      const deactivatedAt = event.happenedAt;
      return { ...userStream.initial, role: "user", deactivatedAt };
    }
    return { ...state, openShipments: openShipmentsAfter(state.openShipments, event) };
  },
};

function openShipmentsAfter(open: readonly string[], event: AnyEvent): readonly string[] {
  if (is(ShipmentSubmitted, event) || is(ShipmentReopened, event)) {
    return [...open, event.data.shipmentId];
  }
  return is(ShipmentProcessed, event) || is(ShipmentDeleted, event)
    ? open.filter((id) => id !== event.data.shipmentId)
    : open;
}

/** Whether this person's account was ended. The command must have declared `user-<uid>`. */
export function hasLeft(states: States, uid: string): boolean {
  return states.get(userStream, userStreamId(uid)).state.deactivatedAt !== null;
}

const UNKNOWN: Rejection = reject(404, "consignor_not_found", "There is no such consignor");

/**
 * What a command declares that gives this person goods or money; nothing for the store itself (null). The person
 * is read in the decision, so of a deletion and a command at the same time one sees the other.
 */
export function recipientStreams(uid: string | null): readonly string[] {
  return uid === null ? [] : [userStreamId(uid)];
}

/**
 * Rejects 404 `consignor_not_found` for a person who has left; null for anybody else. The ledger rejects, not the
 * route: what was accepted under a key stays accepted when the same request comes again after the person left.
 * Whether there is a profile at all stands outside the log: routes ask that (`requireProfile`).
 */
export function refuseRecipient(states: States, uid: string | null): Rejection | null {
  return uid !== null && hasLeft(states, uid) ? UNKNOWN : null;
}

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

const usernameStreamName = defineName("username_stream", "username-");

/** `reservation` is the username hashed with the store's secret. */
export function usernameStreamId(reservation: string): string {
  return usernameStreamName.of(reservation);
}

export const userNames = [userStreamName, usernameStreamName] as const;

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
