// Turns a decided batch into the parameters of the append function, and the function's answer into data.
import type { Sql, TransactionSql } from "postgres";
import type {
  BatchEvent,
  Decided,
  DecidedBatch,
  LoadedStream,
  StoredAnswer,
} from "#ledger/log/batch.ts";
import { answerHash, canonicalJson, fieldHash } from "#ledger/log/chain.ts";
import { hexArray, jsonArray, numberArray, textArray } from "#ledger/log/encode.ts";
import type { ExecutionContext } from "#ledger/log/ledger.ts";

/** A key that the log already knows, with its answer. */
export type KnownKey = {
  readonly scope: string;
  readonly key: string;
  readonly requestHash: string;
  readonly answer: StoredAnswer;
  readonly position: number;
};

export type AppendResult =
  | {
      readonly kind: "appended";
      /** The log's last position before the batch; the batch's n-th event is at lastBefore + n. */
      readonly lastBefore: number;
      readonly headPosition: number;
      /** The link at the head, hex; null while the log is empty. */
      readonly headHash: string | null;
    }
  | { readonly kind: "streams" }
  | { readonly kind: "keys"; readonly known: readonly KnownKey[] };

const PARAMETERS = Array.from({ length: 37 }, (_, index) => `$${index + 1}`).join(", ");
const CALL = `select log.append(${PARAMETERS}) as result`;

/** The answer that is kept for a decision. A 404 is not kept, because what is missing may still be created. */
function storedAnswerOf(decided: Decided): StoredAnswer | undefined {
  const { decision } = decided;
  if (decision.kind === "accepted") {
    return { kind: "accepted", answer: decision.answer };
  }
  return decision.status === 409 ? { kind: "rejected", rejection: decision } : undefined;
}

/** An answer to keep. `offset` counts the batch's events up to and including its own, `events` only its own. */
type KeptAnswer = {
  readonly context: ExecutionContext;
  readonly json: string;
  readonly offset: number;
  readonly events: number;
};

type Keys = { readonly kept: readonly KeptAnswer[]; readonly asked: readonly ExecutionContext[] };

function keysOf(batch: DecidedBatch): Keys {
  const kept: KeptAnswer[] = [];
  const asked: ExecutionContext[] = [];
  for (const decided of batch.decided) {
    const answer = storedAnswerOf(decided);
    const { decision, offset, pending } = decided;
    if (answer === undefined) {
      asked.push(pending.context);
    } else {
      const events = decision.kind === "accepted" ? decision.events.length : 0;
      kept.push({ context: pending.context, json: canonicalJson(answer), offset, events });
    }
  }
  return { kept, asked };
}

function keyParameters({ kept, asked }: Keys): string[] {
  return [
    textArray(kept.map(({ context }) => context.scope)),
    textArray(kept.map(({ context }) => context.key)),
    hexArray(kept.map(({ context }) => context.requestHash)),
    jsonArray(kept.map(({ json }) => json)),
    numberArray(kept.map(({ offset }) => offset)),
    numberArray(kept.map(({ events }) => events)),
    textArray(asked.map(({ scope }) => scope)),
    textArray(asked.map(({ key }) => key)),
  ];
}

/** For each event of the batch: the hash of its command's answer if it is the command's first event, else null. */
function answerHashes(batch: DecidedBatch, { kept }: Keys): (string | null)[] {
  const hashes = batch.events.map((): string | null => null);
  for (const { context, json, offset, events } of kept) {
    if (events > 0) {
      hashes[offset - events] = answerHash({ ...context, answerJson: json });
    }
  }
  return hashes;
}

function streamParameters(batch: DecidedBatch): string[] {
  const read: [string, LoadedStream][] = [];
  const changed: [string, LoadedStream][] = [];
  for (const entry of batch.read) {
    (entry[1].version === entry[1].loadedVersion ? read : changed).push(entry);
  }
  return [
    textArray(read.map(([id]) => id)),
    numberArray(read.map(([, stream]) => stream.loadedVersion)),
    textArray(changed.map(([id]) => id)),
    numberArray(changed.map(([, stream]) => stream.loadedVersion)),
    numberArray(changed.map(([, stream]) => stream.version)),
    jsonArray(changed.map(([, stream]) => JSON.stringify(stream.state))),
    numberArray(changed.map(([, stream]) => stream.definition.stateVersion)),
  ];
}

function eventParameters(batch: DecidedBatch, keys: Keys, ids: readonly string[]): string[] {
  const { events } = batch;
  const answers = answerHashes(batch, keys);
  const datas = events.map(({ event }) => canonicalJson(event.data));
  const hashes = events.map(({ event, context, streams }, index) =>
    fieldHash(
      {
        id: ids[index] ?? "",
        type: event.type,
        schemaVersion: event.schemaVersion,
        data: event.data,
        actor: context.actor,
        keyScope: context.scope,
        commandKey: context.key,
        happenedAtMicros: BigInt(Date.parse(event.happenedAt)) * 1000n,
        postings: event.postings,
        movements: event.movements,
        streams,
      },
      { form: 2, answerHash: answers[index] ?? null },
      datas[index],
    ),
  );
  return [
    textArray(ids),
    textArray(events.map(({ event }) => event.type)),
    numberArray(events.map(({ event }) => event.schemaVersion)),
    jsonArray(datas),
    textArray(events.map(({ context }) => context.actor)),
    textArray(events.map(({ context }) => context.scope)),
    textArray(events.map(({ context }) => context.key)),
    textArray(events.map(({ event }) => event.happenedAt)),
    hexArray(hashes),
  ];
}

/** The typed rows or streams of events, each with the event's number in the batch and its own ordinal. */
function numbered<Row>(
  batch: DecidedBatch,
  rowsOf: (event: BatchEvent) => readonly Row[],
): { numbers: number[]; ordinals: number[]; rows: Row[] } {
  const numbers: number[] = [];
  const ordinals: number[] = [];
  const rows: Row[] = [];
  for (const [index, event] of batch.events.entries()) {
    for (const [ordinal, row] of rowsOf(event).entries()) {
      numbers.push(index + 1);
      ordinals.push(ordinal);
      rows.push(row);
    }
  }
  return { numbers, ordinals, rows };
}

function rowParameters(batch: DecidedBatch): string[] {
  const postings = numbered(batch, ({ event }) => event.postings);
  const movements = numbered(batch, ({ event }) => event.movements);
  const streams = numbered(batch, (event) => event.streams);
  return [
    numberArray(postings.numbers),
    numberArray(postings.ordinals),
    textArray(postings.rows.map(({ from }) => from)),
    textArray(postings.rows.map(({ to }) => to)),
    numberArray(postings.rows.map(({ cents }) => cents)),
    numberArray(movements.numbers),
    numberArray(movements.ordinals),
    textArray(movements.rows.map(({ from }) => from)),
    textArray(movements.rows.map(({ to }) => to)),
    numberArray(movements.rows.map(({ units }) => units)),
    numberArray(streams.numbers),
    textArray(streams.rows.map(({ streamId }) => streamId)),
    numberArray(streams.rows.map(({ version }) => version)),
  ];
}

/**
 * One commit for the whole batch, including the rows outside the log that its events refer to. Throws what PostgreSQL
 * throws.
 */
export async function appendBatch(
  sql: Sql | TransactionSql,
  batch: DecidedBatch,
  newId: () => string,
): Promise<AppendResult> {
  const writes = batch.decided.flatMap(({ decision, pending: { context } }) =>
    decision.kind === "accepted" &&
    decision.events.length > 0 &&
    context.inSameTransaction !== undefined
      ? [context.inSameTransaction]
      : [],
  );
  if (writes.length === 0) {
    return callAppend(sql, batch, newId);
  }
  const appendAndWrite = async (transaction: TransactionSql): Promise<AppendResult> => {
    const result = await callAppend(transaction, batch, newId);
    for (const write of result.kind === "appended" ? writes : []) {
      await write(transaction);
    }
    return result;
  };
  return "savepoint" in sql ? appendAndWrite(sql) : sql.begin(appendAndWrite);
}

/** One call of the append function. */
async function callAppend(
  sql: Sql | TransactionSql,
  batch: DecidedBatch,
  newId: () => string,
): Promise<AppendResult> {
  const ids = batch.events.map(() => newId());
  const keys = keysOf(batch);
  // The function's answer, in its documented shape.
  const [row] = await sql.unsafe<{ result: AppendResult }[]>(
    CALL,
    [
      ...streamParameters(batch),
      ...keyParameters(keys),
      ...eventParameters(batch, keys, ids),
      ...rowParameters(batch),
    ],
    { prepare: true },
  );
  if (row === undefined) {
    throw new Error("The append function returned nothing");
  }
  return row.result;
}
