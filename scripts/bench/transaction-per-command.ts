// The contender of the ledger: a Kysely transaction for each command, doing the same work with the same deciders.
import { randomUUID } from "node:crypto";
import { sql as kyselySql } from "kysely";
import type { Generated, Transaction } from "kysely";
import { connect, kyselyOver } from "#db/connect.ts";
import type { Decider, StreamDefinition } from "#ledger/decider.ts";
import type { DecidedBatch, LoadedStream } from "#ledger/log/batch.ts";
import { decideBatch, definitionOf } from "#ledger/log/batch.ts";
import { isConflict } from "#ledger/log/failure.ts";
import type { ExecutionContext, Outcome } from "#ledger/log/ledger.ts";
import type { Executor } from "./shop.ts";

// The log's tables with the same keys and indexes; positions come from a sequence, and nothing is hashed.
const SCHEMA = `
  create table events (
    position bigint generated always as identity primary key, id uuid not null unique,
    type text not null, schema_version integer not null, data jsonb not null, actor text not null,
    key_scope text not null, command_key text not null, happened_at timestamptz not null,
    recorded_at timestamptz not null default now());
  create table postings (
    position bigint not null, ordinal integer not null, from_account text not null, to_account text not null,
    cents bigint not null, primary key (position, ordinal));
  create table movements (
    position bigint not null, ordinal integer not null, from_holding text not null, to_holding text not null,
    units bigint not null, primary key (position, ordinal));
  create table event_streams (
    stream_id text not null, version bigint not null, position bigint not null,
    primary key (stream_id, version));
  create index on event_streams (position);
  create table streams (
    id text primary key, version bigint not null, state jsonb not null, state_version integer not null
  ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
  create table command_keys (
    scope text not null, key text not null, request_hash text not null, answer jsonb not null,
    position bigint not null, primary key (scope, key));`;

type Tables = {
  events: {
    position: Generated<number>;
    id: string;
    type: string;
    schema_version: number;
    data: unknown;
    actor: string;
    key_scope: string;
    command_key: string;
    happened_at: string;
  };
  postings: {
    position: number;
    ordinal: number;
    from_account: string;
    to_account: string;
    cents: number;
  };
  movements: {
    position: number;
    ordinal: number;
    from_holding: string;
    to_holding: string;
    units: number;
  };
  event_streams: { stream_id: string; version: number; position: number };
  streams: { id: string; version: number; state: unknown; state_version: number };
  command_keys: {
    scope: string;
    key: string;
    request_hash: string;
    answer: unknown;
    position: number;
  };
};

type Trx = Transaction<Tables>;

export type TransactionStore = Executor & { readonly close: () => Promise<void> };

/** Makes its tables in an empty database and opens a pool of `connections`. */
export async function openTransactionStore(
  ownerUrl: string,
  streams: ReadonlyMap<string, StreamDefinition<unknown>>,
  connections: number,
): Promise<TransactionStore> {
  const sql = connect(ownerUrl, { applicationName: "bench-kysely", maxConnections: connections });
  await sql.unsafe(SCHEMA);
  const db = kyselyOver<Tables>(sql);
  return {
    execute: <Command, Answer>(
      decider: Decider<Command, Answer>,
      command: Command,
      context: ExecutionContext,
    ): Promise<Outcome<Answer>> =>
      tryAgain(() =>
        db
          .transaction()
          .execute((trx) => decideAndWrite(trx, streams, { decider, command, context })),
      ),
    // Not Kysely's own destroy: it would wait forever for a connection that a failed command still has.
    close: () => sql.end({ timeout: 5 }),
  };
}

type Sent<Command, Answer> = {
  readonly decider: Decider<Command, Answer>;
  readonly command: Command;
  readonly context: ExecutionContext;
};

/** Two commands that create the same stream cannot lock a row that does not exist yet, so the slower one is retried. */
async function tryAgain<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act();
    } catch (error) {
      if (!isConflict(error) || tries >= 20) {
        throw error;
      }
    }
  }
}

async function decideAndWrite<Command, Answer>(
  trx: Trx,
  streams: ReadonlyMap<string, StreamDefinition<unknown>>,
  { decider, command, context }: Sent<Command, Answer>,
): Promise<Outcome<Answer>> {
  const known = await trx
    .selectFrom("command_keys")
    .select("position")
    .where("scope", "=", context.scope)
    .where("key", "=", context.key)
    .executeTakeFirst();
  if (known !== undefined) {
    return { kind: "key-reused" };
  }
  const loaded = await lockStates(trx, streams, decider.streams(command));
  const batch = decideBatch(
    [{ decider, command, context, resolve: () => undefined, reject: () => undefined }],
    loaded,
  );
  const decision = batch.decided[0]?.decision;
  if (decision?.kind !== "accepted") {
    throw new Error("A command of the benchmark was refused");
  }
  const position = await write(trx, batch, context, decision.answer);
  // This decider made the decision.
  const answer = decision.answer as Answer;
  return { kind: "accepted", answer, position, repeated: false };
}

async function lockStates(
  trx: Trx,
  register: ReadonlyMap<string, StreamDefinition<unknown>>,
  ids: readonly string[],
): Promise<Map<string, LoadedStream>> {
  const rows = await trx
    .selectFrom("streams")
    .select(["id", "version", "state"])
    .where("id", "in", ids)
    .orderBy("id")
    .forUpdate()
    .execute();
  return new Map(
    ids.map((id) => {
      const definition = definitionOf(register, id);
      const { version, state } = rows.find((row) => row.id === id) ?? {
        version: 0,
        state: definition.initial,
      };
      return [id, { definition, loadedVersion: version, version, state }];
    }),
  );
}

/** Inserts the command's one event with all that belongs to it, the states and the key. */
async function write(
  trx: Trx,
  batch: DecidedBatch,
  context: ExecutionContext,
  answer: unknown,
): Promise<number> {
  const [written] = batch.events;
  if (written === undefined) {
    throw new Error("The benchmark's commands write one event each");
  }
  const { event } = written;
  const { position } = await trx
    .insertInto("events")
    .values({
      id: randomUUID(),
      type: event.type,
      schema_version: event.schemaVersion,
      data: event.data,
      actor: context.actor,
      key_scope: context.scope,
      command_key: context.key,
      happened_at: event.happenedAt,
    })
    .returning("position")
    .executeTakeFirstOrThrow();
  if (event.postings.length > 0) {
    const rows = event.postings.map(({ from, to, cents }, ordinal) => ({
      position,
      ordinal,
      from_account: from,
      to_account: to,
      cents,
    }));
    await trx.insertInto("postings").values(rows).execute();
  }
  if (event.movements.length > 0) {
    const rows = event.movements.map(({ from, to, units }, ordinal) => ({
      position,
      ordinal,
      from_holding: from,
      to_holding: to,
      units,
    }));
    await trx.insertInto("movements").values(rows).execute();
  }
  await trx
    .insertInto("event_streams")
    .values(
      written.streams.map(({ streamId, version }) => ({ stream_id: streamId, version, position })),
    )
    .execute();
  await keepStates(trx, batch);
  await trx
    .insertInto("command_keys")
    .values({
      scope: context.scope,
      key: context.key,
      request_hash: context.requestHash,
      answer,
      position,
    })
    .execute();
  return position;
}

async function keepStates(trx: Trx, batch: DecidedBatch): Promise<void> {
  await trx
    .insertInto("streams")
    .values(
      [...batch.read].map(([id, { version, state, definition }]) => ({
        id,
        version,
        state,
        state_version: definition.stateVersion,
      })),
    )
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({
        version: kyselySql`excluded.version`,
        state: kyselySql`excluded.state`,
        state_version: kyselySql`excluded.state_version`,
      }),
    )
    .execute();
}
