// The admins' calls about users: the list, every change with its reason, the end of an account, and the old app's accounts.
import { Hono } from "hono";
import type { TransactionSql } from "postgres";
import { admin } from "#http/access.ts";
import type { CommandContext } from "#http/command.ts";
import { runCommand } from "#http/command.ts";
import { answerCsvBatches, money } from "#http/csv.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented, documentedFile } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { noteOf } from "#http/note.ts";
import { jsonBody, pathParams, queryString } from "#http/validate.ts";
import { normalEmail } from "#identity/accounts.ts";
import { erasePerson, isEmailTaken } from "#identity/users.ts";
import type { UserProfile } from "#identity/users.ts";
import type { EventExplanations } from "#features/histories.ts";
import type { ListedUser } from "#features/users/contract.ts";
import {
  deleteUserAnswer,
  legacyUsersAnswer,
  legacyUsersQuery,
  messages,
  migrateAllAnswer,
  migrateUserAnswer,
  migrateUserRequest,
  updateUserAnswer,
  updateUserRequest,
  userChangesAnswer,
  userChangesQuery,
  userListAnswer,
  userListExportQuery,
  userListQuery,
  userParams,
} from "#features/users/contract.ts";
import { deactivateUser } from "#features/users/decider-deactivate.ts";
import { readChanges } from "#features/users/history.ts";
import { readLegacyUsers } from "#features/users/legacy-list.ts";
import { findMatches } from "#features/users/legacy-staging.ts";
import { migrateAll, migrateOne, sentenceOf } from "#features/users/migration.ts";
import { readUserExport, readUserList } from "#features/users/queries.ts";
import { answerUser, change, refuse, requireUser, userDepsOf } from "#features/users/user-desk.ts";
import type { UserDeps } from "#features/users/user-desk.ts";

const tag = "users";

/** `explanations` say how the events of every feature read in a user's history. */
export function userAdminRoutes(deps: RouteDeps, explanations: EventExplanations): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  const userDeps = userDepsOf(deps);
  addList(routes, userDeps);
  addChange(routes, userDeps);
  addChanges(routes, { ...userDeps, explanations });
  addDeletion(routes, userDeps);
  addMigration(routes, userDeps);
  return routes;
}

const EXPORT_HEADER = [
  "Name",
  "E-mail",
  "Username",
  "Discord",
  "Role",
  "Units",
  "Balance",
  "Pending",
  "Sales in 30 days",
  "Last activity",
  "User id",
];

function cellsOf(user: ListedUser) {
  return [
    user.name,
    user.email,
    user.username,
    user.discord?.username ?? user.discord?.id ?? null,
    user.role,
    user.units,
    money(user.balance),
    money(user.pending),
    money(user.sales30Days),
    user.lastActivityAt,
    user.uid,
  ];
}

async function* linesOf(batches: AsyncGenerator<readonly ListedUser[]>) {
  for await (const users of batches) {
    yield users.map(cellsOf);
  }
}

function addList(routes: Hono<AppEnv>, deps: UserDeps): void {
  const reads = readsFrom("balances", "inventory", "sales", "account_history");
  routes.get(
    "/auth/all-users",
    admin,
    documented({ summary: "List users", tag, answer: userListAnswer }),
    queryString(userListQuery),
    reads,
    async (c) => {
      const { page, limit, q, role, money: having, ...rest } = c.req.valid("query");
      const filters = { ...rest, q, role, money: having };
      return respondFresh(c, await readUserList(deps.sql, deps.clock(), filters, { page, limit }));
    },
  );
  routes.get(
    "/auth/all-users/export",
    admin,
    documentedFile({ summary: "Export users", tag, types: ["text/csv"] }),
    queryString(userListExportQuery),
    reads,
    async (c) => {
      const { q, role, money: having, ...rest } = c.req.valid("query");
      const users = readUserExport(deps.sql, deps.clock(), { ...rest, q, role, money: having });
      return answerCsvBatches(c, "users.csv", EXPORT_HEADER, linesOf(users));
    },
  );
}

function addChange(routes: Hono<AppEnv>, deps: UserDeps): void {
  routes.put(
    "/auth/users/:uid",
    admin,
    documented({ summary: "Change a user", tag, answer: updateUserAnswer }),
    pathParams(userParams),
    jsonBody(updateUserRequest),
    readsFrom("balances"),
    async (c) => {
      const { uid } = c.req.valid("param");
      const { reason, email: typed, ...wish } = c.req.valid("json");
      const user = await requireUser(deps.sql, uid);
      const email = typed === undefined ? undefined : normalEmail(typed);
      if (email !== undefined && (await isEmailTaken(deps.sql, email, uid))) {
        throw refuse("email_already_in_use");
      }
      const note = await noteOf(c, deps, reason, uid);
      await change(c, deps, user, { ...wish, email }, note);
      const changed = await answerUser(deps.sql, uid);
      return c.json({ message: messages.userUpdated, user: changed });
    },
  );
}

type HistoryDeps = UserDeps & { readonly explanations: EventExplanations };

function addChanges(routes: Hono<AppEnv>, deps: HistoryDeps): void {
  routes.get(
    "/auth/users/:uid/changes",
    admin,
    documented({ summary: "List who changed what about a user", tag, answer: userChangesAnswer }),
    pathParams(userParams),
    queryString(userChangesQuery),
    async (c) => {
      const { before, limit } = c.req.valid("query");
      const { uid } = await requireUser(deps.sql, c.req.valid("param").uid);
      return c.json(await readChanges(deps.sql, deps, uid, { before, limit }));
    },
  );
}

/** More than these would make one command too large; nobody with so many is settled. */
const MAX_ITEMS = 5_000;

function addDeletion(routes: Hono<AppEnv>, deps: UserDeps): void {
  routes.delete(
    "/auth/users/:uid",
    admin,
    documented({ summary: "Delete a user", tag, answer: deleteUserAnswer }),
    pathParams(userParams),
    readsFrom("inventory"),
    async (c) => {
      const { uid } = c.req.valid("param");
      if (uid === c.get("person").uid) {
        throw refuse("own_account");
      }
      const user = await requireUser(deps.sql, uid);
      await refuseWaitingLegacy(deps, user);
      if (c.get("stale")) {
        throw refuse("stock_not_known");
      }
      const freshTo = c.get("freshTo");
      const items = await deps.sql<{ id: string }[]>`
        select id from read.inventory_items where owner_uid = ${uid} and not archived
        order by quantity desc, id limit ${MAX_ITEMS}`;
      const now = deps.clock();
      await runCommand(
        c,
        deps.ledger,
        deactivateUser,
        { uid, itemIds: items.map(({ id }) => id), noteId: null, happenedAt: now.toISOString() },
        {
          id: uid,
          write: async (transaction) => {
            await refuseNewerGoods(transaction, uid, freshTo);
            await erasePerson(transaction, now, uid);
          },
        },
      );
      return c.json({ message: messages.userDeleted, uid });
    },
  );
}

/**
 * Goods that came after the read tables' position, which the decision has not looked at. Asked while the log is
 * locked, so nothing can come after it; what is decided later finds the user deleted.
 */
async function refuseNewerGoods(
  transaction: TransactionSql,
  uid: string,
  freshTo: number,
): Promise<void> {
  const newer = await transaction`
    select from log.movements m
    join log.streams s on s.id = 'item-' || substr(m.to_holding, 6)
    where m.position > ${freshTo} and starts_with(m.to_holding, 'item:')
      and s.state ->> 'ownerUid' = ${uid} and (s.state ->> 'quantity')::bigint > 0
    limit 1`;
  if (newer.count > 0) {
    throw refuse("stock_not_known");
  }
}

/** What the old app owed to this person is theirs too; by a proven address it is known to be. */
async function refuseWaitingLegacy(deps: UserDeps, user: UserProfile): Promise<void> {
  if (user.email === null || !user.emailVerified) {
    return;
  }
  const waiting = await findMatches(deps.sql, { email: user.email, username: null });
  if (waiting.length > 0) {
    throw new HttpError(
      409,
      "user_not_settled",
      "This user cannot be deleted yet: an account of the old app waits to be migrated",
      { current: { legacyIds: waiting.map(({ legacyId }) => legacyId) } },
    );
  }
}

function showPosition(c: CommandContext, position: number): void {
  if (position > 0) {
    c.header("Ledger-Position", String(position));
  }
}

function addMigration(routes: Hono<AppEnv>, deps: UserDeps): void {
  routes.post(
    "/auth/users/:uid/migrate",
    admin,
    documented({ summary: "Migrate a user from the old app", tag, answer: migrateUserAnswer }),
    pathParams(userParams),
    jsonBody(migrateUserRequest),
    async (c) => {
      const { uid } = c.req.valid("param");
      const user = await requireUser(deps.sql, uid);
      if (user.deactivated) {
        throw refuse("user_deleted");
      }
      const { legacyId } = c.req.valid("json");
      const migrated = await migrateOne(deps, c.get("person").uid, user, legacyId);
      showPosition(c, migrated.position);
      const { status, reason, legacy } = migrated;
      return c.json({ message: sentenceOf(migrated), status, reason, legacy });
    },
  );
  routes.post(
    "/auth/migrate-all",
    admin,
    documented({ summary: "Migrate everybody from the old app", tag, answer: migrateAllAnswer }),
    async (c) => {
      const { position, ...report } = await migrateAll(deps, c.get("person").uid);
      showPosition(c, position);
      const { migrated, needsReview, failed } = report;
      const message = `${migrated} migrated, ${needsReview} to review, ${failed} failed`;
      return c.json({ message, ...report });
    },
  );
  routes.get(
    "/auth/legacy-users",
    admin,
    documented({ summary: "List the old app's accounts", tag, answer: legacyUsersAnswer }),
    queryString(legacyUsersQuery),
    async (c) => {
      const { q, ...rest } = c.req.valid("query");
      return c.json(await readLegacyUsers(deps.sql, deps.profiles, { ...rest, q }));
    },
  );
}
