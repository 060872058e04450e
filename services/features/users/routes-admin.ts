// The admins' calls about users: the list, every change with its reason, and deletion.
import { type Context, Hono } from "hono";
import type { TransactionSql } from "postgres";
import { admin, rehearsable } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import { confirmed, requireConfirmed } from "#http/confirmed.ts";
import { answerCsvBatches, money } from "#http/csv.ts";
import { expensiveFile, expensiveSearch } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented, documentedFile } from "#http/document.ts";
import type { AppEnv, SignedInEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import { decidesFrom, readsFrom, respondFresh } from "#http/freshness.ts";
import { noteOf } from "#http/note.ts";
import { jsonBody, noBody, pathParams, queryString } from "#http/validate.ts";
import { normalEmail } from "#identity/accounts.ts";
import { findWaitingAccounts } from "#identity/legacy-accounts.ts";
import { erasePerson, isEmailTaken } from "#identity/users.ts";
import type { UserProfile } from "#identity/users.ts";
import type { EventExplanations } from "#features/histories.ts";
import type { ListedUser } from "#features/users/contract-people.ts";
import { userParams } from "#features/users/contract.ts";
import { messages } from "#features/users/contract-names.ts";
import {
  deleteUserResponse,
  updateUserResponse,
  updateUserRequest,
  userChangesResponse,
  userChangesQuery,
  userListResponse,
  userListExportQuery,
  userListQuery,
} from "#features/users/contract-people.ts";
import { deactivateUser } from "#features/users/decider-deactivate.ts";
import { readChanges } from "#features/users/history.ts";
import { readUserExport, readUserList } from "#features/users/queries.ts";
import {
  askBothAddresses,
  isAnotherAdmin,
  tellOldAddress,
  tellRenamed,
  tellRoleTaken,
} from "#features/users/email-change.ts";
import {
  answerUser,
  change,
  refuse,
  refuseInvited,
  renames,
  requireUser,
  userDepsOf,
} from "#features/users/user-desk.ts";
import { tellAdmins, tellDeleted } from "#features/users/tell-admins.ts";
import type { UserChanges, UserDeps } from "#features/users/user-desk.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";

const tag = "users";

/** `explanations` say how the events of every feature read in a user's history. */
export function userAdminRoutes(deps: RouteDeps, explanations: EventExplanations): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  const userDeps = userDepsOf(deps);
  addList(routes, userDeps);
  addChange(routes, userDeps);
  addChanges(routes, { ...userDeps, explanations });
  addDeletion(routes, userDeps);
  return routes;
}

const EXPORT_HEADER = [
  "Name",
  "Email",
  "Username",
  "Discord",
  "Role",
  "Units",
  "Balance",
  "Pending",
  "Held for trades",
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
    money(user.heldForTrades),
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
  const reads = readsFrom("balances", "inventory", "sales", "account_history", "trades");
  routes.get(
    "/auth/all-users",
    admin,
    documented({ summary: "List users", tag, answer: userListResponse }),
    queryString(userListQuery),
    reads,
    expensiveSearch,
    async (c) => {
      const { page, limit, q, role, money: having, ...rest } = c.req.valid("query");
      const filters = { ...rest, q, role, money: having };
      return respondFresh(
        c,
        await readUserList(deps.reads, deps.clock(), filters, { page, limit }),
      );
    },
  );
  routes.get(
    "/auth/all-users/export",
    admin,
    documentedFile({ summary: "Export users", tag, types: ["text/csv"] }),
    queryString(userListExportQuery),
    reads,
    expensiveFile,
    async (c) => {
      const { q, role, money: having, ...rest } = c.req.valid("query");
      const users = readUserExport(deps.reads, deps.clock(), { ...rest, q, role, money: having });
      return answerCsvBatches(c, "users.csv", EXPORT_HEADER, linesOf(users));
    },
  );
}

function addChange(routes: Hono<AppEnv>, deps: UserDeps): void {
  routes.put(
    "/auth/users/:uid",
    rehearsable(admin),
    documented({ summary: "Change a user", tag, answer: updateUserResponse }),
    pathParams(userParams),
    jsonBody(updateUserRequest),
    readsFrom("balances"),
    async (c) => {
      const { uid } = c.req.valid("param");
      const { reason, email: typed, ...record } = c.req.valid("json");
      const user = await requireUser(deps.sql, uid);
      const email = typed ? normalEmail(typed) : undefined;
      const changes = {
        role: record.role,
        username: record.username || undefined,
        displayName: record.displayName === "" ? undefined : record.displayName,
      };
      await refuseInvited(deps.sql, user, { ...changes, email });
      const isNewRole = changes.role !== undefined && changes.role !== user.role;
      const isGuarded = await isAnotherAdmin(deps, user, c.var.person.uid);
      const takesName = isGuarded && renames(user, changes);
      if (isNewRole || takesName || (email !== undefined && email !== user.email)) {
        await requireConfirmed(c);
      }
      if (email !== undefined && (await isEmailTaken(deps.sql, email, uid))) {
        throw refuse("email_already_in_use");
      }
      const isOther = uid !== c.var.person.uid;
      const waits = isGuarded && email !== undefined;
      const note = await noteOf(c, deps, reason, uid);
      const now = { ...changes, ...(waits ? {} : { email }) };
      await change(c, deps, user, now, note, {
        email: () => tellOldAddress(c, deps, user),
        ...(isGuarded ? { name: () => tellRenamed(c, deps, user) } : {}),
      });
      // At once: what follows may fail, and a repeated request finds nothing changed.
      await noteChange(c.var, user, now);
      if (takesName) {
        await c.var.security.note({ ...doneTo(c.var, uid), kind: "name-changed" });
      }
      if (isOther && user.role === "admin" && changes.role === "user") {
        await tellRoleTaken(c, deps, user);
      }
      if (isNewRole) {
        await tellAdmins(c, deps, user, changes.role === "admin" ? "made" : "unmade");
      }
      const asked = waits && email !== user.email;
      if (asked) {
        await askBothAddresses(c, deps, user, email);
        await c.var.security.note({ ...doneTo(c.var, uid), kind: "email-change-asked" });
      }
      const changed = await answerUser(deps, uid);
      return c.json({ message: messages.userUpdated, user: changed, emailWaits: asked });
    },
  );
}

/** What a note says of something that the caller did to a person. */
function doneTo({ person }: Context<SignedInEnv>["var"], uid: string) {
  return {
    outcome: "ok",
    about: { uid },
    ...(person.uid === uid ? {} : { byUid: person.uid }),
  } as const;
}

/** What of a change lets somebody in, or lets them do more. */
async function noteChange(
  caller: Context<SignedInEnv>["var"],
  before: UserProfile,
  { role = before.role, email = before.email ?? undefined }: Pick<UserChanges, "role" | "email">,
): Promise<void> {
  const { security } = caller;
  const done = doneTo(caller, before.uid);
  if (role !== before.role) {
    await security.note({ ...done, kind: "role-changed", detail: `${before.role} to ${role}` });
  }
  if (email !== (before.email ?? undefined)) {
    await security.note({ ...done, kind: "email-changed" });
  }
}

type HistoryDeps = UserDeps & { readonly explanations: EventExplanations };

function addChanges(routes: Hono<AppEnv>, deps: HistoryDeps): void {
  routes.get(
    "/auth/users/:uid/changes",
    admin,
    documented({ summary: "List who changed what about a user", tag, answer: userChangesResponse }),
    pathParams(userParams),
    queryString(userChangesQuery),
    // From the log itself.
    readsFrom(),
    async (c) => {
      const { before, limit } = c.req.valid("query");
      const { uid } = await requireUser(deps.sql, c.req.valid("param").uid);
      return respondFresh(c, await readChanges(deps.reads, deps, uid, { before, limit }));
    },
  );
}

/** More items would make one command too large; a user with this many is not settled anyway. */
const MAX_ITEMS = 5_000;

function addDeletion(routes: Hono<AppEnv>, deps: UserDeps): void {
  routes.delete(
    "/auth/users/:uid",
    rehearsable(admin),
    confirmed,
    documented({ summary: "Delete a user", tag, answer: deleteUserResponse }),
    pathParams(userParams),
    noBody,
    decidesFrom("inventory"),
    async (c) => {
      const { uid } = c.req.valid("param");
      if (uid === c.get("person").uid) {
        throw refuse("own_account");
      }
      const user = await requireUser(deps.sql, uid);
      await refuseWaitingLegacy(deps, user);
      const freshTo = c.get("freshTo");
      const items = await deps.sql<{ id: string }[]>`
        select id from ${deps.sql(`read.${inventoryItemsTable.name}`)} where owner_uid = ${uid} and not archived
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
      if (user.role === "admin") {
        await tellDeleted(c, deps, user);
        await tellAdmins(c, deps, user, "deleted");
      }
      return c.json({ message: messages.userDeleted, uid });
    },
  );
}

/**
 * Whether goods came after the read tables' position, which the decision has not seen. Checked while the log is
 * locked, so nothing can come after the check; later commands find the user deleted.
 */
async function refuseNewerGoods(
  transaction: TransactionSql,
  uid: string,
  freshTo: number,
): Promise<void> {
  const newer = await transaction`
    select from log.movements m
    join log.streams s on s.id = log.item_stream(log.id_of_item_holding(m.to_holding))
    where m.position > ${freshTo} and log.is_item_holding(m.to_holding)
      and s.state ->> 'ownerUid' = ${uid} and (s.state ->> 'quantity')::bigint > 0
    limit 1`;
  if (newer.count > 0) {
    throw refuse("stock_not_known");
  }
}

/** What the old app owes to this person counts too, if a verified address shows that it is theirs. */
async function refuseWaitingLegacy(deps: UserDeps, user: UserProfile): Promise<void> {
  if (user.email === null || !user.emailVerified) {
    return;
  }
  const legacyIds = await findWaitingAccounts(deps.sql, user.email);
  if (legacyIds.length > 0) {
    throw new HttpError(
      409,
      "user_not_settled",
      "This user cannot be deleted yet: an account of the old app waits to be migrated",
      { current: { legacyIds } },
    );
  }
}
