// The calls of the security log: for admins all of it, for everybody what concerns their own account.
import { Hono } from "hono";
import { admin, signedIn } from "#http/access.ts";
import { answerCsvBatches } from "#http/csv.ts";
import { expensiveFile } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented, documentedFile } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { inStoreDays } from "#http/store-period.ts";
import { queryString } from "#http/validate.ts";
import {
  ownSecurityQuery,
  ownSecurityResponse,
  securityExportQuery,
  securityLogQuery,
  securityLogResponse,
} from "#features/security/contract.ts";
import { exportSecurityLog, SECURITY_CSV_HEAD } from "#features/security/exports.ts";
import { readOwnSecurity, readSecurityLog } from "#features/security/read-notes.ts";

const tag = "security";

export function securityRoutes(deps: RouteDeps): Hono<AppEnv> {
  const { sql } = deps;
  const routes = new Hono<AppEnv>();
  routes.get(
    "/security/log",
    admin,
    documented({
      summary: "List who tried to get in, and what was refused",
      tag,
      answer: securityLogResponse,
    }),
    queryString(securityLogQuery),
    inStoreDays(deps),
    async (c) => c.json(await readSecurityLog(sql, c.req.valid("query"))),
  );
  routes.get(
    "/security/log/export",
    admin,
    documentedFile({ summary: "Export the security log", tag, types: ["text/csv"] }),
    queryString(securityExportQuery),
    inStoreDays(deps),
    expensiveFile,
    async (c) => {
      const lines = exportSecurityLog(sql, c.req.valid("query"));
      return answerCsvBatches(c, "security-log.csv", SECURITY_CSV_HEAD, lines);
    },
  );
  routes.get(
    "/security/log/own",
    signedIn,
    documented({
      summary: "List what happened to one's own account",
      tag,
      answer: ownSecurityResponse,
    }),
    queryString(ownSecurityQuery),
    async (c) => c.json(await readOwnSecurity(sql, c.var.person.uid, c.req.valid("query"))),
  );
  return routes;
}
