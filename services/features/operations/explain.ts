// How operators' actions read in their log.
import type { FeatureExplanations, OperatorWords } from "#features/histories.ts";
import type { operationsEvents } from "#features/operations/events.ts";

const inNoOther = { consignor: null, item: null, user: null } as const;

type Told = { readonly noteId: string };

function tables<Data extends Told>(
  describe: (data: Data) => string,
  orderOf: (data: Data) => string | null = () => null,
) {
  return { ...inNoOther, operations: { kind: "tables", read: worded(describe, orderOf) } } as const;
}

function jobs<Data extends Told>(describe: (data: Data) => string) {
  return {
    ...inNoOther,
    operations: { kind: "jobs", read: worded(describe, () => null) },
  } as const;
}

function worded<Data extends Told>(
  describe: (data: Data) => string,
  orderOf: (data: Data) => string | null,
) {
  return (data: Data): OperatorWords => ({
    description: describe(data),
    orderId: orderOf(data),
    noteId: data.noteId,
  });
}

export const operationsExplanations: FeatureExplanations<typeof operationsEvents> = {
  RebuildStarted: tables(
    ({ projection, version }) => `Started a rebuild of ${projection} (version ${version})`,
  ),
  RebuildPaused: tables(({ projection }) => `Paused the rebuild of ${projection}`),
  RebuildResumed: tables(({ projection }) => `Resumed the rebuild of ${projection}`),
  RebuildCanceled: tables(({ projection }) => `Canceled the rebuild of ${projection}`),
  // Events are orders: that tables are shown is not true yet when they are recorded.
  ProjectionFlipped: tables(
    ({ projection, acceptHeld }) =>
      `Asked to switch to the rebuilt tables of ${projection}${acceptHeld ? ", although rows are missing" : ""}`,
    ({ rebuildId }) => rebuildId,
  ),
  FlipReverted: tables(
    ({ projection }) => `Asked to switch ${projection} back to its earlier tables`,
    ({ takeBackId }) => takeBackId,
  ),
  HeldKeysRefolded: tables(({ projection, key }) =>
    key === null
      ? `Asked to replay all held rows of ${projection}`
      : `Asked to replay the held row ${key} of ${projection}`,
  ),
  JobRetried: jobs(({ queue }) => `Retried a job of ${queue}`),
  JobDropped: jobs(({ queue }) => `Dropped a job of ${queue}`),
};
