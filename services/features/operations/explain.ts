// How operators' actions read in their log.
import type { FeatureExplanations, OperatorWords } from "#features/histories.ts";
import type { operationsEvents } from "#features/operations/events.ts";

const inNoOther = { consignor: null, item: null, user: null } as const;

type Told = { readonly noteId: string };

function tables<Data extends Told>(describe: (data: Data) => string) {
  return { ...inNoOther, operations: { kind: "tables", read: worded(describe) } } as const;
}

function jobs<Data extends Told>(describe: (data: Data) => string) {
  return { ...inNoOther, operations: { kind: "jobs", read: worded(describe) } } as const;
}

function worded<Data extends Told>(describe: (data: Data) => string) {
  return (data: Data): OperatorWords => ({ description: describe(data), noteId: data.noteId });
}

export const operationsExplanations: FeatureExplanations<typeof operationsEvents> = {
  RebuildStarted: tables(
    ({ projection, version }) => `Started a rebuild of ${projection} (version ${version})`,
  ),
  RebuildPaused: tables(({ projection }) => `Paused the rebuild of ${projection}`),
  RebuildResumed: tables(({ projection }) => `Resumed the rebuild of ${projection}`),
  RebuildCanceled: tables(({ projection }) => `Canceled the rebuild of ${projection}`),
  ProjectionFlipped: tables(({ projection, acceptHeld }) =>
    acceptHeld
      ? `Switched to the rebuilt tables of ${projection}, although rows are missing`
      : `Switched to the rebuilt tables of ${projection}`,
  ),
  FlipReverted: tables(({ projection }) => `Switched ${projection} back to its earlier tables`),
  HeldKeysRefolded: tables(({ projection, key }) =>
    key === null
      ? `Replayed all held rows of ${projection}`
      : `Replayed the held row ${key} of ${projection}`,
  ),
  JobRetried: jobs(({ queue }) => `Retried a job of ${queue}`),
  JobDropped: jobs(({ queue }) => `Dropped a job of ${queue}`),
};
