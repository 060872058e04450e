// What the calls about the store's machinery take and give: read tables, held keys, job queues, processes.
import * as z from "zod/mini";
import { text, uuid } from "#ledger/fields.ts";

/** What these calls refuse, by code. */
export const operationsRefusals = {
  unknown_projection: { status: 404, message: "There is no read table of this name" },
  rebuild_running: { status: 409, message: "It is being rebuilt already" },
  no_rebuild: { status: 409, message: "No rebuild of it is running" },
  not_ready: { status: 409, message: "The new tables are not ready yet" },
  would_hide_rows: {
    status: 409,
    message: "Rows that are shown now would be missing: those tables hold back row keys",
  },
  nothing_older: { status: 409, message: "There are no tables from before the last switch" },
  older_of_other_version: {
    status: 409,
    message:
      "The tables from before the last switch are of another version, which this program cannot show",
  },
  act_under_way: { status: 409, message: "The last action on it is still being carried out" },
  operation_overtaken: {
    status: 409,
    message: "Somebody else acted on it just now. Look at it again",
  },
  key_not_held: { status: 404, message: "This row key is not held back" },
  job_not_found: { status: 404, message: "There is no such job" },
  job_not_failed: { status: 409, message: "This job did not fail, or somebody took care of it" },
} as const;

/** Why an operator does something: kept with the event, for those who read its log later. */
const why = text(3, 500, "Say why, in a few words");

export const projectionParams = z.strictObject({ name: z.string().check(z.maxLength(63)) });
/** POST /operations/projections/{name}/rebuild, and pause, resume, cancel; admins only. */
export const operatorRequest = z.strictObject({ why });
/** POST /operations/projections/{name}/flip and take-back */
export const flipRequest = z.strictObject({
  why,
  /** Shows these tables although rows that are shown now will be missing. */
  acceptHeld: z.optional(z.boolean()),
});
export type FlipRequest = z.input<typeof flipRequest>;
/** POST /operations/held/fold-again. Without a key, all held keys of the projection. */
export const foldAgainRequest = z.strictObject({
  projection: z.string().check(z.maxLength(63)),
  key: z.optional(z.string().check(z.maxLength(300))),
  why,
});
export type FoldAgainRequest = z.input<typeof foldAgainRequest>;
/** POST /operations/jobs/{queue}/{id}/retry and drop */
export const jobParams = z.strictObject({ queue: z.string().check(z.maxLength(240)), id: uuid });

export const operatorResponse = z.object({ message: z.string() });
export type OperatorResponse = z.infer<typeof operatorResponse>;

const generation = z.object({
  generation: z.int(),
  version: z.int(),
  /** building: a rebuild fills it · ready: fed, not shown · live: shown · previous: fed, a switch can go back to it */
  state: z.enum(["building", "ready", "live", "previous"]),
  position: z.int(),
  lagEvents: z.int(),
  /** The age of the first event that it lacks; 0 at the head. */
  lagSeconds: z.number(),
});
export type GenerationStatus = z.infer<typeof generation>;

const keyDifference = z.object({
  key: z.string(),
  kind: z.enum(["added", "removed", "changed"]),
  rows: z.int(),
  /** The earliest event that one of its differing rows names. */
  firstPosition: z.int(),
  /** By how much each amount would change, in dollars, by its column. */
  amounts: z.array(z.object({ column: z.string(), amount: z.number() })),
});
export type KeyDifference = z.infer<typeof keyDifference>;

const tableDifference = z.object({
  table: z.string(),
  rows: z.int(),
  /** All row keys that would change; `keys` has the first: those only shown now, then by amount. */
  keyCount: z.int(),
  firstPosition: z.int(),
  keys: z.array(keyDifference),
});
export type TableDifference = z.infer<typeof tableDifference>;

const rebuild = z.object({
  rebuildId: z.string(),
  /** What operators want. */
  wanted: z.enum(["built", "paused", "shown", "canceled", "taken-back"]),
  phase: z.enum(["waiting", "filling", "indexing", "comparing", "ready", "done", "failed"]),
  /** Why it failed, or why tables that are ready could not be compared. */
  error: z.nullable(z.string()),
  /** How far the new tables are; null before they exist. */
  position: z.nullable(z.int()),
  eventsPerSecond: z.nullable(z.number()),
  /** Until the new tables are filled; null while that cannot be said. */
  secondsLeft: z.nullable(z.number()),
  startedAt: z.string(),
  /** The last sign of life of the process that works on it. */
  seenAt: z.nullable(z.string()),
  /** What a switch would change; null while that is not known. Empty: nothing. */
  differences: z.nullable(z.array(tableDifference)),
  /** Row keys that the new tables hold back and the shown ones do not. */
  newlyHeld: z.int(),
});
export type RebuildStatus = z.infer<typeof rebuild>;

/** GET /operations/projections/{name}/older: what a switch back would change; null if the rows cannot be compared. */
export const olderResponse = z.object({
  differences: z.nullable(z.array(tableDifference)),
  /** Why the rows cannot be compared, without a full stop; null if they were. */
  reason: z.nullable(z.string()),
});
export type OlderResponse = z.infer<typeof olderResponse>;

/** What an operator ordered about the tables of a projection. */
const tableOrder = z.object({
  /** Its event. */
  position: z.int(),
  projection: z.string(),
  act: z.enum(["rebuild", "pause", "resume", "cancel", "flip", "take-back"]),
  /** The rebuild that it is of; of a take-back, its own. */
  rebuildId: z.string(),
  /** The version that the rebuild is of; null for a take-back, and where the start is further back than the list. */
  version: z.nullable(z.int()),
  /** True if the tables were to be shown although rows are missing. */
  acceptHeld: z.boolean(),
  /**
   * done: carried out, of a rebuild: filled and compared · failed: see error · paused, canceled: before it was done ·
   * waiting: not done yet · unknown: nobody kept how it ended
   */
  outcome: z.enum(["done", "failed", "paused", "canceled", "waiting", "unknown"]),
  /** Why it failed, or why tables that are ready could not be compared. */
  error: z.nullable(z.string()),
  /** When it was done or failed, and how long that took; null where it is not known. */
  endedAt: z.nullable(z.string()),
  seconds: z.nullable(z.number()),
  /** Null if the reason was erased. */
  why: z.nullable(z.string()),
  actor: z.object({ uid: z.string(), displayName: z.string() }),
  at: z.string(),
});
export type TableOrder = z.infer<typeof tableOrder>;

/** GET /operations/projections/{name}/orders: the last 50, newest first. */
export const tableOrdersResponse = z.object({ orders: z.array(tableOrder) });
export type TableOrdersResponse = z.infer<typeof tableOrdersResponse>;

const projection = z.object({
  name: z.string(),
  /** The version of this program's definition. */
  version: z.int(),
  /**
   * ok: at the head or moving · filling: shown, and filled for the first time · behind: far behind but moving · stalled:
   * behind, and not moving for a while · damaged: a table, a column or a view is gone · missing: nothing says which
   * tables are shown
   */
  state: z.enum(["ok", "filling", "behind", "stalled", "damaged", "missing"]),
  /** What is gone of the shown tables: sentences without a full stop. */
  missing: z.array(z.string()),
  generations: z.array(generation),
  /** Row keys that the shown tables hold back. */
  held: z.int(),
  /** The last order about it, while something is left to do or to decide; null without one. */
  rebuild: z.nullable(rebuild),
  canTakeBack: z.boolean(),
  /** Row keys that the tables from before the last switch hold back and the shown ones do not. */
  olderNewlyHeld: z.int(),
});
export type ProjectionStatus = z.infer<typeof projection>;

/** GET /operations/projections */
export const projectionsResponse = z.object({
  head: z.object({ position: z.int(), hash: z.nullable(z.string()) }),
  projections: z.array(projection),
  /** One sample every 15 s for an hour, oldest first: how far the slowest shown table was behind. */
  samples: z.array(z.object({ at: z.string(), lagEvents: z.int(), lagSeconds: z.number() })),
});
export type ProjectionsResponse = z.infer<typeof projectionsResponse>;

const heldKey = z.object({
  projection: z.string(),
  key: z.string(),
  /** The first event that could not be applied to it. */
  atPosition: z.int(),
  error: z.string(),
  heldSince: z.string(),
  /** When it was last folded again without success. */
  triedAt: z.nullable(z.string()),
  /** An operator asked to fold it again, and no worker has done it yet. */
  isAsked: z.boolean(),
  /** Of tables that are not shown: what is shown is complete. */
  state: z.enum(["building", "ready", "live", "previous"]),
});
export type HeldKeyStatus = z.infer<typeof heldKey>;

/** GET /operations/held: the first 200, shown tables first. */
export const heldResponse = z.object({
  count: z.int(),
  /** How many of them are in the shown tables. */
  shownCount: z.int(),
  keys: z.array(heldKey),
});
export type HeldResponse = z.infer<typeof heldResponse>;

const failedJob = z.object({
  id: z.string(),
  queue: z.string(),
  createdAt: z.string(),
  failedAt: z.nullable(z.string()),
  tries: z.int(),
  /** What the last try reported. */
  reason: z.string(),
});
export type FailedJob = z.infer<typeof failedJob>;

/** GET /operations/jobs: queues with any job or schedule, and the newest 100 failed jobs. */
export const jobsResponse = z.object({
  queues: z.array(
    z.object({ name: z.string(), waiting: z.int(), active: z.int(), failed: z.int() }),
  ),
  failed: z.array(failedJob),
});
export type JobsResponse = z.infer<typeof jobsResponse>;

const runningProcess = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  pid: z.int(),
  startedAt: z.string(),
  seenAt: z.string(),
  /** False if it has not reported for a while. */
  isAlive: z.boolean(),
  /** What it does at the moment, in sentences. */
  doing: z.array(z.string()),
});
export type RunningProcess = z.infer<typeof runningProcess>;

/** GET /operations/system */
export const systemResponse = z.object({
  head: z.object({ position: z.int(), hash: z.nullable(z.string()) }),
  /** The newest head that a process published outside the database; null if none did. */
  publishedHead: z.nullable(z.object({ position: z.int(), at: z.string() })),
  processes: z.array(runningProcess),
  /** Bytes with indexes, largest first. */
  tables: z.array(
    z.object({ name: z.string(), kind: z.enum(["log", "read", "other"]), bytes: z.int() }),
  ),
});
export type SystemResponse = z.infer<typeof systemResponse>;

const operatorAct = z.object({
  position: z.int(),
  /** "Started a rebuild of balances" */
  text: z.string(),
  /** What came of a switch that was asked for: "done"; null for other acts, and where nobody kept it. */
  outcome: z.nullable(z.string()),
  why: z.nullable(z.string()),
  actor: z.object({ uid: z.string(), displayName: z.string() }),
  at: z.string(),
});
export type OperatorAct = z.infer<typeof operatorAct>;

/** GET /operations/actions: what operators did, newest first. */
export const actionsQuery = z.strictObject({
  /** Only acts before this position. */
  before: z.optional(z.coerce.number().check(z.int(), z.positive())),
});
export const actionsResponse = z.object({
  actions: z.array(operatorAct),
  /** For the next page; null at the end. */
  before: z.nullable(z.int()),
});
export type ActionsResponse = z.infer<typeof actionsResponse>;
