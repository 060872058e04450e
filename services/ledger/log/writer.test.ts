// The log's promises on a real PostgreSQL: one commit for many commands, each exactly once, in one order, unchangeable.
import { createHash, randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "#db/connect.ts";
import { accept } from "#ledger/decider.ts";
import type { ExecutionContext } from "#ledger/log/ledger.ts";
import { readHead, readRange } from "#ledger/log/read.ts";
import { foldStream } from "#ledger/log/streams.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { openLedger } from "#ledger/log/writer.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { testDatabase } from "#testing/database/test-database.ts";
import { fillJar, payOut, jarEvents, jarStream, jarStreams } from "#testing/jar/jar.ts";

let database: TestDatabase;
let ledger: LedgerWriter;
const writers: LedgerWriter[] = [];
const clients: ReturnType<typeof connect>[] = [];

function openWriter(settings: { readonly collectMs?: number } = {}): LedgerWriter {
  const sql = connect(database.appUrl, { applicationName: "writer", maxConnections: 1 });
  clients.push(sql);
  const writer = openLedger({
    sql,
    streams: jarStreams,
    events: jarEvents,
    newId: randomUUID,
    ...settings,
  });
  writers.push(writer);
  return writer;
}

function under(key: string, request = key): ExecutionContext {
  return {
    actor: "system:test",
    scope: "store",
    key,
    requestHash: createHash("sha256").update(request).digest("hex"),
  };
}

beforeAll(async () => {
  database = await testDatabase();
  ledger = openWriter();
});

afterAll(async () => {
  await Promise.all(writers.map((writer) => writer.close()));
  await Promise.all(clients.map((client) => client.end()));
  await database.close();
});

describe("collecting commands", () => {
  /** A writer, the sizes of its batches, and a command with a jar of its own. */
  function watched(collectMs: number) {
    const writer = openWriter({ collectMs });
    const sizes: number[] = [];
    writer.watch({
      onBatch: ({ decided }) => void sizes.push(decided.length),
      onConflict: () => undefined,
    });
    const fill = (jar: string) => writer.execute(fillJar, { jar, cents: 1 }, under(randomUUID()));
    return { sizes, fill };
  }

  it("waits a moment after a batch of several, so that the next one is larger", async () => {
    const { sizes, fill } = watched(200);
    const first = Promise.all([fill("a"), fill("b")]);
    await nextTurn();
    const third = fill("c");
    await first;
    await nextTurn();
    await Promise.all([third, fill("d")]);
    expect(sizes).toEqual([2, 2]);
  });

  it("does not wait while commands come one by one, or when nobody else waits", async () => {
    const { sizes, fill } = watched(600_000);
    const first = fill("a");
    await nextTurn();
    await Promise.all([first, fill("b")]);
    await Promise.all([fill("c"), fill("d")]);
    await nextTurn();
    await fill("e");
    expect(sizes).toEqual([1, 1, 2, 1]);
  });

  it("does not wait either when enough for a batch are waiting", async () => {
    const { sizes, fill } = watched(600_000);
    const first = Promise.all([fill("m"), fill("n")]);
    await nextTurn();
    await Promise.all([first, ...["o", "p", "q", "r", "s", "t", "u", "v"].map(fill)]);
    expect(sizes).toEqual([2, 8]);
  });
});

describe("accepting and rejecting", () => {
  it("appends an accepted command with its typed rows and answers its position", async () => {
    const outcome = await ledger.execute(fillJar, { jar: "one", cents: 250 }, under("one-1"));
    expect(outcome).toMatchObject({ kind: "accepted", answer: { cents: 250 }, repeated: false });
    const head = await readHead(database.sql);
    const [event] = await readRange(database.sql, head.position - 1, head.position);
    expect(event).toMatchObject({
      type: "JarFilled",
      data: { jar: "one", cents: 250 },
      actor: "system:test",
      postings: [{ from: "world:customers", to: "jar-one", cents: 250 }],
      movements: [{ from: "world:received", to: "coins", units: 1 }],
      streams: [{ streamId: "jar-one", version: 1 }],
    });
  });

  it("rejects with the decider's code and appends nothing", async () => {
    await ledger.execute(fillJar, { jar: "low", cents: 5 }, under("low-1"));
    const before = await readHead(database.sql);
    const outcome = await ledger.execute(
      payOut,
      { from: "low", to: "one", cents: 6 },
      under("low-2"),
    );
    expect(outcome).toMatchObject({
      kind: "rejected",
      rejection: { status: 409, code: "jar_too_low" },
      position: before.position,
    });
    expect(await readHead(database.sql)).toEqual(before);
  });

  it("reports a bug only to its own sender, whatever else is in the batch", async () => {
    const outcomes = await Promise.allSettled(
      [100, 13, 200].map((cents, index) =>
        ledger.execute(fillJar, { jar: "shared", cents }, under(`shared-${index}`)),
      ),
    );
    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
  });

  it("splits a batch that PostgreSQL refuses until only the failing command is left", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 9 }, (_, index) =>
        ledger.execute(
          fillJar,
          { jar: "split", cents: 10, note: index === 4 ? "a \u0000 in text" : "fine" },
          under(`split-${index}`),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome.status === "rejected")).toHaveLength(1);
    expect(
      (await foldStream(database.sql, { streams: jarStreams, events: jarEvents }, "jar-split"))
        .state,
    ).toEqual({ cents: 80 });
  });
});

describe("idempotency keys", () => {
  it("gives a repeated command the first answer and no second event", async () => {
    const first = await ledger.execute(fillJar, { jar: "again", cents: 70 }, under("again"));
    const second = await ledger.execute(fillJar, { jar: "again", cents: 70 }, under("again"));
    expect(second).toEqual({ ...first, repeated: true });
  });

  it("lets a repeated command in the same batch wait for the first", async () => {
    const twins = await Promise.all(
      Array.from({ length: 20 }, () =>
        ledger.execute(fillJar, { jar: "twin", cents: 1 }, under("twin")),
      ),
    );
    expect(
      new Set(twins.map((twin) => JSON.stringify(twin.kind === "accepted" && twin.answer))).size,
    ).toBe(1);
    expect(twins.filter((twin) => twin.kind === "accepted" && !twin.repeated)).toHaveLength(1);
  });

  it("refuses a known key with another request", async () => {
    await ledger.execute(fillJar, { jar: "reuse", cents: 1 }, under("reuse", "a"));
    const outcome = await ledger.execute(fillJar, { jar: "reuse", cents: 2 }, under("reuse", "b"));
    expect(outcome).toEqual({ kind: "key-reused" });
  });

  it("keeps a rejection, but not that something is missing", async () => {
    const refused = () =>
      ledger.execute(payOut, { from: "one", to: "low", cents: 1_000_000 }, under("refused"));
    await refused();
    await ledger.execute(fillJar, { jar: "one", cents: 2_000_000 }, under("one-2"));
    expect(await refused()).toMatchObject({ kind: "rejected", repeated: true });

    const missing = () =>
      ledger.execute(payOut, { from: "new", to: "low", cents: 1 }, under("new-1"));
    expect(await missing()).toMatchObject({ kind: "rejected", rejection: { status: 404 } });
    await ledger.execute(fillJar, { jar: "new", cents: 5 }, under("new-2"));
    expect(await missing()).toMatchObject({ kind: "accepted" });
  });

  it("accepts a key only once when it is sent to two processes at the same time", async () => {
    const other = openWriter();
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        (index % 2 === 0 ? ledger : other).execute(
          fillJar,
          { jar: `both-${index >> 1}`, cents: 9 },
          under(`both-${index >> 1}`),
        ),
      ),
    );
    expect(
      outcomes.filter((outcome) => outcome.kind === "accepted" && !outcome.repeated),
    ).toHaveLength(100);
    expect(
      outcomes.filter((outcome) => outcome.kind === "accepted" && outcome.repeated),
    ).toHaveLength(100);
  });
});

describe("rows in the transaction of an event", () => {
  const kept = async (): Promise<string[]> => {
    const rows = await database.sql<
      { text: string }[]
    >`select text from read.same_transaction order by text`;
    return rows.map(({ text }) => text);
  };
  const keeping = (key: string, text: string): ExecutionContext => ({
    ...under(key),
    inSameTransaction: async (transaction) => {
      await transaction`insert into read.same_transaction values (${text})`;
    },
  });

  beforeAll(async () => {
    await database.sql`create table read.same_transaction (text text not null unique check (text <> 'bad'))`;
  });

  it("are written with the event of a command, once, however often it is sent", async () => {
    const fill = () =>
      ledger.execute(fillJar, { jar: "noted", cents: 3 }, keeping("noted", "noted"));
    const outcomes = await Promise.all([
      fill(),
      fill(),
      openWriter().execute(fillJar, { jar: "noted", cents: 3 }, keeping("noted", "noted")),
    ]);
    outcomes.push(await fill());
    expect(outcomes.filter((outcome) => "repeated" in outcome && !outcome.repeated)).toHaveLength(
      1,
    );
    expect(await kept()).toEqual(["noted"]);
  });

  it("are not written for a command that is refused, reuses a key or changes nothing", async () => {
    const before = await kept();
    const asked = [
      await ledger.execute(payOut, { from: "noted", to: "one", cents: 99 }, keeping("n-1", "a")),
      await ledger.execute(payOut, { from: "nobody", to: "one", cents: 1 }, keeping("n-2", "b")),
      await ledger.execute(
        fillJar,
        { jar: "noted", cents: 4 },
        {
          ...keeping("noted", "c"),
          requestHash: under("another request").requestHash,
        },
      ),
      await ledger.execute(
        { ...fillJar, decide: () => accept([], { cents: 0 }) },
        { jar: "noted", cents: 0 },
        keeping("n-3", "d"),
      ),
    ];
    expect(asked.map(({ kind }) => kind)).toEqual([
      "rejected",
      "rejected",
      "key-reused",
      "accepted",
    ]);
    expect(await kept()).toEqual(before);
  });

  it("that cannot be written refuse only their own command, whatever else is in the batch", async () => {
    const before = await readHead(database.sql);
    const outcomes = await Promise.allSettled(
      ["x", "bad", "y"].map((text) =>
        ledger.execute(fillJar, { jar: "joined", cents: 1 }, keeping(`joined-${text}`, text)),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect((await readHead(database.sql)).position).toBe(before.position + 2);
    expect(await kept()).toEqual(["noted", "x", "y"]);
  });
});

describe("many writers", () => {
  it("never overdraws a jar that four processes pay out from, and loses no command", async () => {
    const processes = [ledger, openWriter(), openWriter(), openWriter()];
    const seen = { conflicts: 0, decided: 0, events: 0 };
    for (const writer of processes) {
      writer.watch({
        onConflict: () => (seen.conflicts += 1),
        onBatch({ decided, events }) {
          seen.decided += decided.length;
          seen.events += events.length;
        },
      });
    }
    await ledger.execute(fillJar, { jar: "hot", cents: 300 }, under("hot"));
    const outcomes: Awaited<ReturnType<typeof ledger.execute>>[] = [];
    // In twenty waves: of all at once, each writer may make one batch, after the one before.
    for (let wave = 0; wave < 20; wave += 1) {
      const sent = Array.from({ length: 50 }, (_, index) =>
        (processes[index % 4] ?? ledger).execute(
          payOut,
          { from: "hot", to: `cold-${index % 7}`, cents: 1 },
          under(`hot-${wave}-${index}`),
        ),
      );
      outcomes.push(...(await Promise.all(sent)));
    }
    expect(outcomes.filter((outcome) => outcome.kind === "accepted")).toHaveLength(300);
    expect(outcomes.filter((outcome) => outcome.kind === "rejected")).toHaveLength(700);
    expect(seen).toMatchObject({ decided: 1_001, events: 301 });
    expect(seen.conflicts).toBeGreaterThan(0);
  });

  it("numbers positions and stream versions without a gap, in commit order", async () => {
    const [positions] = await database.sql<{ count: number; max: number }[]>`
      select count(*), max(position) from log.events`;
    expect(positions?.count).toBe(positions?.max);
    const gaps = await database.sql`
      select stream_id from log.event_streams group by stream_id having count(*) <> max(version)`;
    expect(gaps).toHaveLength(0);
  });

  it("keeps each stream's state equal to the fold of its events", async () => {
    const rows = await database.sql<{ id: string; version: number; state: unknown }[]>`
      select id, version, state from log.streams`;
    for (const row of rows) {
      const folded = await foldStream(
        database.sql,
        { streams: jarStreams, events: jarEvents },
        row.id,
      );
      expect(folded).toEqual({ version: row.version, state: row.state });
    }
  });

  it("folds a state of another version again before it decides", async () => {
    await ledger.execute(fillJar, { jar: "old", cents: 40 }, under("old-1"));
    await database.ownerSql`
      update log.streams set state = '{"euros": 1}', state_version = 0 where id = 'jar-old'`;
    // A new process, because this one still has the state in memory.
    const outcome = await openWriter().execute(fillJar, { jar: "old", cents: 2 }, under("old-2"));
    expect(outcome).toMatchObject({ answer: { cents: 42 } });
    const [row] = await database.sql<{ state_version: number }[]>`
      select state_version from log.streams where id = 'jar-old'`;
    expect(row?.state_version).toBe(jarStream.stateVersion);
  });
});

describe("the application's role", () => {
  it.each([
    "insert into log.command_keys values ('s', 'k', '', '{}', 1)",
    "update log.events set type = 'Other'",
    "delete from log.events",
    "truncate log.postings",
    "update log.streams set version = 9",
    "delete from log.streams",
    "truncate log.streams",
    "insert into log.streams values ('jar-x', 1, '{}', 1)",
    "alter table log.events disable trigger all",
  ])("cannot run: %s", async (statement) => {
    await expect(database.sql.unsafe(statement)).rejects.toMatchObject({ code: "42501" });
  });
});
