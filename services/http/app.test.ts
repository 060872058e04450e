// What every call of every feature guarantees: shapes, limits, valid text, and no leaks.
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { open, signedIn } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import type { AppEnv } from "#http/env.ts";
import { declaredRoutes, refuseUndeclaredRoutes } from "#http/check-access.ts";
import { jsonBody, pathParams, queryString } from "#http/validate.ts";
import { openTestApp, type TestApp } from "#testing/service/test-app.ts";
import { allRoutes } from "#testing/shop/register.ts";

const noteRequest = z.strictObject({
  text: z.string().check(z.minLength(2)),
  count: z.optional(z.int().check(z.gte(1))),
  amount: z.optional(z.number("Please enter a valid amount")),
});

let shop: TestApp;

beforeAll(async () => {
  shop = await openTestApp({
    routes: [noteRoutes, ...allRoutes],
  });
});

afterAll(() => shop.close());

function noteRoutes({ sql }: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.post("/notes", open, jsonBody(noteRequest), (c) => c.json(c.req.valid("json")));
  routes.get(
    "/notes/:id",
    open,
    pathParams(z.object({ id: z.string().check(z.maxLength(40)) })),
    queryString(z.strictObject({ limit: z.optional(z.string().check(z.regex(/^\d+$/))) })),
    (c) => c.json({ ...c.req.valid("param"), ...c.req.valid("query") }),
  );
  routes.post("/broken", open, () => {
    throw new Error("secret detail of the database");
  });
  routes.get("/slow", open, async (c) => {
    await sql.begin(async (transaction) => {
      await transaction`set local statement_timeout = 20`;
      await transaction`select pg_sleep(20)`;
    });
    return c.json({});
  });
  return routes;
}

function post(body: BodyInit, headers: Record<string, string> = {}) {
  const request: RequestInit & { duplex: "half" } = {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body,
    // Needed for a streamed body, but missing in fetch's types.
    duplex: "half",
  };
  return shop.app.request("http://app.test/api/notes", request);
}

async function errorOf(response: Response): Promise<{ status: number; error: unknown }> {
  const body: unknown = await response.json();
  return {
    status: response.status,
    error: body instanceof Object ? Reflect.get(body, "error") : undefined,
  };
}

const refusal = (name: string) => ({ $ref: `#/components/responses/${name}` });

describe("a refused request says what is wrong", () => {
  test("a request is accepted when its schema accepts it", async () => {
    const answer = await shop.call("POST", "/api/notes", { body: { text: "ab", count: 2 } });
    expect(answer).toMatchObject({ status: 200, body: { text: "ab", count: 2 } });
  });

  test("each wrong field is named with a sentence, and the first is the message", async () => {
    const answer = await shop.call("POST", "/api/notes", { body: { text: "a", count: 0.5 } });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      error: "validation_failed",
      message: "text must have at least 2 characters",
      details: [
        { path: "text", message: "text must have at least 2 characters" },
        { path: "count", message: "count must be a whole number" },
      ],
    });
  });

  test("a message in the schema is used unchanged", async () => {
    const answer = await shop.call("POST", "/api/notes", { body: { text: "ab", amount: "much" } });
    expect(answer.body).toMatchObject({ message: "Please enter a valid amount" });
  });

  test("an unknown field is refused, not ignored", async () => {
    const answer = await shop.call("POST", "/api/notes", { body: { text: "ab", admin: true } });
    expect(answer).toMatchObject({ status: 400, body: { message: "Unknown field: admin" } });
  });

  test("a parameter that a call does not read is refused, not ignored, whether or not it reads others", async () => {
    const boss = await shop.person("Asker", "admin");
    const { body: document } = await shop.call("GET", "/api/openapi.json");
    const shape = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
    const accepted: string[] = [];
    for (const [path, methods] of Object.entries(shape.parse(document).paths)) {
      const asked = `${path.replaceAll(/\{\w+\}/gu, boss.uid)}?unheard=1`;
      // As GET, without waiting for the end of a stream.
      const { status } = await shop.call("HEAD", asked, { as: boss });
      if ("get" in methods && status !== 400) {
        accepted.push(`${path} ${status}`);
      }
    }
    expect(accepted).toEqual(["/api/auth/discord/callback 302"]);
    expect(() => queryString(z.object({}))).toThrow("drops unknown parameters");
    for (const [method, path] of [
      ["GET", "/api/auth/me?unheard=1"],
      ["GET", "/api/auth/search?q=a&unheard=1"],
      ["POST", "/api/notes?unheard=1"],
    ] as const) {
      expect(await shop.call(method, path, { as: boss })).toMatchObject({
        status: 400,
        body: { error: "validation_failed", message: "Unknown field: unheard" },
      });
    }
  });

  test("an empty body names the missing field", async () => {
    const answer = await shop.call("POST", "/api/notes");
    expect(answer).toMatchObject({ status: 400, body: { message: "text is required" } });
  });

  test("an unknown call is a 404 in the same shape, with any method", async () => {
    for (const method of ["GET", "POST", "DELETE"]) {
      const answer = await shop.call(method, "/api/nothing/here", {
        headers: { Accept: "text/html" },
      });
      expect(answer).toMatchObject({ status: 404, body: { error: "unknown_route" } });
    }
  });

  test("an unexpected failure is a 500 with only a request id", async () => {
    const answer = await shop.call("POST", "/api/broken");
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).not.toContain("secret");
    expect(answer.body).toMatchObject({ error: "internal_error" });
    const requestId = answer.headers.get("X-Request-Id");
    expect(answer.body).toMatchObject({ requestId });
    expect(shop.errorLines.some((line) => line.includes(String(requestId)))).toBe(true);
  });
});

test("a read that takes longer than statements may is a 503 that says to try again, and is logged", async () => {
  const answer = await shop.call("GET", "/api/slow");
  expect(answer).toMatchObject({
    status: 503,
    body: {
      error: "database_busy",
      message: "The database is busy right now, so this took too long. Try again in a moment.",
    },
  });
  expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
  const requestId = String(answer.headers.get("X-Request-Id"));
  const logged = shop.errorLines.filter((line) => line.includes(requestId));
  expect(logged.join()).toContain("canceling statement due to statement timeout");
});

describe("bytes are checked before any schema", () => {
  test("malformed JSON, other content types and invalid UTF-8 are a 400", async () => {
    expect(await errorOf(await post('{"text":'))).toEqual({ status: 400, error: "malformed_json" });
    expect(await errorOf(await post("text=ab", { "Content-Type": "text/plain" }))).toEqual({
      status: 400,
      error: "not_json",
    });
    const invalid = Buffer.concat([
      Buffer.from('{"text":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    expect(await errorOf(await post(invalid))).toEqual({ status: 400, error: "invalid_utf8" });
  });

  test.each([
    ["a NUL character", String.raw`{"text":"a\u0000b"}`],
    ["half of a surrogate pair", String.raw`{"text":"a\ud800b"}`],
    ["a NUL in a field's name", String.raw`{"te\u0000xt":"ab"}`],
    ["a NUL deep inside", String.raw`{"text":[[{"a":["\u0000"]}]]}`],
  ])("%s in a body is a 400", async (_what, body) => {
    expect(await errorOf(await post(body))).toEqual({ status: 400, error: "invalid_text" });
  });

  test("an escaped backslash before u0000 is text like any other", async () => {
    const response = await post(String.raw`{"text":"a\\u0000b"}`);
    expect(await response.json()).toEqual({ text: String.raw`a\u0000b` });
  });

  test.each([
    "/api/notes/a%00b",
    "/api/notes/a?limit=%00",
    "/api/notes/%ff",
    "/api/notes/a?limit=%",
  ])("%s is a 400", async (path) => {
    const answer = await shop.call("GET", path);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: expect.stringMatching(/^invalid_/) });
  });

  test("a repeated query field is not silently the first one", async () => {
    const answer = await shop.call("GET", "/api/notes/a?limit=1&limit=2");
    expect(answer.status).toBe(400);
  });

  test("a body above one megabyte is a 413, announced or not", async () => {
    const large = JSON.stringify({ text: "x".repeat(1_100_000) });
    expect(await errorOf(await post(large))).toEqual({ status: 413, error: "body_too_large" });
    const streamed = new Blob([large]).stream();
    expect(await errorOf(await post(streamed))).toEqual({ status: 413, error: "body_too_large" });
  });

  test("a call that anyone may make takes less, because nothing is counted before it is read", async () => {
    const large = JSON.stringify({ text: "x".repeat(65_536) });
    expect(await errorOf(await post(large))).toEqual({ status: 413, error: "body_too_large" });
  });

  test("brackets in brackets are refused before they are parsed, and those in a text are text", async () => {
    const nested = (levels: number) =>
      `${"[".repeat(levels)}${String.raw`"]\"\u0041"`}${"]".repeat(levels)}`;
    expect(await errorOf(await post(nested(64)))).toMatchObject({ error: "validation_failed" });
    expect(await errorOf(await post(nested(65)))).toMatchObject({ error: "malformed_json" });
    expect((await post(JSON.stringify({ text: "[".repeat(500) }))).status).toBe(200);
  });
});

describe("the app as a whole", () => {
  test("an app with a route that declares no access does not start", async () => {
    const careless = new Hono<AppEnv>();
    careless.get("/api/careless", (c) => c.json({}));
    expect(() => refuseUndeclaredRoutes(careless)).toThrow("GET /api/careless");
    const late = new Hono<AppEnv>();
    late.post("/api/late", jsonBody(noteRequest), signedIn, (c) => c.json({}));
    expect(() => refuseUndeclaredRoutes(late)).toThrow("POST /api/late");
    const twice = new Hono<AppEnv>();
    twice.post("/api/twice", open, signedIn, (c) => c.json({}));
    expect(() => refuseUndeclaredRoutes(twice)).toThrow("POST /api/twice");
  });

  test("every route declares its access exactly once, before anything else", () => {
    const routes = declaredRoutes(shop.app);
    expect(routes.length).toBeGreaterThan(8);
    for (const route of routes) {
      expect(route, `${route.method} ${route.path}`).toMatchObject({ isFirst: true });
      expect(route.access, `${route.method} ${route.path}`).toHaveLength(1);
    }
  });

  test("the document describes the ledger's refusals and how to repeat safely", async () => {
    const { body } = await shop.call("GET", "/api/openapi.json");
    expect(body).toMatchObject({
      paths: {
        "/api/auth/users/{uid}": {
          put: {
            parameters: expect.arrayContaining([
              expect.objectContaining({ name: "Idempotency-Key", in: "header" }),
            ]),
            responses: { "409": refusal("Refused"), "422": refusal("KeyReused") },
          },
        },
        "/api/identity/sign-in": { post: { responses: { "429": refusal("TooMany") } } },
      },
    });
  });

  test("the document names every route with its access", async () => {
    const { body } = await shop.call("GET", "/api/openapi.json");
    expect(body).toMatchObject({
      openapi: "3.1.0",
      paths: {
        "/api/identity/sign-in": {
          post: {
            "x-access": "open",
            requestBody: {
              content: {
                "application/json": {
                  schema: { type: "object", required: ["email", "password"] },
                },
              },
            },
          },
        },
        "/api/auth/me": { get: { "x-access": "signed-in", security: [{ bearer: [] }] } },
        "/api/auth/search": { get: { "x-access": "admin" } },
        "/api/auth/users/{uid}": {
          get: { "x-access": "self", responses: { "404": refusal("NotFound") } },
        },
      },
    });
  });

  test("health, readiness and metrics are answered without a token", async () => {
    expect((await shop.call("GET", "/healthz")).status).toBe(200);
    expect((await shop.call("GET", "/readyz")).body).toEqual({
      status: "ready",
      conditions: [
        { name: "database", state: "ok", message: "The database answers" },
        { name: "storage", state: "ok", message: expect.stringContaining("full disk") },
      ],
    });
    await shop.call("GET", "/api/notes/some-id");
    const metrics = await (await shop.app.request("/metrics")).text();
    expect(metrics).toContain('route="/api/notes/:id",status="200"');
    expect(metrics).not.toContain("some-id");
  });

  test("metrics do not leave the machine through a proxy", async () => {
    const answer = await shop.call("GET", "/metrics", {
      headers: { "X-Forwarded-For": "203.0.113.9" },
    });
    expect(answer.status).toBe(404);
  });

  test("metrics without a token are for this machine under its own name only", async () => {
    for (const name of ["store.example", "127.0.0.1.evil.example", "10.0.0.7:3000"]) {
      expect((await shop.app.request(`http://${name}/metrics`)).status).toBe(404);
    }
    for (const name of ["localhost", "127.0.0.1:3000", "[::1]:3000"]) {
      expect((await shop.app.request(`http://${name}/metrics`)).status).toBe(200);
    }
    for (const header of ["X-Real-IP", "Via", "Forwarded"]) {
      const answer = await shop.app.request("/metrics", { headers: { [header]: "x" } });
      expect(answer.status).toBe(404);
    }
  });

  test("every answer forbids foreign scripts, frames and sniffing, and API answers are not cached", async () => {
    const { headers } = await shop.call("GET", "/api/notes/a");
    expect(headers.get("Content-Security-Policy")).toContain("script-src 'self';");
    expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("Strict-Transport-Security")).toBe("max-age=31536000; includeSubDomains");
    expect(headers.get("Permissions-Policy")).toContain("camera=(self)");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin-allow-popups");
    expect(headers.get("Cache-Control")).toBe("no-store");
  });

  test("only the worker that reads the camera's codes may run WebAssembly, and it may load nothing from elsewhere", async () => {
    const worker = await shop.call("GET", "/assets/code-reader-worker-3f2a.js");
    expect(worker.headers.get("Content-Security-Policy")).toBe(
      "default-src 'none'; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
    );
    const other = await shop.call("GET", "/assets/index-3f2a.js");
    expect(other.headers.get("Content-Security-Policy")).not.toContain("wasm");
  });
});
