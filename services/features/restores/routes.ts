// The calls about back-ups: how the last ones ended, and after a restore whether payouts were checked.
import { Hono } from "hono";
import { admin } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { noteOf } from "#http/note.ts";
import { jsonBody } from "#http/validate.ts";
import type { BackupRun } from "#db/backup/runs.ts";
import { readLastRuns } from "#db/backup/runs.ts";
import type { BackupRunView, UncheckedRestore } from "#features/restores/contract.ts";
import {
  backupsResponse,
  checkRestoredRequest,
  checkRestoredResponse,
  restoredResponse,
} from "#features/restores/contract.ts";
import { checkRestoredPayouts } from "#features/restores/decider.ts";
import type { Restore } from "#features/restores/streams.ts";
import { RESTORES, restoresStream } from "#features/restores/streams.ts";
import { readState } from "#ledger/log/read-state.ts";

const tag = "payouts";

function viewOf({ restoreId, restoredAt, backedUpAt, ...restore }: Restore): UncheckedRestore {
  const { lostThrough, position } = restore;
  const lostEvents = lostThrough === null ? null : lostThrough - position;
  return { restoreId, restoredAt, backedUpAt, lostEvents };
}

function runView(run: BackupRun | null): BackupRunView | null {
  if (run === null) {
    return null;
  }
  const { endedAt, passed, position, bytes, elapsedMs, message } = run;
  return { endedAt: endedAt.toISOString(), passed, position, bytes, elapsedMs, message };
}

export function restoreRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.get(
    "/operations/backups",
    admin,
    documented({
      summary: "Read how the last back-ups and restore drills ended",
      tag: "operations",
      answer: backupsResponse,
    }),
    async (c) => {
      const { backup, goodBackup, drill, goodDrill } = await readLastRuns(deps.sql);
      return c.json({
        backup: runView(backup),
        goodBackupAt: goodBackup?.endedAt.toISOString() ?? null,
        drill: runView(drill),
        goodDrillAt: goodDrill?.endedAt.toISOString() ?? null,
      });
    },
  );
  addChecks(routes, deps);
  return routes;
}

function addChecks(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/payouts/restored",
    admin,
    documented({
      summary: "Show whether payouts have to be checked after a restore",
      tag,
      answer: restoredResponse,
    }),
    async (c) => {
      const { last } = await readState(deps, restoresStream, RESTORES);
      return c.json({ unchecked: last === null || last.isChecked ? null : viewOf(last) });
    },
  );
  routes.post(
    "/payouts/restored/check",
    admin,
    documented({
      summary: "Confirm that payouts were checked after a restore",
      tag,
      answer: checkRestoredResponse,
      takesKey: true,
    }),
    jsonBody(checkRestoredRequest),
    async (c) => {
      const { restoreId, reason } = c.req.valid("json");
      const note = await noteOf(c, deps, reason, null);
      const happenedAt = deps.clock().toISOString();
      const command = { restoreId, noteId: note?.id ?? "", happenedAt };
      await runCommand(c, deps.ledger, checkRestoredPayouts, command, note);
      return c.json({ message: "Payouts confirmed as checked" });
    },
  );
}
