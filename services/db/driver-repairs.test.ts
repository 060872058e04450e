// Connections cut between pool and server: nothing hangs, and no statement gets another one's answer.
import { once } from "node:events";
import { createConnection, createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { RawBuilder } from "kysely";
import { sql as query } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Sql } from "#db/connect.ts";
import { connect } from "#db/connect.ts";
import { repaired } from "#db/driver-repairs.ts";
import { openReads } from "#db/reads.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { testDatabase } from "#testing/database/test-database.ts";

let database: TestDatabase;
let proxy: Server;
/** The database through the proxy. */
let proxied: string;
let sql: Sql;
let cut: (how?: "reset" | "end") => void;
let refuses: boolean;
/** Cuts a connection off as soon as its pool sends this text. */
let cutsAt: string | null;
/** What pools sent through the proxy. */
const sends: string[] = [];

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database.close());

beforeEach(async () => {
  const address = new URL(database.appUrl);
  // The tests' own address may name a socket; only a TCP connection can be reset.
  address.hostname = "127.0.0.1";
  const server = { host: address.hostname, port: Number(address.port) };
  const sockets = new Set<Socket>();
  refuses = false;
  cutsAt = null;
  proxy = createServer((socket) => {
    if (refuses) {
      socket.resetAndDestroy();
      return;
    }
    const behind = createConnection(server);
    for (const end of [socket, behind]) {
      sockets.add(end);
      end.on("error", () => undefined);
      end.on("close", () => {
        sockets.delete(end);
        socket.destroy();
        behind.destroy();
      });
    }
    socket.on("data", (sent) => {
      sends.push(sent.toString());
      if (cutsAt !== null && sent.includes(cutsAt)) {
        socket.resetAndDestroy();
      }
    });
    socket.pipe(behind).pipe(socket);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const listening = proxy.address();
  address.port = typeof listening === "object" && listening !== null ? String(listening.port) : "";
  cut = (how = "reset") => {
    for (const socket of sockets) {
      if (how === "reset") {
        socket.resetAndDestroy();
      } else {
        socket.end();
      }
    }
  };
  proxied = address.href;
  sql = connect(proxied, { applicationName: "cut", maxConnections: 1 });
});

afterEach(async () => {
  await sql.end({ timeout: 1 });
  proxy.close();
  cut();
});

let asked = 0;

/** A statement that takes longer than any test; the server continues with it after its connection was cut. */
function longStatement(): string {
  asked += 1;
  return `select 'number ${asked}', pg_sleep(30)`;
}

/** Waits until the server is running this statement. */
async function isRunning(text: string): Promise<void> {
  for (;;) {
    const [row] = await database.sql<{ found: boolean }[]>`
      select exists (select from pg_stat_activity
        where application_name = 'cut' and state = 'active' and strpos(query, ${text}) > 0) as found`;
    if (row?.found === true) {
      return;
    }
  }
}

/** The next turns of the event loop, in which the driver notices a lost connection. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

async function numbers(): Promise<number[]> {
  const rows = await Promise.all(
    [1, 2, 3, 4].map((n) => sql<{ n: number }[]>`select ${n}::int as n`),
  );
  return rows.map(([row]) => row?.n ?? 0);
}

const lost = { code: expect.stringMatching(/^(?:CONNECTION_CLOSED|ECONNRESET)$/u) };

describe.each(["reset", "end"] as const)("a connection that is lost by a TCP %s", (how) => {
  it("is replaced at once, and each statement after it gets its own answer", async () => {
    for (let round = 0; round < 3; round += 1) {
      const statement = longStatement();
      const cutOff = sql.begin(async (transaction) => {
        await transaction.unsafe(statement);
      });
      await isRunning(statement);
      cut(how);
      await expect(cutOff).rejects.toMatchObject(lost);
      expect(await numbers()).toEqual([1, 2, 3, 4]);
    }
  }, 240_000);

  it("ends its transaction: nothing of it runs on the connection that replaces it", async () => {
    await sql`create table if not exists read.probe (n integer)`;
    const outcomes: unknown[] = [];
    const cutOff = sql.begin(async (transaction) => {
      await transaction`insert into read.probe values (1)`;
      cut(how);
      // Queued behind the transaction, so the replacing connection answers it.
      await sql`select 1`.catch(() => sql`select 1`);
      const late = transaction`insert into read.probe values (2)`;
      outcomes.push(...(await Promise.allSettled([late])));
    });
    await expect(cutOff).rejects.toMatchObject(lost);
    await expect.poll(() => outcomes).toMatchObject([{ status: "rejected", reason: lost }]);
    expect([...(await sql`select n from read.probe`)]).toEqual([]);
  });

  it("lets a reserved connection be used and released without harm", async () => {
    const held = await sql.reserve();
    const statement = longStatement();
    const inFlight = held.unsafe(statement).execute();
    await isRunning(statement);
    cut(how);
    await expect(inFlight).rejects.toMatchObject(lost);
    await someTurns();
    await expect(held`select 1`).rejects.toMatchObject(lost);
    held.release();
    expect(await numbers()).toEqual([1, 2, 3, 4]);
    await expect(held`select 1`).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  });

  it("does not delay the end of its pool", async () => {
    const statement = longStatement();
    const cutOff = sql.unsafe(statement).execute();
    await isRunning(statement);
    cut(how);
    await expect(cutOff).rejects.toMatchObject(lost);
    const startedAt = performance.now();
    await sql.end({ timeout: 120 });
    expect(performance.now() - startedAt).toBeLessThan(60_000);
  });
});

describe("a server that is away for a while", () => {
  it("fails statements while it is away and answers them as soon as it is back", async () => {
    expect(await numbers()).toEqual([1, 2, 3, 4]);
    refuses = true;
    cut();
    await someTurns();
    for (let tries = 0; tries < 3; tries += 1) {
      await expect(sql`select 1`).rejects.toMatchObject(lost);
    }
    refuses = false;
    expect(await numbers()).toEqual([1, 2, 3, 4]);
  });
});

describe("a new connection", () => {
  it("asks for nothing before its first statement", async () => {
    cutsAt = "pg_catalog.pg_type";
    const [row] = await sql`select ${"{1,2}"}::bigint[] as both`;
    expect(row).toEqual({ both: [1, 2] });
  });
});

describe("a connection that is lost before it is ready", () => {
  it("is reported only to the statement that waits for it", async () => {
    // The driver's greeting; if its failure were unhandled, this run would fail.
    cutsAt = "application_name";
    await expect(sql`select 1`).rejects.toMatchObject(lost);
    await someTurns();
    cutsAt = null;
    expect(await numbers()).toEqual([1, 2, 3, 4]);
  });

  it("leaves no reservation behind", async () => {
    refuses = true;
    await expect(sql.reserve()).rejects.toMatchObject(lost);
    refuses = false;
    expect(await numbers()).toEqual([1, 2, 3, 4]);
    const held = await sql.reserve();
    held.release();
    expect(await numbers()).toEqual([1, 2, 3, 4]);
  });
});

describe("a connection that gets too old", () => {
  it("while it is reserved, serves those after as well", async () => {
    // Loaded here: the repairs come with connect.ts.
    const { default: openPool } = await import("postgres");
    const pool = openPool(proxied, {
      max: 1,
      // On a busy machine, opening one takes longer than a shorter life.
      max_lifetime: 0.5,
      fetch_types: false,
    });
    const held = await pool.reserve();
    await held`select pg_sleep(0.7)`;
    held.release();
    const answers = [await pool`select 1 as n`, await pool`select 2 as n`];
    await pool.end();
    expect(answers.map(([row]) => row?.["n"])).toEqual([1, 2]);
  });
});

describe("a COPY", () => {
  it("of more rows than are read at once leaves its connection usable", async () => {
    const rows = await sql
      .unsafe("copy (select repeat('x', 1000) from generate_series(1, 3000)) to stdout")
      .readable();
    let bytes = 0;
    for await (const chunk of rows) {
      bytes += Buffer.byteLength(chunk as Buffer);
      await someTurns();
    }
    expect(bytes).toBe(3_003_000);
    expect(await numbers()).toEqual([1, 2, 3, 4]);
  });

  it("whose last rows are refused ends with PostgreSQL's error", async () => {
    const target = await sql.unsafe("copy read.probe from stdin").writable();
    await expect(pipeline(Readable.from(["1\n", "no number\n"]), target)).rejects.toMatchObject({
      code: "22P02",
    });
    expect(await numbers()).toEqual([1, 2, 3, 4]);
  });

  it("whose connection is lost ends with that", async () => {
    const rows = await sql
      .unsafe("copy (select repeat('x', 1000) from generate_series(1, 30000)) to stdout")
      .readable();
    cut();
    await expect(once(rows.resume(), "end")).rejects.toMatchObject(lost);
    const target = await sql.unsafe("copy read.probe from stdin").writable();
    target.write("1\n");
    cut();
    await expect(pipeline(Readable.from(["2\n"]), target)).rejects.toMatchObject(lost);
    expect(await numbers()).toEqual([1, 2, 3, 4]);
  });
});

describe("a search", () => {
  const search = async (from: string, what: RawBuilder<Record<string, unknown>>) => {
    const pool = connect(from, { applicationName: "search", maxConnections: 1 });
    const { searches } = openReads<object>((work) => work(pool));
    // Opens the connection.
    await query`select 1 as one`.execute(searches);
    sends.length = 0;
    const { rows } = await what.execute(searches);
    await pool.end({ timeout: 5 });
    return rows;
  };

  it("is sent in one trip with its parameters", async () => {
    const rows = await search(
      proxied,
      query`select ${"a'b\\"}::text as words, ${7} + 1 as count, ${null}::text as nothing, ${true}::boolean as said,
        ${"2024-03-01T12:00:00Z"}::timestamptz as at`,
    );
    expect(rows).toEqual([
      {
        words: "a'b\\",
        count: 8,
        nothing: null,
        said: true,
        at: new Date("2024-03-01T12:00:00Z"),
      },
    ]);
    expect(sends.filter((sent) => sent.includes("select"))).toHaveLength(1);
    expect(sends[0]).toContain("timestamptz as at");
    expect(sends[0]).toContain("2024-03-01T12:00:00Z");
  });

  it("with a list among its parameters is answered as well", async () => {
    const rows = await search(proxied, query`select ${["a,b", "c"]}::text[] as words`);
    expect(rows).toEqual([{ words: ["a,b", "c"] }]);
  });

  it("that PostgreSQL refuses says why, and the next one is answered", async () => {
    const pool = connect(proxied, { applicationName: "search", maxConnections: 1 });
    const { searches } = openReads<object>((work) => work(pool));
    const asked = await Promise.allSettled([
      query`select ${"x"}::int as count`.execute(searches),
      query`select ${"y"}::text as words`.execute(searches),
    ]);
    expect(asked).toMatchObject([
      { status: "rejected", reason: { code: "22P02" } },
      { status: "fulfilled", value: { rows: [{ words: "y" }] } },
    ]);
    await pool.end({ timeout: 5 });
  });
});

describe("the repairs", () => {
  it("are not applied to another version of the driver", () => {
    expect(() => repaired("/postgres/src/index.js", "export default null")).toThrow(
      "postgres/src/index.js is not that of version 3.4.9",
    );
  });
});

describe("an idle pool", () => {
  it("gives each statement the connection that was used last, whose plans are made", async () => {
    const pool = connect(database.appUrl, { applicationName: "idle", maxConnections: 3 });
    const ask = () => pool<{ pid: number }[]>`select pg_backend_pid() as pid, pg_sleep(0.05)`;
    const opened = (await Promise.all([ask(), ask(), ask()])).flat();
    expect(new Set(opened.map(({ pid }) => pid)).size).toBe(3);
    const later = [...(await ask()), ...(await ask()), ...(await ask())];
    expect(new Set(later.map(({ pid }) => pid)).size).toBe(1);
    await pool.end({ timeout: 5 });
  });
});
