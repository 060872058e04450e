// Records what a script does to read tables as an operator's actions: the same events as on the screen, by `system:<script>`.
import { createHash, randomUUID } from "node:crypto";
import { createInterface } from "node:readline/promises";
import type { TransactionSql } from "postgres";
import { events, projections } from "../services/features.ts";
import type { ActOnTables } from "#features/operations/decider.ts";
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
import { countHeldNow } from "#features/operations/held-now.ts";
import { dropFailedJob, hasJobFailed, retryFailedJob } from "#features/operations/jobs-now.ts";
import type { FoundFacts } from "#features/operations/table-facts.ts";
import { readFacts } from "#features/operations/table-facts.ts";
import { createNotes, newNote } from "#identity/notes.ts";
import type { Decider } from "#ledger/decider.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import type { RebuildOrder, Wanted } from "#ledger/projection/orders.ts";
import { writeOrder } from "#ledger/projection/orders.ts";
import type { Books } from "./books.ts";
import type { CommandLine } from "./command-line.ts";
import { withWriter } from "./writer.ts";

/** Which order the script now carries out itself. */
export type OwnOrder = Pick<RebuildOrder, "projection" | "rebuildId">;

/** Each appends its event, or throws the refusal's sentence. Call them while holding the projection. */
export type Operator = {
  /** Starts a rebuild, or continues the open one. */
  readonly begin: (projection: string) => Promise<OwnOrder>;
  /** False if no rebuild is open. */
  readonly pause: (projection: string) => Promise<boolean>;
  readonly flip: (order: OwnOrder, newlyHeld: number, acceptHeld: boolean) => Promise<void>;
  /** Null if there is nothing older to go back to. */
  readonly takeBack: (projection: string, acceptHeld: boolean) => Promise<OwnOrder | null>;
  /** Null if no rebuild is open. */
  readonly cancel: (projection: string) => Promise<OwnOrder | null>;
  /** False if no such key is held back. */
  readonly foldAgain: (projection: string, key: string | null) => Promise<boolean>;
  /** Queues a failed job again, or deletes it, in the transaction of the event. */
  readonly settleJob: (act: "retry" | "drop", queue: string, jobId: string) => Promise<void>;
};

/** The reason from `--why`; a person at a terminal is asked for it. */
export async function reasonOf(line: CommandLine): Promise<string> {
  const given = line.values.get("why")?.[0]?.trim();
  if (given !== undefined && given !== "") {
    return given;
  }
  if (!process.stdin.isTTY || !process.stderr.isTTY || line.json) {
    return "No reason was given";
  }
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await asking.question("Why? (kept in the ledger) ");
  asking.close();
  return typed.trim() === "" ? "No reason was given" : typed.trim();
}

/** Runs `body` as the operator `system:<script>`, who gives this reason for everything. */
export function withOperator<Result>(
  books: Books,
  script: string,
  why: string,
  body: (operator: Operator) => Promise<Result>,
): Promise<Result> {
  return withWriter(books, `script-${script}`, (ledger) =>
    body(operatorOn({ books, ledger, actor: `system:${script}`, why })),
  );
}

type Parts = {
  readonly books: Books;
  readonly ledger: LedgerWriter;
  readonly actor: string;
  readonly why: string;
};

async function execute<Command extends { readonly noteId: string }>(
  { books, ledger, actor, why }: Parts,
  decider: Decider<Command, unknown>,
  commandWith: (noteId: string) => Command,
  also: (transaction: TransactionSql, noteId: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const key = randomUUID();
  const notes = createNotes(books.sql);
  const note = newNote(why, null);
  const outcome = await ledger.execute(decider, commandWith(note.id), {
    actor,
    scope: "store",
    key,
    requestHash: createHash("sha256").update(key).digest("hex"),
    inSameTransaction: async (transaction) => {
      await notes.write(transaction, note);
      await also(transaction, note.id);
    },
  });
  if (outcome.kind !== "accepted") {
    throw new Error(
      outcome.kind === "rejected"
        ? outcome.rejection.message
        : "Others are changing the same things right now; run it again",
    );
  }
}

function operatorOn(parts: Parts): Operator {
  const { sql } = parts.books;
  const find = (projection: string): Promise<FoundFacts> =>
    readFacts({ sql, readEvent: createReadEvent(events) }, projections, projection);
  const common =
    (projection: string, facts: FoundFacts["facts"]) =>
    (noteId: string): ActOnTables => ({
      projection,
      facts,
      noteId,
      happenedAt: new Date().toISOString(),
    });
  const write =
    (order: OwnOrder, wanted: Wanted, acceptHeld = false) =>
    (transaction: TransactionSql, orderId: string) =>
      writeOrder(transaction, { ...order, orderId, wanted, acceptHeld });
  return {
    async begin(projection) {
      const { facts, openRebuild } = await find(projection);
      const order: OwnOrder = { projection, rebuildId: openRebuild ?? randomUUID() };
      const command = common(projection, facts);
      await (openRebuild === null
        ? execute(
            parts,
            startRebuild,
            (noteId) => ({ ...command(noteId), id: order.rebuildId }),
            write(order, "built"),
          )
        : execute(parts, resumeRebuild, command, write(order, "built")));
      return order;
    },
    async pause(projection) {
      const { facts, openRebuild } = await find(projection);
      if (openRebuild !== null) {
        const order: OwnOrder = { projection, rebuildId: openRebuild };
        await execute(parts, pauseRebuild, common(projection, facts), write(order, "paused"));
      }
      return openRebuild !== null;
    },
    async flip(order, newlyHeld, acceptHeld) {
      const { facts } = await find(order.projection);
      // This process made the tables and saw that they are ready.
      const command = common(order.projection, { ...facts, isReady: true, newlyHeld });
      await execute(
        parts,
        flipTables,
        (noteId) => ({ ...command(noteId), acceptHeld }),
        write(order, "shown", acceptHeld),
      );
    },
    async takeBack(projection, acceptHeld) {
      const { facts } = await find(projection);
      if (facts.older === "none") {
        return null;
      }
      const order: OwnOrder = { projection, rebuildId: randomUUID() };
      const command = common(projection, facts);
      await execute(
        parts,
        takeBackFlip,
        (noteId) => ({ ...command(noteId), id: order.rebuildId, acceptHeld }),
        write(order, "taken-back", acceptHeld),
      );
      return order;
    },
    async cancel(projection) {
      const { facts, openRebuild } = await find(projection);
      if (openRebuild === null) {
        return null;
      }
      const order: OwnOrder = { projection, rebuildId: openRebuild };
      await execute(parts, cancelRebuild, common(projection, facts), write(order, "canceled"));
      return order;
    },
    foldAgain: (projection, key) => foldHeldAgain(parts, projection, key),
    settleJob: (act, queue, jobId) => settleJob(parts, act, queue, jobId),
  };
}

async function settleJob(
  parts: Parts,
  ...[act, queue, jobId]: Parameters<Operator["settleJob"]>
): Promise<void> {
  const [decider, carryOut] =
    act === "retry" ? [retryJob, retryFailedJob] : [dropJob, dropFailedJob];
  const hasFailed = await hasJobFailed(parts.books.sql, queue, jobId);
  const happenedAt = new Date().toISOString();
  await execute(
    parts,
    decider,
    (noteId) => ({ queue, jobId, hasFailed, noteId, happenedAt }),
    (transaction) => carryOut(transaction, queue, jobId),
  );
}

async function foldHeldAgain(
  parts: Parts,
  ...[projection, key]: Parameters<Operator["foldAgain"]>
): Promise<boolean> {
  const held = await countHeldNow(parts.books.sql, projection, key);
  if (held > 0) {
    const happenedAt = new Date().toISOString();
    const command = { projection, key, held, happenedAt };
    await execute(parts, foldAgain, (noteId) => ({ ...command, noteId }));
  }
  return held > 0;
}
