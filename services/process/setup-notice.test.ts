// Shows that a service that is already running does not end because its database is away for a moment.
import { pino } from "pino";
import { expect, test } from "vitest";
import { connect } from "#db/connect.ts";
import { freePort } from "#testing/service/service-process.ts";
import { printSetupLink } from "./setup-notice.ts";

test("if the database is away when the setup link is made, the service runs without the link", async () => {
  const lines: string[] = [];
  const logger = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  const sql = connect(`postgres://app:secret@127.0.0.1:${await freePort()}/ledger`, {
    applicationName: "test",
  });
  await printSetupLink({ sql, clock: () => new Date(0), logger }, "http://store.test");
  expect(lines).toEqual([expect.stringContaining("the next start makes one")]);
  await sql.end();
});
