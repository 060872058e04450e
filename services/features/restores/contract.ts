// The requests and responses of the calls about a store that was restored from a back-up.
import * as z from "zod/mini";
import { text, uuid } from "#ledger/fields.ts";

/** Why payouts wait after a restore. */
export const restoredMessages = {
  request: "Payouts wait until the store has checked them: it was restored from a back-up",
  pay: "The store was restored from a back-up: check the payouts against CashApp and Venmo first, then confirm that on Payout Requests",
} as const;

export const uncheckedRestore = z.object({
  restoreId: z.string(),
  /** When the store was restored, and when the back-up was made; ISO 8601. */
  restoredAt: z.string(),
  backedUpAt: z.string(),
  /** How many events were published after the back-up and are lost; null if no published head says so. */
  lostEvents: z.nullable(z.int()),
});
export type UncheckedRestore = z.infer<typeof uncheckedRestore>;

/** GET /payouts/restored, admins only: the restore whose payouts nobody has checked yet; null without one. */
export const restoredResponse = z.object({ unchecked: z.nullable(uncheckedRestore) });
export type RestoredResponse = z.infer<typeof restoredResponse>;

/** POST /payouts/restored/check, admins only. */
export const checkRestoredRequest = z.strictObject({
  restoreId: uuid,
  /** What was checked, and what it showed. */
  reason: text(1, 500, "Please enter what you checked"),
});
export type CheckRestoredRequest = z.input<typeof checkRestoredRequest>;

export const checkRestoredResponse = z.object({ message: z.string() });

const backupRun = z.object({
  endedAt: z.string(),
  passed: z.boolean(),
  /** The log's end in the back-up; null if it was not reached. */
  position: z.nullable(z.int()),
  /** Of the whole back-up. */
  bytes: z.nullable(z.int()),
  elapsedMs: z.int(),
  /** Why it failed; null if it passed. */
  message: z.nullable(z.string()),
});
export type BackupRunView = z.infer<typeof backupRun>;

/** GET /operations/backups, admins only: the last runs, and the last ones that passed; null where there was none. */
export const backupsResponse = z.object({
  backup: z.nullable(backupRun),
  goodBackupAt: z.nullable(z.string()),
  drill: z.nullable(backupRun),
  goodDrillAt: z.nullable(z.string()),
});
export type BackupsResponse = z.infer<typeof backupsResponse>;
