// Gives people their accounts of the old app: by a verified email at once, by a weaker match after an admin's confirmation.
import type { Sql } from "#db/connect.ts";
import { MIGRATION_KEYS, STORE_SCOPE } from "#http/own-keys.ts";
import type { PayoutHandles } from "#identity/payout-handles.ts";
import { bindingHandles } from "#identity/payout-handles.ts";
import type { UserProfile } from "#identity/users.ts";
import { findUser } from "#identity/users.ts";
import type { Ledger } from "#ledger/log/ledger.ts";
import type {
  LegacyHoldings,
  MigrateAllResponse,
  MigrateUserResponse,
  MigrationReason,
} from "#features/migration/contract.ts";
import { bindPending, commandOf } from "#features/migration/command.ts";
import { migrateUser } from "#features/migration/decider.ts";
import { holdingsSchema } from "#features/migration/legacy-schema.ts";
import type { StagedAccount } from "#features/migration/legacy-staging.ts";
import {
  findMatches,
  findStaged,
  hasMigrated,
  readHoldings,
} from "#features/migration/legacy-staging.ts";

export type MigrationDeps = {
  readonly sql: Sql;
  readonly ledger: Ledger;
  readonly clock: () => Date;
  readonly payoutHandles: PayoutHandles;
};

/** The result for one user, and the log's position that it reflects (0 if the log was not used). */
export type Migrated = Omit<MigrateUserResponse, "message"> & {
  readonly error: string | null;
  readonly position: number;
};

const sentences: Readonly<Record<MigrationReason, string>> = {
  nothing_found: "The old app has no account of this user",
  already_migrated: "Was migrated before",
  email_not_verified: "An old account has this email, but the user has not verified it",
  matched_by_username: "An old account has this username, but anybody may choose it",
  several_matches: "Several old accounts match",
  claimed_by_another: "This old account was given to another user before",
  refused: "The ledger refused it",
};

/** A sentence for the report. */
export function sentenceOf(migrated: Migrated): string {
  if (migrated.error !== null) {
    return migrated.error;
  }
  return migrated.reason === null
    ? `Migrated: ${contentsOf(migrated.legacy[0]?.holdings)}`
    : sentences[migrated.reason];
}

function contentsOf(holdings: LegacyHoldings | undefined): string {
  const plural = (count: number, one: string, many = `${one}s`) =>
    `${count} ${count === 1 ? one : many}`;
  return [
    plural(holdings?.items ?? 0, "item"),
    plural(holdings?.sales ?? 0, "sale"),
    plural((holdings?.paidPayouts ?? 0) + (holdings?.pendingPayouts ?? 0), "payout"),
  ].join(", ");
}

function outcome(
  status: Migrated["status"],
  reason: MigrationReason | null,
  staged: readonly StagedAccount[] = [],
  more: { readonly error?: string; readonly position?: number } = {},
): Migrated {
  return {
    status,
    reason,
    legacy: staged.map(({ legacyId, email, username, displayName, summary }) => ({
      legacyId,
      email,
      username,
      displayName,
      holdings: summary,
    })),
    error: more.error ?? null,
    position: more.position ?? 0,
  };
}

/** Migrates one user for `actor`; `confirmedId` is an old account that an admin has confirmed. */
export async function migrateOne(
  deps: MigrationDeps,
  actor: string,
  user: UserProfile,
  confirmedId: string | undefined,
): Promise<Migrated> {
  if (confirmedId !== undefined) {
    const staged = await findStaged(deps.sql, confirmedId);
    if (staged === undefined) {
      return outcome("skipped", "nothing_found");
    }
    return claimedBefore(user.uid, staged) ?? claim(deps, actor, user.uid, staged);
  }
  const matches = await findMatches(deps.sql, user);
  const byEmail = matches.filter(
    ({ email }) => email !== null && email === user.email?.toLowerCase(),
  );
  const [only] = byEmail;
  if (only !== undefined && user.emailVerified) {
    return byEmail.length === 1
      ? claim(deps, actor, user.uid, only)
      : outcome("needs_review", "several_matches", byEmail);
  }
  if (only !== undefined) {
    return outcome("needs_review", "email_not_verified", matches);
  }
  if (matches.length > 0) {
    return outcome("needs_review", "matched_by_username", matches);
  }
  return (await hasMigrated(deps.sql, user.uid))
    ? outcome("skipped", "already_migrated")
    : outcome("skipped", "nothing_found");
}

/** The result for an old account that was migrated before; undefined while it waits. */
function claimedBefore(uid: string, staged: StagedAccount): Migrated | undefined {
  if (staged.migratedUid === null) {
    return undefined;
  }
  return staged.migratedUid === uid
    ? outcome("skipped", "already_migrated", [staged])
    : outcome("needs_review", "claimed_by_another", [staged]);
}

/** A whole old account in one append; its staging row is updated in the same transaction. */
async function claim(
  deps: MigrationDeps,
  actor: string,
  uid: string,
  staged: StagedAccount,
): Promise<Migrated> {
  const { legacyId } = staged;
  const kept = holdingsSchema.safeParse(await readHoldings(deps.sql, legacyId));
  if (!kept.success) {
    // Another call may have migrated it since it was found; then its content is gone.
    const now = await findStaged(deps.sql, legacyId);
    const before = now === undefined ? undefined : claimedBefore(uid, now);
    if (before !== undefined) {
      return before;
    }
    return outcome("failed", "refused", [staged], { error: "Its old account cannot be read" });
  }
  const decided = await bindingHandles(async () => {
    const handles = await bindPending(deps.payoutHandles, uid, kept.data, actor);
    const command = commandOf(deps.clock().toISOString(), uid, legacyId, kept.data, handles);
    return deps.ledger.execute(migrateUser, command, {
      actor,
      scope: STORE_SCOPE,
      key: `${MIGRATION_KEYS}${legacyId}:${uid}`,
      requestHash: "",
      inSameTransaction: async (transaction) => {
        await transaction`
          update identity.legacy_users set migrated_uid = ${uid}, holdings = null
          where id = ${legacyId}`;
        await transaction`
          update identity.profiles p
          set migrated_from = coalesce(p.migrated_from, l.old_id, l.email, l.username)
          from identity.legacy_users l where l.id = ${legacyId} and p.uid = ${uid}`;
        for (const handle of handles.values()) {
          await handle.keep(transaction);
        }
      },
    });
  });
  if (decided.kind === "accepted") {
    const { position } = decided;
    return decided.answer.alreadyDone || decided.repeated
      ? outcome("skipped", "already_migrated", [staged], { position })
      : outcome("migrated", null, [staged], { position });
  }
  if (decided.kind === "rejected") {
    const { position, rejection } = decided;
    return rejection.code === "legacy_claimed"
      ? outcome("needs_review", "claimed_by_another", [staged], { position })
      : outcome("failed", "refused", [staged], { position, error: rejection.message });
  }
  return outcome("failed", "refused", [staged], { error: "Others were changing it. Try again" });
}

const BATCH = 200;
/** How many users without an old account a report lists: they are everybody who came later. */
const MOST_WITHOUT = 1_000;

/** Migrates all users who are not deleted, one after another; a failure does not stop the others. */
export async function migrateAll(
  deps: MigrationDeps,
  actor: string,
  onProgress: (done: number) => void = () => undefined,
): Promise<Omit<MigrateAllResponse, "message"> & { readonly position: number }> {
  const [counted] = await deps.sql<{ users: number }[]>`
    select count(*) as users from identity.profiles where deactivated_at is null`;
  const counts = { migrated: 0, skipped: counted?.users ?? 0, needs_review: 0, failed: 0 };
  const details: MigrateAllResponse["details"] = [];
  let position = 0;
  for (let after = ""; ;) {
    const uids = await readConcerned(deps.sql, after);
    const last = uids.at(-1);
    if (last === undefined) {
      break;
    }
    for (const uid of uids) {
      const user = await findUser(deps.sql, uid);
      if (user === undefined || user.deactivated) {
        continue;
      }
      const migrated = await migrateOne(deps, actor, user, undefined).catch((): Migrated =>
        outcome("failed", "refused", [], { error: "Something went wrong" }),
      );
      counts.skipped -= 1;
      counts[migrated.status] += 1;
      position = Math.max(position, migrated.position);
      details.push({
        status: migrated.status,
        uid,
        email: user.email,
        error: migrated.error,
        reason: migrated.status === "migrated" ? null : sentenceOf(migrated),
        reasonCode: migrated.reason,
      });
      onProgress(details.length);
    }
    after = last;
  }
  const { migrated, skipped, needs_review: needsReview, failed } = counts;
  const totalUsers = counted?.users ?? 0;
  details.push(...(await readWithout(deps.sql)));
  // Somebody may have signed up meanwhile.
  const unlisted = Math.max(0, totalUsers - details.length);
  return { totalUsers, migrated, skipped, needsReview, failed, details, unlisted, position };
}

/** A user `p` with an old account, or with one that may be theirs. */
const isConcerned = (sql: Sql) => sql`
  (exists (select from identity.legacy_users l where l.migrated_uid = p.uid)
    or exists (select from identity.legacy_users l
      where l.migrated_uid is null and lower(l.email) = lower(p.email))
    or exists (select from identity.legacy_users l
      where l.migrated_uid is null and lower(l.username) = p.username))`;

/** The first users of whom the old app has no account, as the report names them. */
async function readWithout(sql: Sql): Promise<MigrateAllResponse["details"]> {
  const rows = await sql<{ uid: string; email: string | null }[]>`
    select p.uid, p.email from identity.profiles p
    where p.deactivated_at is null and not ${isConcerned(sql)}
    order by p.uid limit ${MOST_WITHOUT}`;
  const reasonCode = "nothing_found";
  const reason = sentences[reasonCode];
  return rows.map((row) => ({ ...row, status: "skipped", error: null, reason, reasonCode }));
}

async function readConcerned(sql: Sql, after: string): Promise<string[]> {
  const rows = await sql<{ uid: string }[]>`
    select p.uid from identity.profiles p
    where p.uid > ${after} and p.deactivated_at is null and ${isConcerned(sql)}
    order by p.uid limit ${BATCH}`;
  return rows.map(({ uid }) => uid);
}
