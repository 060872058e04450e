// The admins' calls that migrate people from the old app, and list its accounts.
import { Hono } from "hono";
import { admin } from "#http/access.ts";
import type { CommandContext } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import { jsonBody, pathParams, queryString } from "#http/validate.ts";
import { findUser } from "#identity/users.ts";
import {
  legacyUsersResponse,
  legacyUsersQuery,
  migrateAllResponse,
  migratedUserParams,
  migrateUserResponse,
  migrateUserRequest,
  migrationRefusals,
} from "#features/migration/contract.ts";
import { readLegacyUsers } from "#features/migration/legacy-list.ts";
import { migrateAll, migrateOne, sentenceOf } from "#features/migration/migration.ts";

const tag = "users";

export function migrationRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.post(
    "/auth/users/:uid/migrate",
    admin,
    documented({ summary: "Migrate a user from the old app", tag, answer: migrateUserResponse }),
    pathParams(migratedUserParams),
    jsonBody(migrateUserRequest),
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
  return routes;
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
