// Failing work is reported once, and once more when it works again.
import { expect, test } from "vitest";
import pino from "pino";
import { retried } from "#jobs/retried.ts";

test("writes one line for each time that work begins to fail, unless its process ends, and one when it works again", async () => {
  const lines: unknown[] = [];
  const logger = pino(
    { base: null, timestamp: false },
    { write: (line: string) => lines.push(JSON.parse(line)) },
  );
  const answers = [true, false, false, true, true, false];
  const work = retried(logger, "old visits could not be deleted", () =>
    answers.shift() === true ? Promise.resolve() : Promise.reject(new Error("no connection")),
  );
  for (let turn = 0; turn < 6; turn += 1) {
    await work();
  }
  const ending = new AbortController();
  const fail = () => Promise.reject(new Error("no connection"));
  await retried(logger, "a rebuild failed", fail, { level: "error", ending: ending.signal })();
  ending.abort();
  await retried(logger, "another one failed", fail, { ending: ending.signal })();
  expect(lines).toMatchObject([
    {
      level: 40,
      msg: "old visits could not be deleted; it is tried again",
      err: { message: "no connection" },
    },
    { level: 30, msg: "works again (before: old visits could not be deleted)" },
    { level: 40, msg: "old visits could not be deleted; it is tried again" },
    { level: 50, msg: "a rebuild failed; it is tried again" },
  ]);
});
