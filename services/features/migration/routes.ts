// The admins' calls that migrate people from the old app, and list its accounts.
import { Hono } from "hono";
import type * as z from "zod/mini";
import { admin } from "#http/access.ts";
import type { CommandContext } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import { keepsAnswer } from "#http/keeps-answer.ts";
import { jsonBody, noBody, pathParams, queryString } from "#http/validate.ts";
import { findUser } from "#identity/users.ts";
import { createReservationKeys } from "#identity/reservation-keys.ts";
import type { LoadLegacyResponse } from "#features/migration/contract.ts";
import {
  legacyUsersResponse,
  loadLegacyRequest,
  loadLegacyResponse,
  legacyUsersQuery,
  migrateAllResponse,
  migratedUserParams,
  migrateUserResponse,
  migrateUserRequest,
  migrationRefusals,
} from "#features/migration/contract.ts";
import type { LegacyAccount } from "#features/migration/legacy-file.ts";
import { LegacyFileProblem, readLegacyFile } from "#features/migration/legacy-file.ts";
import { noticesOf, roundingsOf, stageLegacy } from "#features/migration/legacy-staging.ts";
import { readLegacyUsers } from "#features/migration/legacy-list.ts";
import { addPast } from "#features/migration/routes-past.ts";
import { migrateAll, migrateOne, sentenceOf } from "#features/migration/migration.ts";

const tag = "users";

export function migrationRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addPast(routes, deps);
  routes.post(
    "/auth/users/:uid/migrate",
    admin,
    documented({ summary: "Migrate a user from the old app", tag, answer: migrateUserResponse }),
    pathParams(migratedUserParams),
    jsonBody(migrateUserRequest),
    keepsAnswer,
    async (c) => {
      const { uid } = c.req.valid("param");
      const user = await findUser(deps.sql, uid);
      if (user === undefined) {
        throw refuse("unknown_user");
      }
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
    documented({ summary: "Migrate everybody from the old app", tag, answer: migrateAllResponse }),
    noBody,
    keepsAnswer,
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
    documented({ summary: "List the old app's accounts", tag, answer: legacyUsersResponse }),
    queryString(legacyUsersQuery),
    async (c) => {
      const { q, ...rest } = c.req.valid("query");
      return c.json(await readLegacyUsers(deps.reads, deps.profiles, { ...rest, q }));
    },
  );
  routes.post(
    "/auth/legacy-users",
    admin,
    documented({ summary: "Load accounts of the old app", tag, answer: loadLegacyResponse }),
    jsonBody(loadLegacyRequest),
    keepsAnswer,
    async (c) => {
      const request = c.req.valid("json");
      const loaded = await loadLegacy(deps, request);
      if (!request.checkOnly) {
        // What was loaded is deleted once it is migrated. The file opens balances, so who loaded one stays known.
        const { person, security } = c.var;
        const accounts = loaded.users === 1 ? "1 account" : `${loaded.users} accounts`;
        const detail = `${accounts}: ${loaded.message}`;
        await security.note({
          kind: "legacy-accounts-loaded",
          outcome: "ok",
          about: { uid: person.uid },
          detail,
        });
      }
      return c.json(loaded);
    },
  );
  return routes;
}

async function loadLegacy(
  { sql, clock }: RouteDeps,
  { users, checkOnly }: z.output<typeof loadLegacyRequest>,
): Promise<LoadLegacyResponse> {
  const accounts = readAccounts(JSON.stringify({ users }), clock());
  const said = { rounded: roundingsOf(accounts).length, ...noticesOf(accounts) };
  if (checkOnly) {
    const message = `${accounts.length} accounts checked`;
    return { message, users: accounts.length, added: 0, updated: 0, migrated: 0, ...said };
  }
  const keys = createReservationKeys(sql);
  const { added, updated, migrated } = await stageLegacy({ sql, keys, clock }, accounts);
  const message = `${added} added, ${updated} updated`;
  return { message, users: accounts.length, added, updated, migrated, ...said };
}

function readAccounts(text: string, now: Date): readonly LegacyAccount[] {
  try {
    return readLegacyFile(text, now);
  } catch (error) {
    throw error instanceof LegacyFileProblem
      ? new HttpError(409, "file_refused", error.message)
      : error;
  }
}

function refuse(code: keyof typeof migrationRefusals): HttpError {
  const { status, message } = migrationRefusals[code];
  return new HttpError(status, code, message);
}

function showPosition(c: CommandContext, position: number): void {
  if (position > 0) {
    c.header("Ledger-Position", String(position));
  }
}
