// Specs of operators' actions: given what they did and what the tables are like, when one acts, then what.
import { describe, expect, test } from "vitest";
import type { Decider } from "#ledger/decider.ts";
import type { ActedOn, ActOnTables, ProjectionFacts } from "#features/operations/decider.ts";
import {
  cancelRebuild,
  dropJob,
  flipTables,
  foldAgain,
  pauseRebuild,
  resumeRebuild,
  retryJob,
  startRebuild,
  takeBackFlip,
} from "#features/operations/decider.ts";
import { actsOn, OPERATIONS, operationsStream } from "#features/operations/streams.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";

const happenedAt = "2024-05-31T12:00:00.000Z";
const noteId = "00000000-0000-4000-8000-000000000001";
const idOf = (number: number) => `00000000-0000-4000-8000-00000000010${number}`;

const calm: ProjectionFacts = {
  acts: 0,
  version: 1,
  isBusy: false,
  hasFailed: false,
  isReady: false,
  newlyHeld: 0,
  older: "none",
  olderNewlyHeld: 0,
};

function desk() {
  const books = memoryBooks();
  /** Acts on balances as somebody who has seen everything that was done so far, except where `facts` say otherwise. */
  const act = <Command extends ActOnTables>(
    decider: Decider<Command, ActedOn>,
    more: Omit<Command, keyof ActOnTables>,
    facts: Partial<ProjectionFacts> = {},
  ) => {
    const seen = actsOn(books.stream(operationsStream, OPERATIONS).state, "balances").acts;
    const common = { projection: "balances", noteId, happenedAt };
    const command = { ...common, facts: { ...calm, acts: seen, ...facts }, ...more };
    return books.when(decider, command as Command);
  };
  return { books, act };
}

const added = (type: string) => ({ kind: "accepted", added: [{ type, streams: [OPERATIONS] }] });
const refused = (code: string, status = 409) => ({ kind: "rejected", status, code });

describe("a rebuild", () => {
  test("starts once, whoever asks, and not for tables that do not exist", () => {
    const { act } = desk();
    expect(act(startRebuild, { id: idOf(1) }, { version: null })).toMatchObject(
      refused("unknown_projection", 404),
    );
    expect(act(startRebuild, { id: idOf(1) }, { isBusy: true })).toMatchObject(
      refused("act_under_way"),
    );
    expect(act(startRebuild, { id: idOf(1) })).toMatchObject({
      ...added("RebuildStarted"),
      answer: { rebuildId: idOf(1) },
    });
    expect(act(startRebuild, { id: idOf(2) })).toMatchObject(refused("rebuild_running"));
  });

  test("is paused and resumed once each; repeating either is no event", () => {
    const { act } = desk();
    expect(act(pauseRebuild, {})).toMatchObject(refused("no_rebuild"));
    expect(act(resumeRebuild, {})).toMatchObject(refused("no_rebuild"));
    act(startRebuild, { id: idOf(1) });
    expect(act(pauseRebuild, {})).toMatchObject(added("RebuildPaused"));
    expect(act(pauseRebuild, {})).toMatchObject({ kind: "accepted", added: [] });
    expect(act(resumeRebuild, {})).toMatchObject(added("RebuildResumed"));
    expect(act(resumeRebuild, {})).toMatchObject({ kind: "accepted", added: [] });
    expect(act(resumeRebuild, {}, { hasFailed: true })).toMatchObject(added("RebuildResumed"));
  });

  test("is canceled only while there is one", () => {
    const { act } = desk();
    expect(act(cancelRebuild, {})).toMatchObject(refused("no_rebuild"));
    act(startRebuild, { id: idOf(1) });
    expect(act(cancelRebuild, {})).toMatchObject(added("RebuildCanceled"));
    expect(act(cancelRebuild, {})).toMatchObject(refused("no_rebuild"));
    expect(act(startRebuild, { id: idOf(2) })).toMatchObject(added("RebuildStarted"));
  });

  test("is switched to once it is ready, and hides rows only if the operator accepts that", () => {
    const { act } = desk();
    expect(act(flipTables, { acceptHeld: false })).toMatchObject(refused("no_rebuild"));
    act(startRebuild, { id: idOf(1) });
    expect(act(flipTables, { acceptHeld: false })).toMatchObject(refused("not_ready"));
    const hiding = { isReady: true, newlyHeld: 3 };
    expect(act(flipTables, { acceptHeld: false }, hiding)).toMatchObject({
      ...refused("would_hide_rows"),
      current: { newlyHeld: 3 },
    });
    expect(act(flipTables, { acceptHeld: true }, hiding)).toMatchObject(added("ProjectionFlipped"));
    expect(act(flipTables, { acceptHeld: true }, hiding)).toMatchObject(refused("no_rebuild"));
  });

  test("is refused to an operator who has not seen what another one just did", () => {
    const { act } = desk();
    act(startRebuild, { id: idOf(1) });
    const late = { acts: 0, isReady: true };
    expect(act(flipTables, { acceptHeld: false }, late)).toMatchObject(
      refused("operation_overtaken"),
    );
    expect(act(cancelRebuild, {}, late)).toMatchObject(refused("operation_overtaken"));
  });

  test("of one projection is not in the way of another one's", () => {
    const { books, act } = desk();
    act(startRebuild, { id: idOf(1) });
    const other = { projection: "sales", facts: calm, noteId, happenedAt, id: idOf(2) };
    expect(books.when(startRebuild, other)).toMatchObject(added("RebuildStarted"));
  });
});

test("a switch is taken back if there is something older, and not during a rebuild", () => {
  const { act } = desk();
  expect(act(takeBackFlip, { id: idOf(1), acceptHeld: false })).toMatchObject(
    refused("nothing_older"),
  );
  expect(
    act(takeBackFlip, { id: idOf(1), acceptHeld: false }, { older: "showable", isBusy: true }),
  ).toMatchObject(refused("act_under_way"));
  expect(
    act(takeBackFlip, { id: idOf(1), acceptHeld: false }, { older: "other-version" }),
  ).toMatchObject(refused("older_of_other_version"));
  expect(
    act(takeBackFlip, { id: idOf(1), acceptHeld: false }, { older: "showable" }),
  ).toMatchObject(added("FlipReverted"));
  act(startRebuild, { id: idOf(2) });
  expect(
    act(takeBackFlip, { id: idOf(3), acceptHeld: false }, { older: "showable" }),
  ).toMatchObject(refused("rebuild_running"));
});

test("a switch back that would hide rows has to be confirmed", () => {
  const { act } = desk();
  const facts = { older: "showable", olderNewlyHeld: 2 } as const;
  expect(act(takeBackFlip, { id: idOf(1), acceptHeld: false }, facts)).toMatchObject({
    ...refused("would_hide_rows"),
    current: { newlyHeld: 2 },
  });
  expect(act(takeBackFlip, { id: idOf(1), acceptHeld: true }, facts)).toMatchObject(
    added("FlipReverted"),
  );
});

test("held rows are replayed only if they are held", () => {
  const { books } = desk();
  const command = { projection: "balances", key: "store:cash", held: 0, noteId, happenedAt };
  expect(books.when(foldAgain, command)).toMatchObject(refused("key_not_held", 404));
  expect(books.when(foldAgain, { ...command, held: 1 })).toMatchObject(added("HeldKeysRefolded"));
});

test("jobs are retried and dropped only if they failed", () => {
  const { books } = desk();
  const command = { queue: "trade-letters", jobId: idOf(1), noteId, happenedAt };
  for (const [decider, type] of [
    [retryJob, "JobRetried"],
    [dropJob, "JobDropped"],
  ] as const) {
    expect(books.when(decider, { ...command, hasFailed: null })).toMatchObject(
      refused("job_not_found", 404),
    );
    expect(books.when(decider, { ...command, hasFailed: false })).toMatchObject(
      refused("job_not_failed"),
    );
    expect(books.when(decider, { ...command, hasFailed: true })).toMatchObject(added(type));
  }
});
