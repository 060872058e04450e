// What each event of a user may say by the state of their streams before it, whoever wrote it: part of `npm run verify`.
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import type { Subject } from "#ledger/verify/stream-rules.ts";
import { follows, saysOther } from "#ledger/verify/stream-rules.ts";
import { refuseDeleted, refuseLeaving, roleOf } from "#features/users/decider.ts";
import {
  UserDeactivated,
  UserEmailChanged,
  UsernameChanged,
  UserRenamed,
  UserRoleChanged,
} from "#features/users/events.ts";
import type { AdminsState, UsernameState, UserState } from "#features/users/streams.ts";
import {
  ADMINS,
  adminsStream,
  usernameStream,
  usernameStreamId,
  userStream,
  userStreamId,
} from "#features/users/streams.ts";

const ofUser: Subject<{ readonly uid: string }, UserState> = {
  check: "users",
  definition: userStream,
  streamOf: ({ uid }) => userStreamId(uid),
};

/** Of those who become an admin. */
const ofAdmins: Subject<{ readonly after: string }, AdminsState> = {
  check: "users",
  definition: adminsStream,
  streamOf: ({ after }) => (after === "admin" ? ADMINS : undefined),
};

/** Of those who are one no longer. */
const ofFormer: Subject<{ readonly before: string }, AdminsState> = {
  ...ofAdmins,
  streamOf: ({ before }) => (before === "admin" ? ADMINS : undefined),
};

const ofUsername: Subject<{ readonly takes: string }, UsernameState> = {
  check: "users",
  definition: usernameStream,
  streamOf: ({ takes }) => usernameStreamId(takes),
};

/** For what happens to a person whose account is not deleted. */
function whileThere<Data>(wrong: (data: Data, user: UserState) => string | null) {
  return (data: Data, user: UserState): string | null =>
    user.deactivatedAt === null ? wrong(data, user) : refuseDeleted.message;
}

const isLastAdmin = ({ uid }: { readonly uid: string }, admins: AdminsState): string | null =>
  refuseLeaving(admins, uid)?.message ?? null;

export const userFollows: readonly BookCheck[] = [
  follows(
    UserRoleChanged,
    ofUser,
    whileThere(({ before, after }, user) =>
      before === after ? "it changes nothing" : saysOther({ before }, { before: roleOf(user) }),
    ),
  ),
  follows(UserRoleChanged, ofAdmins, ({ cause }, { uids }) =>
    cause === "set-up-link" && uids.length > 0 ? "there is an admin already" : null,
  ),
  follows(UserRoleChanged, ofFormer, isLastAdmin),
  follows(
    UsernameChanged,
    ofUser,
    whileThere(({ frees }, { username }) => saysOther({ frees }, { frees: username })),
  ),
  follows(UsernameChanged, ofUsername, ({ uid }, holder) =>
    holder.uid === null || holder.uid === uid ? null : "somebody else has this username",
  ),
  follows(
    UserEmailChanged,
    ofUser,
    whileThere(() => null),
  ),
  follows(
    UserRenamed,
    ofUser,
    whileThere(() => null),
  ),
  // Not that no shipment is open, and that an admin is left: after a restore, who was deleted since the back-up is deleted
  // again, whatever the restored log says of them.
  follows(
    UserDeactivated,
    ofUser,
    whileThere(({ roleBefore, frees }, user) =>
      saysOther({ roleBefore, frees }, { roleBefore: roleOf(user), frees: user.username }),
    ),
  ),
];
