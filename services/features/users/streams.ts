// The streams that keep users consistent: each user, the list of admins, and who has a username.
import type { Rejection, States, StreamDefinition } from "#ledger/decider.ts";
import { reject } from "#ledger/decider.ts";
import type { AnyEvent } from "#ledger/event.ts";
import { is } from "#ledger/event.ts";
import { defineName } from "#ledger/names.ts";
import { ConsignorShareAgreed } from "#features/settings/events.ts";
import {
  ShipmentAssigned,
  ShipmentDeleted,
  ShipmentProcessed,
  ShipmentReopened,
  ShipmentSubmitted,
} from "#features/shipments/events.ts";
import { UserDeactivated, UsernameChanged, UserRoleChanged } from "#features/users/events.ts";

/**
 * A trigger on the stream's row copies `role` and `deactivatedAt` into identity.profiles, so every later version of
 * the state must keep these names and meanings.
 */
export type UserState = {
  /** Null until an event sets it: until then, a person with a profile is a user. */
  readonly role: "user" | "admin" | null;
  /** ISO 8601; null while the person may sign in. */
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
  stateVersion: 4,
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
  if (is(ShipmentAssigned, event)) {
    return event.data.isProcessed ? open : [...open, event.data.shipmentId];
  }
  return is(ShipmentProcessed, event) || is(ShipmentDeleted, event)
    ? open.filter((id) => id !== event.data.shipmentId)
    : open;
}

/** Whether this person's account was deleted. The command must have declared `user-<uid>`. */
export function hasLeft(states: States, uid: string): boolean {
  return states.get(userStream, userStreamId(uid)).state.deactivatedAt !== null;
}

const UNKNOWN: Rejection = reject(404, "consignor_not_found", "There is no such consignor");

/**
 * The streams to declare for a command that gives this person goods or money; none for the store itself (null).
 * The decision reads the person, so a deletion and a concurrent command cannot miss each other.
 */
export function recipientStreams(uid: string | null): readonly string[] {
  return uid === null ? [] : [userStreamId(uid)];
}

/**
 * Rejects 404 `consignor_not_found` for a deleted person; null for anybody else. The ledger rejects, not the route,
 * so a request that was accepted gets the same answer when it is repeated after the deletion. Whether there is a
 * profile at all is not in the log: routes check that (`requireProfile`).
 */
export function refuseRecipient(states: States, uid: string | null): Rejection | null {
  return uid !== null && hasLeft(states, uid) ? UNKNOWN : null;
}

/** All current admins. */
export type AdminsState = { readonly uids: readonly string[] };

/** A single stream: every event that makes or removes an admin extends it, so the last admin is always known. */
export const ADMINS = "admins";

export const adminsStream: StreamDefinition<AdminsState> = {
  category: ADMINS,
  onlyId: ADMINS,
  extendedBy: [UserRoleChanged.type, UserDeactivated.type],
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

/** What stands on parcels for a person: the last eight characters of the uid, in capitals. */
export function shortIdOf(uid: string): string {
  return uid.slice(-8).toUpperCase();
}

/** The person with a username; null while it is free. */
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
