// Decides what operators may do to read tables, held keys and jobs. What was found in the tables comes with the command.
import type { Decider, Rejection, States } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import type { NewEvent } from "#ledger/event.ts";
import { emit } from "#ledger/event.ts";
import { operationsRefusals } from "#features/operations/contract.ts";
import {
  FlipReverted,
  HeldKeysRefolded,
  JobDropped,
  JobRetried,
  ProjectionFlipped,
  RebuildCanceled,
  RebuildPaused,
  RebuildResumed,
  RebuildStarted,
} from "#features/operations/events.ts";
import type { ProjectionActs } from "#features/operations/streams.ts";
import { actsOn, OPERATIONS, operationsOf } from "#features/operations/streams.ts";

/** What was found before the command was sent. */
export type ProjectionFacts = {
  /** How many acts the stream had; another number means that somebody acted in between. */
  readonly acts: number;
  /** Null for an unknown projection. */
  readonly version: number | null;
  /** The last order is still being carried out. */
  readonly isBusy: boolean;
  /** The rebuild failed, or its order is lost. */
  readonly hasFailed: boolean;
  /** The new tables wait for a flip. */
  readonly isReady: boolean;
  /** Row keys that the new tables hold back and the shown ones do not. */
  readonly newlyHeld: number;
  /** The tables from before the last flip; the step of another version is not known, so those cannot be shown. */
  readonly older: "none" | "other-version" | "showable";
  /** Row keys that those hold back and the shown ones do not. */
  readonly olderNewlyHeld: number;
};

export type ActOnTables = {
  readonly projection: string;
  readonly facts: ProjectionFacts;
  readonly noteId: string;
  readonly happenedAt: string;
};
/** A new id for what the command starts. */
export type StartOnTables = ActOnTables & { readonly id: string };
export type FlipTables = ActOnTables & { readonly acceptHeld: boolean };
/** What any of these commands needs. */
export type TableCommand = StartOnTables & FlipTables;

export type ActedOn = { readonly rebuildId: string };

function refuse(
  code: keyof typeof operationsRefusals,
  current?: Readonly<Record<string, unknown>>,
): Rejection {
  const { status, message } = operationsRefusals[code];
  return reject(status, code, message, current);
}

function facts(happenedAt: string) {
  return { streams: [OPERATIONS], happenedAt };
}

/** A command about a projection's tables: refused for an unknown one, and if somebody acted in between. */
function onTables<Command extends ActOnTables>(
  type: string,
  decide: (
    command: Command,
    acts: ProjectionActs,
  ) => { readonly rebuildId: string; readonly event: NewEvent | null } | Rejection,
): Decider<Command, ActedOn> {
  return {
    type,
    streams: () => [OPERATIONS],
    decide: (command, states: States) => {
      const { projection, facts: found } = command;
      if (found.version === null) {
        return refuse("unknown_projection");
      }
      const acts = actsOn(operationsOf(states), projection);
      const decided = decide(command, acts);
      if ("kind" in decided) {
        return decided;
      }
      const { event, rebuildId } = decided;
      if (event !== null && acts.acts !== found.acts) {
        return refuse("operation_overtaken");
      }
      return accept(event === null ? [] : [event], { rebuildId });
    },
  };
}

/** Rejects 404 `unknown_projection`, 409 `rebuild_running`, `act_under_way`, `operation_overtaken`. */
export const startRebuild: Decider<StartOnTables, ActedOn> = onTables(
  "StartRebuild",
  ({ projection, id, facts: { version, isBusy }, noteId, happenedAt }, { rebuild }) => {
    if (rebuild !== null) {
      return refuse("rebuild_running");
    }
    if (isBusy) {
      return refuse("act_under_way");
    }
    const data = { projection, rebuildId: id, version: version ?? 1, noteId };
    return { rebuildId: id, event: emit(RebuildStarted, data, facts(happenedAt)) };
  },
);

/** Rejects as all of these, and 409 `no_rebuild`. One that is paused already is no event. */
export const pauseRebuild: Decider<ActOnTables, ActedOn> = onTables(
  "PauseRebuild",
  ({ projection, noteId, happenedAt }, { rebuild }) => {
    if (rebuild === null) {
      return refuse("no_rebuild");
    }
    const data = { projection, rebuildId: rebuild.id, noteId };
    const event = rebuild.isPaused ? null : emit(RebuildPaused, data, facts(happenedAt));
    return { rebuildId: rebuild.id, event };
  },
);

/** Rejects 409 `no_rebuild`. One that runs is no event, unless it failed. */
export const resumeRebuild: Decider<ActOnTables, ActedOn> = onTables(
  "ResumeRebuild",
  ({ projection, facts: { hasFailed }, noteId, happenedAt }, { rebuild }) => {
    if (rebuild === null) {
      return refuse("no_rebuild");
    }
    const data = { projection, rebuildId: rebuild.id, noteId };
    const isRunning = !rebuild.isPaused && !hasFailed;
    const event = isRunning ? null : emit(RebuildResumed, data, facts(happenedAt));
    return { rebuildId: rebuild.id, event };
  },
);

/** Rejects 409 `no_rebuild`. */
export const cancelRebuild: Decider<ActOnTables, ActedOn> = onTables(
  "CancelRebuild",
  ({ projection, noteId, happenedAt }, { rebuild }) => {
    if (rebuild === null) {
      return refuse("no_rebuild");
    }
    const data = { projection, rebuildId: rebuild.id, noteId };
    return { rebuildId: rebuild.id, event: emit(RebuildCanceled, data, facts(happenedAt)) };
  },
);

/** Rejects 409 `no_rebuild`, `not_ready`, and `would_hide_rows` without `acceptHeld`. */
export const flipTables: Decider<FlipTables, ActedOn> = onTables(
  "FlipProjection",
  ({ projection, facts: { isReady, newlyHeld }, acceptHeld, noteId, happenedAt }, { rebuild }) => {
    if (rebuild === null) {
      return refuse("no_rebuild");
    }
    if (!isReady) {
      return refuse("not_ready");
    }
    if (newlyHeld > 0 && !acceptHeld) {
      return refuse("would_hide_rows", { newlyHeld });
    }
    const data = { projection, rebuildId: rebuild.id, acceptHeld, noteId };
    return { rebuildId: rebuild.id, event: emit(ProjectionFlipped, data, facts(happenedAt)) };
  },
);

/**
 * Rejects 409 `rebuild_running`, `act_under_way`, `nothing_older`, `older_of_other_version`, and `would_hide_rows` without
 * `acceptHeld`.
 */
export const takeBackFlip: Decider<TableCommand, ActedOn> = onTables(
  "TakeBackFlip",
  ({ projection, id, facts: found, acceptHeld, noteId, happenedAt }, { rebuild }) => {
    const { isBusy, older, olderNewlyHeld } = found;
    if (rebuild !== null) {
      return refuse("rebuild_running");
    }
    if (isBusy) {
      return refuse("act_under_way");
    }
    if (older !== "showable") {
      return refuse(older === "none" ? "nothing_older" : "older_of_other_version");
    }
    if (olderNewlyHeld > 0 && !acceptHeld) {
      return refuse("would_hide_rows", { newlyHeld: olderNewlyHeld });
    }
    const data = { projection, takeBackId: id, noteId };
    return { rebuildId: id, event: emit(FlipReverted, data, facts(happenedAt)) };
  },
);

export type FoldAgain = {
  readonly projection: string;
  /** Null for all held keys of the projection. */
  readonly key: string | null;
  /** How many of them are held back. */
  readonly held: number;
  readonly noteId: string;
  readonly happenedAt: string;
};

/** Rejects 404 `key_not_held`. */
export const foldAgain: Decider<FoldAgain, { readonly keys: number }> = {
  type: "FoldHeldKeysAgain",
  streams: () => [OPERATIONS],
  decide: ({ projection, key, held, noteId, happenedAt }) =>
    held === 0
      ? refuse("key_not_held")
      : accept([emit(HeldKeysRefolded, { projection, key, noteId }, facts(happenedAt))], {
          keys: held,
        }),
};

export type ActOnJob = {
  readonly queue: string;
  readonly jobId: string;
  /** What was found: null if there is no such job. */
  readonly hasFailed: boolean | null;
  readonly noteId: string;
  readonly happenedAt: string;
};

function onJob(
  type: string,
  definition: typeof JobRetried | typeof JobDropped,
): Decider<ActOnJob, { readonly jobId: string }> {
  return {
    type,
    streams: () => [OPERATIONS],
    decide: ({ queue, jobId, hasFailed, noteId, happenedAt }) => {
      if (hasFailed === null) {
        return refuse("job_not_found");
      }
      return hasFailed
        ? accept([emit(definition, { queue, jobId, noteId }, facts(happenedAt))], { jobId })
        : refuse("job_not_failed");
    },
  };
}

/** Both reject 404 `job_not_found` and 409 `job_not_failed`. */
export const retryJob = onJob("RetryJob", JobRetried);
export const dropJob = onJob("DropJob", JobDropped);
