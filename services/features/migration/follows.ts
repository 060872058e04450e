// What the migration of an old account may say by the state of its streams before it, whoever wrote it: part of `npm run verify`.
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import type { Subject } from "#ledger/verify/stream-rules.ts";
import { follows } from "#ledger/verify/stream-rules.ts";
import { migrationRefusals } from "#features/migration/contract.ts";
import { UserMigrated } from "#features/migration/events.ts";
import type { LegacyState } from "#features/migration/streams.ts";
import { legacyStream, legacyStreamId } from "#features/migration/streams.ts";
import type { UserState } from "#features/users/streams.ts";
import { userStream, userStreamId } from "#features/users/streams.ts";

const ofLegacy: Subject<{ readonly legacyId: string }, LegacyState> = {
  check: "users",
  definition: legacyStream,
  streamOf: ({ legacyId }) => legacyStreamId(legacyId),
};

const ofUser: Subject<{ readonly uid: string }, UserState> = {
  check: "users",
  definition: userStream,
  streamOf: ({ uid }) => userStreamId(uid),
};

export const migrationFollows: readonly BookCheck[] = [
  follows(UserMigrated, ofLegacy, (_data, { uid }) =>
    uid === null ? null : `the old account was given to ${uid} before`,
  ),
  follows(UserMigrated, ofUser, (_data, { deactivatedAt }) =>
    deactivatedAt === null ? null : migrationRefusals.user_deleted.message,
  ),
];
