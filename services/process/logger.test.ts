// Shows that nothing that would let a reader of the log sign in gets into the log.
import { expect, test } from "vitest";
import { pino } from "pino";
import { loggerOptions } from "./logger.ts";

test("an error is logged with its code and cause, without the connection that the driver attaches to it", () => {
  const lines: string[] = [];
  const logger = pino(loggerOptions("info", "test"), {
    write: (line: string) => void lines.push(line),
  });
  const cause = Object.assign(new Error("connection lost"), {
    code: "57P01",
    client: { a: "deep" },
  });
  logger.error({ err: new Error("no answer", { cause }) }, "failed");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    err: { message: "no answer", cause: { message: "connection lost", code: "57P01" } },
  });
  expect(lines[0]).not.toContain("deep");
});

test("tokens and cookies are redacted wherever headers are logged", () => {
  const lines: string[] = [];
  const logger = pino(loggerOptions("info", "test"), {
    write: (line: string) => void lines.push(line),
  });
  const headers = {
    authorization: "Bearer let-me-in",
    Cookie: "refresh=let-me-in",
    "set-cookie": ["refresh=let-me-in"],
    accept: "application/json",
  };
  logger.info({ request: { headers } }, "one");
  logger.info({ headers }, "two");
  logger.info(headers, "three");
  expect(lines).toHaveLength(3);
  expect(lines.join("")).not.toContain("let-me-in");
  expect(lines.join("")).toContain("application/json");
});
