// What the routes about users share: finding a user, and a command with the texts that its events refer to.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import type { CommandContext, RowInSameTransaction } from "#http/command.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { HttpError } from "#http/errors.ts";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import { refuseFalseName } from "#http/false-names.ts";
import { statement, type ValueOf } from "#http/statement.ts";
import { isInvited } from "#identity/invited.ts";
import type { ReservationKeys } from "#identity/reservation-keys.ts";
import { createReservationKeys } from "#identity/reservation-keys.ts";
import { endAllSessions } from "#identity/session-list.ts";
import type { TextChange, UserProfile } from "#identity/users.ts";
import { findUser, writeTextChanges } from "#identity/users.ts";
import { balancesTable } from "#features/accounts/projection.ts";
import type { UserResponse } from "#features/users/contract.ts";
import { passesForAdminLately, shownName } from "#features/users/admin-names.ts";
import { userRefusals } from "#features/users/contract-refusals.ts";
import type { Role } from "#features/users/decider.ts";
import { changeUser } from "#features/users/decider.ts";
import { toDollars } from "#ledger/money.ts";
import { availableAccount } from "#features/accounts/streams.ts";

/** The routes' dependencies: those of every route, and the keys of reservations. */
export type UserDeps = RouteDeps & { readonly keys: ReservationKeys };

export function userDepsOf(deps: RouteDeps): UserDeps {
  return { ...deps, keys: createReservationKeys(deps.sql) };
}

export function refuse(code: keyof typeof userRefusals): HttpError {
  const { status, message } = userRefusals[code];
  return new HttpError(status, code, message);
}

/** Throws 404 `unknown_user`. */
export async function requireUser(sql: Sql, uid: string): Promise<UserProfile> {
  const user = await findUser(sql, uid);
  if (user === undefined) {
    throw refuse("unknown_user");
  }
  return user;
}

const inBalances = withTables(balancesTable);

const balanceOf = statement((reads, value: ValueOf<{ readonly account: string }>) =>
  inBalances(reads)
    .selectFrom("read.balances")
    .select("balance_cents")
    .where("account", "=", value("account")),
);

/** The person from identity, on the primary, with the balance from the read tables. */
async function readUser(
  { sql: primary, reads }: { readonly sql: Sql; readonly reads: Reads },
  uid: string,
): Promise<UserResponse | undefined> {
  const [user, [row]] = await Promise.all([
    findUser(primary, uid),
    balanceOf(reads, { account: availableAccount.of(uid) }),
  ]);
  return user === undefined ? undefined : { ...user, balance: toDollars(row?.balance_cents ?? 0) };
}

/** The same; throws 404 `unknown_user`. */
export async function answerUser(
  deps: Pick<RouteDeps, "sql" | "reads">,
  uid: string,
): Promise<UserResponse> {
  const user = await readUser(deps, uid);
  if (user === undefined) {
    throw refuse("unknown_user");
  }
  return user;
}

/** Requested changes of a user; omitted and equal fields stay as they are. */
export type UserChanges = {
  readonly role?: Role | undefined;
  readonly username?: string | undefined;
  /** In lower case. */
  readonly email?: string | undefined;
  /** Null removes it. */
  readonly displayName?: string | null | undefined;
};

/** Letters that must be on their way before a text changes. */
export type LettersBefore = {
  readonly email?: () => Promise<void>;
  /** The display name or the username. */
  readonly name?: () => Promise<void>;
};

/** Changes a user with one command; its texts are written in the transaction that appends its events. */
export async function change(
  c: CommandContext,
  deps: UserDeps,
  user: UserProfile,
  changes: UserChanges,
  note: RowInSameTransaction | null,
  letters: LettersBefore = {},
): Promise<void> {
  const { uid } = user;
  const { username } = changes;
  const texts = textsOf(deps, user, changes);
  const nameOf = (field: TextChange["field"]) => texts.find((text) => text.field === field)?.after;
  await refuseFalseName(deps.store, {
    username: nameOf("username"),
    displayName: nameOf("display-name"),
  });
  await refuseAdminName(deps, deps.sql, user, changes);
  const idOf = (field: TextChange["field"]) =>
    texts.find((text) => text.field === field)?.id ?? null;
  const usernameChangeId = idOf("username");
  const command = {
    uid,
    role: changes.role ?? null,
    username:
      username === undefined || usernameChangeId === null
        ? null
        : { reservation: await deps.keys.keyOf("username", username), changeId: usernameChangeId },
    emailChangeId: idOf("email"),
    displayNameChangeId: idOf("display-name"),
    noteId: note?.id ?? null,
    happenedAt: deps.clock().toISOString(),
  };
  const row: RowInSameTransaction = {
    id: uid,
    stage: async () => {
      if (command.emailChangeId !== null) {
        await letters.email?.();
      }
      if (renames(user, changes)) {
        await letters.name?.();
      }
    },
    write: async (transaction) => {
      await note?.write(transaction);
      await refuseInvited(transaction, user, changes);
      await refuseAdminName(deps, transaction, user, changes);
      await writeTextChanges(transaction, uid, texts);
      if (command.emailChangeId !== null) {
        await endAllSessions(transaction, uid, deps.clock());
      }
    },
  };
  try {
    await runCommand(c, deps.ledger, changeUser, command, row);
  } catch (error) {
    throw asTaken(error) ?? error;
  }
}

/** An invitation's letter went to the old address, and its link must not lead to an admin's rights. */
export async function refuseInvited(
  sql: Sql | TransactionSql,
  user: UserProfile,
  { role, email }: UserChanges,
): Promise<void> {
  const becomesAdmin = role === "admin" && user.role !== "admin";
  const moves = email !== undefined && email !== user.email;
  if ((becomesAdmin || moves) && (await isInvited(sql, user.uid))) {
    throw refuse("invitation_open");
  }
}

/** Whether somebody is called otherwise afterwards. */
export function renames(user: UserProfile, { displayName, username }: UserChanges): boolean {
  return (
    (displayName !== undefined && displayName !== user.displayName) ||
    (username !== undefined && username !== user.username)
  );
}

/** An admin who gets a name, or somebody with a name who becomes one, must not pass for another admin, nor for one of lately. */
async function refuseAdminName(
  deps: Pick<UserDeps, "clock" | "readEvent">,
  sql: Sql | TransactionSql,
  user: UserProfile,
  { role = user.role, displayName = user.displayName, username }: UserChanges,
): Promise<void> {
  const named = { ...user, displayName, username: username ?? user.username };
  const becomesAdmin = role === "admin" && user.role !== "admin";
  const isRenamed = shownName(named) !== shownName(user);
  const isAsked = becomesAdmin || (role === "admin" && isRenamed);
  if (isAsked && (await passesForAdminLately(deps, sql, named))) {
    throw refuse("admin_name_taken");
  }
}

function textsOf(deps: UserDeps, user: UserProfile, changes: UserChanges): TextChange[] {
  const { username, email, displayName } = changes;
  const wanted: readonly [TextChange["field"], string | null | undefined, string | null][] = [
    ["username", username, user.username],
    ["email", email, user.email],
    ["display-name", displayName, user.displayName],
  ];
  return wanted.flatMap(([field, after, before]) =>
    after === undefined || after === before ? [] : [{ id: deps.newId(), field, after }],
  );
}

/** Translates the error if somebody took the address or the name after it was checked. */
export function asTaken(error: unknown): HttpError | undefined {
  const constraint: unknown =
    error instanceof Error ? Reflect.get(error, "constraint_name") : undefined;
  if (constraint === "credentials_email_key" || constraint === "profiles_verified_email") {
    return refuse("email_already_in_use");
  }
  return constraint === "profiles_username_key" ? refuse("username_taken") : undefined;
}
