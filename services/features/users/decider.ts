// Decides changes of a user: roles, names and addresses. There is always an admin left.
import type { Decider, Rejection, States } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import type { NewEvent } from "#ledger/event.ts";
import { StoreTimeZoneChanged } from "#features/settings/events.ts";
import { settingsStream, STORE_SETTINGS } from "#features/settings/streams.ts";
import { userRefusals } from "#features/users/contract-refusals.ts";
import {
  UserEmailChanged,
  UsernameChanged,
  UserRenamed,
  UserRoleChanged,
} from "#features/users/events.ts";
import type { AdminsState, UserState } from "#features/users/streams.ts";
import {
  ADMINS,
  adminsStream,
  usernameStream,
  usernameStreamId,
  userStream,
  userStreamId,
} from "#features/users/streams.ts";

export type Role = "user" | "admin";

/** A requested username: its reservation, and where identity.user_changes has it in clear. */
export type WantedUsername = {
  readonly reservation: string;
  /** Null if the profile had the name before the log kept names. */
  readonly changeId: string | null;
};

export type ChangeUser = {
  readonly uid: string;
  /** Null keeps it, as with all fields below. */
  readonly role: Role | null;
  readonly username: WantedUsername | null;
  /** The id of the new address in identity.user_changes. The caller has compared it with the current one. */
  readonly emailChangeId: string | null;
  readonly displayNameChangeId: string | null;
  readonly noteId: string | null;
  /** Who gives the role; an admin if left out. */
  readonly cause?: "script";
  readonly happenedAt: string;
};

/** What a command changed. */
export type UserChanged = { readonly uid: string; readonly events: number };

export const refuseDeleted: Rejection = reject(
  409,
  "user_deleted",
  userRefusals.user_deleted.message,
);

/** Null until an event sets it. */
export function roleOf(state: UserState): Role {
  return state.role ?? "user";
}

/** The refusal of a change that would leave the store without an admin. */
export function refuseLastAdmin(states: States, uid: string): Rejection | null {
  return refuseLeaving(states.get(adminsStream, ADMINS).state, uid);
}

/** The same by the list of all admins. */
export function refuseLeaving({ uids }: AdminsState, uid: string): Rejection | null {
  return uids.includes(uid) && uids.length === 1
    ? reject(409, "last_admin", userRefusals.last_admin.message)
    : null;
}

type RoleChange = Pick<ChangeUser, "uid" | "noteId" | "happenedAt"> & {
  readonly before: Role;
  readonly after: Role;
  readonly cause: "admin" | "set-up-link" | "script";
};

function roleChanged({ happenedAt, ...change }: RoleChange): NewEvent {
  return emit(UserRoleChanged, change, {
    streams: [userStreamId(change.uid), ADMINS],
    happenedAt,
  });
}

function usernameChanged(
  uid: string,
  before: string | null,
  wanted: WantedUsername,
  facts: { readonly noteId: string | null; readonly happenedAt: string },
): NewEvent {
  const streams = [userStreamId(uid), usernameStreamId(wanted.reservation)];
  return emit(
    UsernameChanged,
    {
      uid,
      changeId: wanted.changeId,
      takes: wanted.reservation,
      frees: before,
      noteId: facts.noteId,
    },
    {
      streams: before === null ? streams : [...streams, usernameStreamId(before)],
      happenedAt: facts.happenedAt,
    },
  );
}

/** The stream of the old name, which is freed by taking another one. */
function freedBy(uid: string, taken: string | null, states: States): readonly string[] {
  const { username } = states.get(userStream, userStreamId(uid)).state;
  return taken === null || username === null || username === taken
    ? []
    : [usernameStreamId(username)];
}

/** Rejects 409 `user_deleted`, `last_admin`, `username_taken`. Appends an event only for what differs. */
export const changeUser: Decider<ChangeUser, UserChanged> = {
  type: "ChangeUser",
  streams: ({ uid, role, username }) => [
    userStreamId(uid),
    ...(role === null ? [] : [ADMINS]),
    ...(username === null ? [] : [usernameStreamId(username.reservation)]),
  ],
  more: ({ uid, username }, states) => freedBy(uid, username?.reservation ?? null, states),
  decide: (command, states) => {
    const { uid, role, username, noteId, happenedAt } = command;
    const { state } = states.get(userStream, userStreamId(uid));
    if (state.deactivatedAt !== null) {
      return refuseDeleted;
    }
    const events: NewEvent[] = [];
    const before = roleOf(state);
    if (role !== null && role !== before) {
      const refusal = role === "user" ? refuseLastAdmin(states, uid) : null;
      if (refusal !== null) {
        return refusal;
      }
      const cause = command.cause ?? "admin";
      events.push(roleChanged({ uid, before, after: role, cause, noteId, happenedAt }));
    }
    if (username !== null && username.reservation !== state.username) {
      const holder = states.get(usernameStream, usernameStreamId(username.reservation)).state.uid;
      if (holder !== null && holder !== uid) {
        return reject(409, "username_taken", userRefusals.username_taken.message);
      }
      events.push(usernameChanged(uid, state.username, username, { noteId, happenedAt }));
    }
    const streams = [userStreamId(uid)];
    if (command.emailChangeId !== null) {
      const change = { uid, changeId: command.emailChangeId, noteId };
      events.push(emit(UserEmailChanged, change, { streams, happenedAt }));
    }
    if (command.displayNameChangeId !== null) {
      const change = { uid, changeId: command.displayNameChangeId, noteId };
      events.push(emit(UserRenamed, change, { streams, happenedAt }));
    }
    return accept(events, { uid, events: events.length });
  },
};

export type MakeFirstAdmin = {
  readonly uid: string;
  readonly cause: "set-up-link" | "script";
  /** The browser's, used if the store has none yet; null if unknown. */
  readonly timeZone: string | null;
  readonly happenedAt: string;
};

/** Rejects 409 `admin_exists` and 409 `user_deleted`. */
export const makeFirstAdmin: Decider<MakeFirstAdmin, UserChanged> = {
  type: "MakeFirstAdmin",
  streams: ({ uid }) => [userStreamId(uid), ADMINS, STORE_SETTINGS],
  decide: ({ uid, cause, timeZone, happenedAt }, states) => {
    const { state } = states.get(userStream, userStreamId(uid));
    if (state.deactivatedAt !== null) {
      return refuseDeleted;
    }
    if (states.get(adminsStream, ADMINS).state.uids.length > 0) {
      return reject(409, "admin_exists", "There is an admin already");
    }
    const event = roleChanged({
      uid,
      before: roleOf(state),
      after: "admin",
      cause,
      noteId: null,
      happenedAt,
    });
    const hasTimeZone =
      states.get(settingsStream, STORE_SETTINGS).state.timeZone !== null || timeZone === null;
    const events = hasTimeZone
      ? [event]
      : [
          event,
          emit(
            StoreTimeZoneChanged,
            { before: null, after: timeZone },
            { streams: [STORE_SETTINGS], happenedAt },
          ),
        ];
    return accept(events, { uid, events: events.length });
  },
};
