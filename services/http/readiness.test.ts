// The conditions of /readyz: a failing one takes the process out of service, a warning does not.
import { Hono } from "hono";
import { pino } from "pino";
import { beforeEach, expect, test } from "vitest";
import { answerReadiness, createReadiness } from "#http/readiness.ts";
import type { Condition, ReadinessCheck } from "#http/readiness.ts";

let lines: string[];

beforeEach(() => {
  lines = [];
});

test("a warning is listed and the process stays in service", async () => {
  const answer = await ask([check("database", "ok"), check("storage", "warning")]);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    status: "ready",
    conditions: [
      { name: "database", state: "ok", message: "database is ok" },
      { name: "storage", state: "warning", message: "storage is warning" },
    ],
  });
});

test("one failing condition gives a 503 that lists all of them and says when to ask again", async () => {
  const answer = await ask([check("database", "failing"), check("storage", "ok")]);
  expect(answer.status).toBe(503);
  expect(answer.headers.get("Retry-After")).toBe("5");
  expect(await answer.json()).toEqual({
    status: "not ready",
    conditions: [
      { name: "database", state: "failing", message: "database is failing" },
      { name: "storage", state: "ok", message: "storage is ok" },
    ],
  });
});

test("a check that throws is failing, and its error is logged but not shown", async () => {
  const broken = { name: "database", look: () => Promise.reject(new Error("at 10.0.0.7")) };
  const answer = await ask([broken]);
  expect(answer.status).toBe(503);
  expect(await answer.text()).not.toContain("10.0.0.7");
  expect(lines).toEqual([expect.stringContaining("10.0.0.7")]);
});

test("a check that does not answer in time is failing", async () => {
  const silent = { name: "database", look: () => Promise.withResolvers<never>().promise };
  const [condition] = await createReadiness([silent], pino({ level: "silent" }), 10)();
  expect(condition).toEqual({
    name: "database",
    state: "failing",
    message: "No answer within 0.01 s",
  });
});

test("each change is logged once, however often somebody asks", async () => {
  let state: Condition["state"] = "failing";
  const logger = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const look = () => Promise.resolve({ state, message: "free space" });
  const readiness = createReadiness([{ name: "storage", look }], logger);
  await readiness();
  await readiness();
  expect(lines).toHaveLength(1);
  state = "ok";
  await readiness();
  await readiness();
  expect(lines).toHaveLength(2);
});

function check(name: string, state: Condition["state"]): ReadinessCheck {
  return { name, look: () => Promise.resolve({ state, message: `${name} is ${state}` }) };
}

async function ask(checks: readonly ReadinessCheck[]): Promise<Response> {
  const logger = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const readiness = createReadiness(checks, logger);
  const app = new Hono().get("/readyz", (c) => answerReadiness(c, readiness));
  return app.request("/readyz");
}
