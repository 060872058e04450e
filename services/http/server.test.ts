// Over a real socket: large bodies, live streams, slow requests, and a shutdown that loses no answer.
import { connect as connectSocket } from "node:net";
import { once } from "node:events";
import { Hono } from "hono";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { admin, open } from "#http/access.ts";
import { answerPieces } from "#http/answer-pieces.ts";
import { expensiveFile } from "#http/expensive-reads.ts";
import { attachment } from "#http/file.ts";
import type { AppEnv } from "#http/env.ts";
import { type HttpServer, startHttpServer } from "#http/server.ts";
import { endAllSessions } from "#identity/session-list.ts";
import { endAccount, giveRole } from "#testing/shop/people.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import { jarRoutes } from "#testing/jar/jar-routes.ts";
import { jarEvents, jarStreams } from "#testing/jar/jar.ts";

let shop: TestApp;
let server: HttpServer;
let boss: TestPerson;
let slow: { readonly arrived: PromiseWithResolvers<void>; readonly go: PromiseWithResolvers<void> };

beforeEach(async () => {
  slow = { arrived: Promise.withResolvers(), go: Promise.withResolvers() };
  shop = await openTestApp({
    routes: [jarRoutes, slowRoutes],
    streams: jarStreams,
    events: jarEvents,
    projections: [jarBook],
  });
  boss = await shop.person("Boss", "admin");
  server = await startHttpServer({
    app: shop.app,
    host: "127.0.0.1",
    port: 0,
    closeStreams: shop.live.close,
  });
});

afterEach(async () => {
  vi.restoreAllMocks();
  slow.go.resolve();
  await server.close(1_000);
  await shop.close();
});

function slowRoutes(): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.get("/slow", open, async (c) => {
    slow.arrived.resolve();
    await slow.go.promise;
    return c.json({ done: true });
  });
  routes.get("/slow-file", admin, expensiveFile, (c) =>
    answerPieces(c, slowPieces(), attachment("text/csv", "slow.csv")),
  );
  routes.get("/late-file", admin, expensiveFile, (c) =>
    answerPieces(c, latePieces(), attachment("text/csv", "late.csv")),
  );
  routes.get("/failing-file", admin, expensiveFile, (c) =>
    answerPieces(c, failingPieces(), attachment("text/csv", "failing.csv")),
  );
  routes.get("/empty-file", admin, expensiveFile, (c) =>
    answerPieces(c, noPieces(), attachment("text/csv", "empty.csv")),
  );
  return routes;
}

async function* slowPieces(): AsyncGenerator<string> {
  yield "first\r\n";
  await slow.go.promise;
  yield "second\r\n";
  yield "third\r\n";
}

async function* latePieces(): AsyncGenerator<string> {
  slow.arrived.resolve();
  await slow.go.promise;
  yield "first\r\n";
}

async function* failingPieces(): AsyncGenerator<string> {
  yield "first\r\n";
  await slow.go.promise;
  throw new Error("the disk is gone");
}

async function* noPieces(): AsyncGenerator<string> {
  // Nothing at all, as no export may be.
  yield* [];
}

function fetchLive(as: TestPerson, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.url}/api/live`, {
    headers: { Authorization: `Bearer ${as.token}` },
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Reads until the text has what is wanted, or to the end. `seen` gets each part as it comes. */
async function readUntil(response: Response, wanted: RegExp, seen: string[] = []): Promise<string> {
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    seen.push(decoder.decode(chunk, { stream: true }));
    if (wanted.test(seen.join(""))) {
      break;
    }
  }
  return seen.join("");
}

function fill(cents: number) {
  return shop.call("POST", "/api/jars/a/fill", { as: boss, body: { cents } });
}

test("ten megabytes are refused with a 413 in the error shape, and the server keeps running", async () => {
  const response = await fetch(`${server.url}/api/jars/a/fill`, {
    method: "POST",
    headers: { Authorization: `Bearer ${boss.token}`, "Content-Type": "application/json" },
    body: `{"cents":"${"1".repeat(10_000_000)}"}`,
  });
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ error: "body_too_large" });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});

test("invalid HTTP and invalid bytes in addresses get a 400 and cause no crash", async () => {
  for (const request of [
    "NONSENSE\r\n\r\n",
    "GET /api/jars/\u0000 HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /api/jars/%zz HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /api/jars/a HTTP/1.1\r\nHost: a b\r\n\r\n",
    "POST /api/identity/sign-in HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
    `GET /${"a".repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  ]) {
    const socket = connectSocket(server.port, "127.0.0.1");
    socket.end(request);
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString("latin1")).toMatch(/^HTTP\/1\.1 4\d\d /);
    socket.destroy();
  }
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});

test("a sender who hangs up in the middle of a body is not logged as a failure", async () => {
  const socket = connectSocket(server.port, "127.0.0.1");
  const head = ["POST /api/jars/a/fill HTTP/1.1", "Host: a", "Content-Type: application/json"];
  socket.write(
    [...head, `Authorization: Bearer ${boss.token}`, "Content-Length: 100", "", '{"cents"'].join(
      "\r\n",
    ),
  );
  await once(socket, "connect");
  socket.destroy();
  await expect
    .poll(async () => (await shop.app.request("/metrics")).text())
    .toContain('route="/api/jars/:jar/fill",status="400"');
  expect(shop.errorLines).toEqual([]);
});

test("a listener gets every position, also those from before it connected", async () => {
  await fill(5);
  await shop.runner.catchUp();
  const response = await fetchLive(boss);
  expect(response.headers.get("Content-Type")).toContain("text/event-stream");
  // At the first position the boss became an admin. The stream looks every few milliseconds, so what is written before it
  // has looked once would be in its first message.
  const seen: string[] = [];
  const reached = readUntil(response, /"jar_book":4/, seen);
  await expect.poll(() => seen.join("")).toContain('"jar_book":2');
  await fill(6);
  await fill(7);
  await shop.runner.catchUp();
  const text = await reached;
  expect(text).toContain('event: progress\ndata: {"projections":{"jar_book":2}}\n\n');
  expect(text).toContain('data: {"projections":{"jar_book":4}}');
});

test("a HEAD of the live stream opens none, because nobody would read or end it", async () => {
  const before = shop.live.listenerCount();
  const response = await fetch(`${server.url}/api/live`, {
    method: "HEAD",
    headers: { Authorization: `Bearer ${boss.token}` },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(shop.live.listenerCount()).toBe(before);
});

test("nobody can listen without a token, and people who lose access stop getting events", async () => {
  expect((await fetch(`${server.url}/api/live`)).status).toBe(401);
  const avery = await shop.person("Avery");
  const response = await fetchLive(avery);
  const ended = readUntil(response, /never/);
  await endAccount(shop.deps, avery.uid);
  expect(await ended).toContain("event: alive");
});

test("a stream ends within seconds after its session was ended, and other sessions' streams go on", async () => {
  const [ending, staying] = [await shop.person("Ending"), await shop.person("Staying")];
  const gone = new AbortController();
  const ended = readUntil(await fetchLive(ending), /never/);
  const other = await fetchLive(staying, gone.signal);
  await shop.deps.sql`
    update identity.refresh_families set ended_at = now(), ended_because = 'signed-out'
    where uid = ${ending.uid}`;
  expect(await ended).toContain("event:");
  expect(await readUntil(other, /event: alive/)).toContain("event: alive");
  gone.abort();
});

test("a stream ends with its token", async () => {
  const response = await fetchLive(boss);
  const ended = readUntil(response, /never/);
  shop.advance(901_000);
  expect(await ended).toContain("event:");
});

test("a listener who leaves is removed", async () => {
  const leaving = new AbortController();
  const response = await fetchLive(boss, leaving.signal);
  await readUntil(response, /event/);
  leaving.abort();
  await expect.poll(() => shop.live.listenerCount()).toBe(0);
});

test("one person cannot take all the streams", async () => {
  const leaving = new AbortController();
  const opened: Response[] = [];
  for (let index = 0; index < 20; index += 1) {
    opened.push(await fetchLive(boss, leaving.signal));
  }
  const refused = await fetchLive(boss);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("Retry-After")).toBe("10");
  leaving.abort();
});

test("closing answers requests under way, ends the streams, and accepts nothing new", async () => {
  const stream = await fetchLive(boss);
  const answering = fetch(`${server.url}/api/slow`);
  await slow.arrived.promise;
  const closed = server.close(10_000);
  await readUntil(stream, /never/);
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow("fetch failed");
  slow.go.resolve();
  expect(await (await answering).json()).toEqual({ done: true });
  await closed;
});

test("closing waits for a stuck request only as long as configured", async () => {
  const stuck = fetch(`${server.url}/api/slow`);
  await slow.arrived.promise;
  await Promise.all([server.close(50), expect(stuck).rejects.toThrow("fetch failed")]);
});

test("closing does not wait for connections that a browser opened in advance and has not used", async () => {
  const unused = connectSocket(server.port, "127.0.0.1");
  let received = "";
  unused.on("data", (bytes) => (received += bytes.toString()));
  await once(unused, "connect");
  // Answered, so the server has taken the connection before it.
  await fetch(`${server.url}/api/anything`);
  await Promise.all([once(unused, "close"), server.close(600_000)]);
  // After ten seconds, it would be told that its request is late.
  expect(received).toBe("");
});

test("a port in use is an error that says so", async () => {
  const second = startHttpServer({
    app: shop.app,
    host: "127.0.0.1",
    port: server.port,
    closeStreams: () => undefined,
  });
  await expect(second).rejects.toThrow("EADDRINUSE");
});

test("a file that is being sent is whole if nothing ends it, also when its token expires meanwhile", async () => {
  const { rest } = await beginFile();
  shop.advance(2 * 3_600_000);
  slow.go.resolve();
  expect(await rest()).toBe("second\r\nthird\r\n");
});

test.each([
  [
    "all sessions end",
    () => shop.database.sql.begin((sql) => endAllSessions(sql, boss.uid, new Date())),
  ],
  ["the role is lost", () => giveRole(shop.deps, boss.uid, "user")],
  ["the account ends", () => endAccount(shop.deps, boss.uid)],
])(
  "a file that is being sent is cut off when %s, so that it is not taken as whole",
  async (_what, end) => {
    const printed = vi.spyOn(console, "error");
    const { rest } = await beginFile();
    await end();
    shop.advance(2_000);
    slow.go.resolve();
    await expect(rest()).rejects.toThrow("terminated");
    // With the second piece, which was being made before it ended.
    expect(await savedFiles()).toEqual([
      { outcome: "cut-off", detail: "slow.csv, 15 B, not to its end" },
    ]);
    expect(printed).not.toHaveBeenCalled();
  },
);

test("a file whose reader leaves is noted as cut off, and nothing is printed", async () => {
  const printed = vi.spyOn(console, "error");
  const { leave } = await beginFile();
  await leave();
  await expect
    .poll(savedFiles)
    .toEqual([{ outcome: "cut-off", detail: "slow.csv, 7 B, not to its end" }]);
  slow.go.resolve();
  await server.close(1_000);
  expect(printed).not.toHaveBeenCalled();
  expect(shop.errorLines).toEqual([]);
});

test("a file that fails while it is sent is cut off, with one line in the log that has no stack", async () => {
  const printed = vi.spyOn(console, "error");
  const { rest } = await beginFile("/api/failing-file");
  slow.go.resolve();
  await expect(rest()).rejects.toThrow("terminated");
  expect(shop.errorLines.map((line): unknown => JSON.parse(line))).toMatchObject([
    {
      msg: "a file was cut off",
      reason: "the disk is gone",
      file: "failing.csv",
      bytes: 7,
      route: "/api/failing-file",
    },
  ]);
  expect(shop.errorLines.join("")).not.toContain("server.test.ts");
  expect(printed).not.toHaveBeenCalled();
});

test("whoever is signed out before the first piece of a file gets an error, and no beginning of a file", async () => {
  await shop.person("Second", "admin");
  const asked = fetch(`${server.url}/api/late-file`, {
    headers: { Authorization: `Bearer ${boss.token}` },
  });
  await slow.arrived.promise;
  await shop.database.sql.begin((sql) => endAllSessions(sql, boss.uid, new Date()));
  shop.advance(2_000);
  slow.go.resolve();
  const answer = await asked;
  expect(answer.status).toBe(403);
  expect(answer.headers.get("Content-Disposition")).toBeNull();
  expect(await answer.json()).toMatchObject({ error: "sign_in_ended" });
});

test("a file without any text, not even its first line, is an error", async () => {
  const answer = await shop.call("GET", "/api/empty-file", { as: boss });
  expect(answer).toMatchObject({ status: 500, body: { error: "internal_error" } });
});

const savedFiles = () =>
  shop.database.sql`select outcome, detail from security.log where kind = 'exported'`;

/** A file of which the first piece has been read. */
async function beginFile(path = "/api/slow-file") {
  // Somebody must stay.
  await shop.person("Second", "admin");
  const response = await fetch(`${server.url}${path}`, {
    headers: { Authorization: `Bearer ${boss.token}` },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect(await reader?.read()).toMatchObject({ value: "first\r\n" });
  return {
    leave: async () => reader?.cancel(),
    rest: async () => {
      let text = "";
      for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
        text += next.value;
      }
      return text;
    },
  };
}
