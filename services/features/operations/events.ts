// What operators did to the read tables and jobs. Each event is the order; a worker carries it out. None of them posts or moves anything.
import * as z from "zod/mini";
import { defineEvent } from "#ledger/event.ts";
import { uuid } from "#ledger/fields.ts";

/** The given reason, in identity.notes. */
const noteId = uuid;
/** The projection's name. */
const projection = z.string();

/** New tables of a projection are to be filled next to the shown ones, and compared with them. */
export const RebuildStarted = defineEvent(
  "RebuildStarted",
  1,
  z.object({
    projection,
    rebuildId: uuid,
    /** The version of the program's definition at that time. */
    version: z.int().check(z.positive()),
    noteId,
  }),
);

/** A rebuild stops after the chunk it is at. */
export const RebuildPaused = defineEvent(
  "RebuildPaused",
  1,
  z.object({ projection, rebuildId: uuid, noteId }),
);

/** A rebuild that was paused, or that failed, continues. */
export const RebuildResumed = defineEvent(
  "RebuildResumed",
  1,
  z.object({ projection, rebuildId: uuid, noteId }),
);

/** A rebuild ends, and what it made is dropped. */
export const RebuildCanceled = defineEvent(
  "RebuildCanceled",
  1,
  z.object({ projection, rebuildId: uuid, noteId }),
);

/** The tables that a rebuild made are to be shown. */
export const ProjectionFlipped = defineEvent(
  "ProjectionFlipped",
  1,
  z.object({
    projection,
    rebuildId: uuid,
    /** True if they are shown although they hold back row keys that were shown before. */
    acceptHeld: z.boolean(),
    noteId,
  }),
);

/** The tables from before the last flip are to be shown again. */
export const FlipReverted = defineEvent(
  "FlipReverted",
  1,
  z.object({ projection, takeBackId: uuid, noteId }),
);

/** Row keys that are held back are to be folded again; they stay held if that fails. */
export const HeldKeysRefolded = defineEvent(
  "HeldKeysRefolded",
  1,
  z.object({
    projection,
    /** Null for all keys that were held back. */
    key: z.nullable(z.string()),
    noteId,
  }),
);

/** A failed job is to be tried once more. */
export const JobRetried = defineEvent(
  "JobRetried",
  1,
  z.object({ queue: z.string(), jobId: uuid, noteId }),
);

/** A failed job was deleted. */
export const JobDropped = defineEvent(
  "JobDropped",
  1,
  z.object({ queue: z.string(), jobId: uuid, noteId }),
);

/** Every event of this feature. */
export const operationsEvents = [
  RebuildStarted,
  RebuildPaused,
  RebuildResumed,
  RebuildCanceled,
  ProjectionFlipped,
  FlipReverted,
  HeldKeysRefolded,
  JobRetried,
  JobDropped,
] as const;
