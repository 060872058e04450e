// Shows that what would let a reader of the log sign in never gets there.
import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { pino } from "pino";
import { loggerOptions } from "./log.ts";

test("tokens and cookies are redacted wherever headers are logged", () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const logger = pino(loggerOptions("info", "test"), stream);
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
