// PDFs while other requests run: drawn in another thread, one per person, dropped when nobody waits for them anymore.
import { performance } from "node:perf_hooks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startHttpServer } from "#http/server.ts";
import type { HttpServer } from "#http/server.ts";
import type { StatementResponse } from "#features/accounts/contract.ts";
import { statementPdf } from "#features/accounts/statement/statement-pdf.ts";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";
import type * as ThreadWork from "#testing/service/thread-work.ts";
import { letGo, newGate } from "#testing/service/thread-work.ts";

const THREAD_WORK = new URL("../../../testing/service/thread-work.ts", import.meta.url).href;
const year = "statement?from=2026-01-01&to=2026-12-31";
/** A period before the first entry, which is drawn quickly. */
const emptyPdf = "statement?from=2020-01-01&to=2020-01-02&format=pdf";

let shop: TestApp;
let server: HttpServer;
let admin: TestPerson;
let avery: TestPerson;
const lines = 600;

beforeAll(async () => {
  shop = await openTestApp();
  server = await startHttpServer({
    app: shop.app,
    host: "127.0.0.1",
    port: 0,
    closeStreams: shop.live.close,
  });
  admin = await shop.person("Admin", "admin");
  avery = await shop.person("Avery");
  await Promise.all(Array.from({ length: lines }, (_, index) => sell(avery, index)));
  await shop.runner.catchUp();
}, 240_000);

afterAll(async () => {
  await server.close(1_000);
  await shop.close();
});

// Each test has the full limit of requests per minute.
afterEach(() => shop.deps.sql`delete from identity.rate_limits`);

async function sell(person: TestPerson, index: number): Promise<void> {
  const saleId = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
  const happenedAt = "2026-11-01T12:00:00.000Z";
  const sale = { saleId, consignorId: person.uid, itemName: `Thing ${index}`, amountCents: 500 };
  await shop.deps.ledger.execute(
    recordCustomSale,
    { ...sale, happenedAt },
    { actor: admin.uid, scope: "store", key: saleId, requestHash: "00" },
  );
}

const ask = (as: TestPerson, query: string, signal?: AbortSignal) =>
  fetch(`${server.url}/api/accounts/${as.uid}/${query}`, {
    headers: { Authorization: `Bearer ${as.token}` },
    ...(signal === undefined ? {} : { signal }),
  });

/** Keeps the work thread busy until the returned function is called. */
async function keepBusy(): Promise<() => Promise<void>> {
  const gate = newGate();
  const place = shop.deps.workThread.enter("somebody else", 1);
  const { signal } = new AbortController();
  const job = place.run<typeof ThreadWork>(THREAD_WORK, { kind: "wait", gate }, signal);
  await expect.poll(() => Atomics.load(gate, 0)).toBe(1);
  return async () => {
    letGo(gate);
    await job;
    place[Symbol.dispose]();
  };
}

function isFree(person: TestPerson): boolean {
  try {
    shop.deps.workThread.enter(person.uid, 1)[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
}

describe("a statement's PDF", () => {
  it("has the same bytes as one that is drawn without the thread, and then its proof", async () => {
    const statement = (await (await ask(avery, year)).json()) as StatementResponse;
    expect(statement.lines).toHaveLength(lines);
    const pdf = await ask(avery, `${year}&format=pdf`);
    expect(pdf.headers.get("content-type")).toBe("application/pdf");
    const verifyAt = "http://app.test/verify-statement";
    const expected = Buffer.from(await statementPdf(statement, "letter", verifyAt));
    const bytes = Buffer.from(await pdf.arrayBuffer());
    expect(bytes.subarray(0, expected.length).equals(expected)).toBe(true);
    expect(bytes.subarray(expected.length).toString()).toMatch(/^%consignment-ledger-statement /u);
  });

  it("leaves the event loop to others while it is drawn", async () => {
    const before = performance.eventLoopUtilization();
    const pdf = await ask(avery, `${year}&format=pdf`);
    await pdf.arrayBuffer();
    const { active, idle } = performance.eventLoopUtilization(before);
    expect(active).toBeLessThan(idle);
  });

  it("waits for its turn while other requests are answered", async () => {
    const goOn = await keepBusy();
    let isDone = false;
    const pdf = ask(avery, emptyPdf).finally(() => (isDone = true));
    await expect.poll(() => isFree(avery)).toBe(false);
    expect((await ask(avery, "summary-of-nothing")).status).toBe(404);
    expect((await ask(avery, year)).status).toBe(200);
    expect(isDone).toBe(false);
    await goOn();
    expect((await pdf).status).toBe(200);
  });

  it("is dropped when its request is aborted, and its person may ask again", async () => {
    const goOn = await keepBusy();
    const gone = new AbortController();
    const pdf = ask(avery, emptyPdf, gone.signal);
    await expect.poll(() => isFree(avery)).toBe(false);
    gone.abort();
    await expect(pdf).rejects.toThrow("aborted");
    // The thread is still busy with another job: the place is free because this job is gone.
    await expect.poll(() => isFree(avery)).toBe(true);
    await goOn();
    expect((await ask(avery, emptyPdf)).status).toBe(200);
    expect(shop.errorLines).toEqual([]);
  });

  it("is one at a time for a consignor: a second one is refused with Retry-After", async () => {
    const goOn = await keepBusy();
    const first = ask(avery, emptyPdf);
    await expect.poll(() => isFree(avery)).toBe(false);
    const second = await ask(avery, emptyPdf);
    expect(second.status).toBe(429);
    expect(Number(second.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await second.json()).toMatchObject({ error: "work_underway" });
    await goOn();
    expect((await first).status).toBe(200);
  });

  it("is asked for ten times a minute by a consignor at most, and more often by an admin", async () => {
    /** The first, then some that are only counted, because drawing them takes long, then the tenth and the eleventh. */
    const statusesOf = async (person: TestPerson): Promise<number[]> => {
      const statuses: number[] = [];
      for (const counted of [0, 8, 0]) {
        await shop.deps.sql`update identity.rate_limits set points = points + ${counted}`;
        const answer = await ask(person, emptyPdf);
        await answer.arrayBuffer();
        statuses.push(answer.status);
      }
      return statuses;
    };
    expect(await statusesOf(avery)).toEqual([200, 200, 429]);
    await shop.deps.sql`delete from identity.rate_limits`;
    expect(await statusesOf(admin)).toEqual([200, 200, 200]);
  }, 240_000);
});

describe("a long file", () => {
  it.each(["statement", "ledger"])(
    "of a %s is read and sent in batches, and has each line once",
    async (name) => {
      const path =
        name === "ledger"
          ? `/sales/ledger/${avery.uid}/export`
          : `/accounts/${avery.uid}/${year}&format=csv`;
      const answer = await shop.app.request(`http://app.test/api${path}`, {
        headers: { Authorization: `Bearer ${avery.token}` },
      });
      const pieces: Uint8Array[] = [];
      for await (const piece of answer.body ?? []) {
        pieces.push(piece);
      }
      const rowsOf = (bytes: Uint8Array) => Buffer.from(bytes).toString().trimEnd().split("\r\n");
      expect(Math.max(...pieces.map((piece) => rowsOf(piece).length))).toBeLessThan(lines);
      const rows = rowsOf(Buffer.concat(pieces));
      // Above them is the header; a statement also has its balances around the lines, and the store, the ledger's head and the proof below.
      const own = name === "ledger" ? rows.slice(1) : rows.slice(2, -4);
      expect(own.map((row) => Number(row.split(",")[0]))).toEqual(
        Array.from({ length: lines }, (_, index) => index + 1),
      );
    },
  );
});
