// A store from before kept answers were part of the proof: the schema up to a migration, and the append of that time.
import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "#db/connect.ts";
import { appRole } from "#db/embedded.ts";
import { migrate } from "#db/migrate.ts";
import type { NewEvent } from "#ledger/event.ts";
import { canonicalJson, fieldHash } from "#ledger/log/chain.ts";
import { hexArray, jsonArray, numberArray, textArray } from "#ledger/log/encode.ts";
import type { ExecutionContext } from "#ledger/log/ledger.ts";

/** Applies the migrations up to this number and no further. */
export async function migrateUpTo(ownerUrl: string, lastNumber: number): Promise<void> {
  const source = join(import.meta.dirname, "..", "..", "..", "migrations");
  const folder = await mkdtemp(join(tmpdir(), "ledger-older-"));
  try {
    for (const file of await readdir(source)) {
      if (Number(file.slice(0, 4)) <= lastNumber) {
        await copyFile(join(source, file), join(folder, file));
      }
    }
    await migrate({ ownerUrl, appRole, folder });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** One decided command: its events, each with the version of its only stream after it. */
export type OlderCommand = {
  readonly context: ExecutionContext;
  readonly answer: unknown;
  readonly events: readonly (NewEvent & { readonly id: string; readonly version: number })[];
  /** The stream's state after them. */
  readonly state: unknown;
};

/** Appends a command with the function of migration 0002, in the canonical form of that time. */
export async function appendAsBefore(sql: Sql, command: OlderCommand): Promise<void> {
  const { context, events } = command;
  const ofEach = <Row>(rowsOf: (event: NewEvent) => readonly Row[]) =>
    events.flatMap((event, index) =>
      rowsOf(event).map((row, ordinal) => ({ row, number: index + 1, ordinal })),
    );
  const postings = ofEach(({ postings: rows }) => rows);
  const movements = ofEach(({ movements: rows }) => rows);
  const [stream] = events[0]?.streams ?? [];
  const streams = stream === undefined ? [] : [stream];
  const lastVersion = events.at(-1)?.version ?? 0;
  const parameters = [
    "{}",
    "{}",
    textArray(streams),
    numberArray(streams.map(() => lastVersion - events.length)),
    numberArray(streams.map(() => lastVersion)),
    jsonArray(streams.map(() => JSON.stringify(command.state))),
    numberArray(streams.map(() => 1)),
    textArray([context.scope]),
    textArray([context.key]),
    hexArray([context.requestHash]),
    jsonArray([JSON.stringify(command.answer)]),
    numberArray([events.length]),
    "{}",
    "{}",
    textArray(events.map(({ id }) => id)),
    textArray(events.map(({ type }) => type)),
    numberArray(events.map(({ schemaVersion }) => schemaVersion)),
    jsonArray(events.map(({ data }) => canonicalJson(data))),
    textArray(events.map(() => context.actor)),
    textArray(events.map(() => context.scope)),
    textArray(events.map(() => context.key)),
    textArray(events.map(({ happenedAt }) => happenedAt)),
    hexArray(
      events.map((event) =>
        fieldHash(
          {
            ...event,
            actor: context.actor,
            keyScope: context.scope,
            commandKey: context.key,
            happenedAtMicros: BigInt(Date.parse(event.happenedAt)) * 1000n,
            streams: event.streams.map((streamId) => ({ streamId, version: event.version })),
          },
          { form: 1 },
        ),
      ),
    ),
    numberArray(postings.map(({ number }) => number)),
    numberArray(postings.map(({ ordinal }) => ordinal)),
    textArray(postings.map(({ row }) => row.from)),
    textArray(postings.map(({ row }) => row.to)),
    numberArray(postings.map(({ row }) => row.cents)),
    numberArray(movements.map(({ number }) => number)),
    numberArray(movements.map(({ ordinal }) => ordinal)),
    textArray(movements.map(({ row }) => row.from)),
    textArray(movements.map(({ row }) => row.to)),
    numberArray(movements.map(({ row }) => row.units)),
    numberArray(events.map((_event, index) => index + 1)),
    textArray(events.flatMap((event) => event.streams)),
    numberArray(events.map(({ version }) => version)),
  ];
  const places = parameters.map((_value, index) => `$${index + 1}`).join(", ");
  const [row] = await sql.unsafe<{ result: { kind: string } }[]>(
    `select log.append(${places}) as result`,
    parameters,
  );
  if (row?.result.kind !== "appended") {
    throw new Error(`The older append answered ${row?.result.kind}`);
  }
}
