// SIGKILLs of API, worker, rebuild and PostgreSQL under load: nothing is lost or doubled, and live = replay.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "#db/connect.ts";
import type { Aftermath } from "#testing/rush/crash.ts";
import { crashRush } from "#testing/rush/crash.ts";
import { sized } from "#testing/trial/size.ts";

let aftermath: Aftermath;

beforeAll(async () => {
  const kills = sized("at points", "each once");
  aftermath = await crashRush({ kills, callers: 8, seed: 1, pauseMs: sized(800, 400) });
}, 240_000);

afterAll(() => aftermath.close());

describe("a store whose processes were killed while it was in use", () => {
  it("keeps every promise, whatever was killed and when", async () => {
    expect(aftermath.kills.map(({ what, at }) => `${what}, ${at}`).sort()).toEqual([
      ...sized([], ["api 1, anywhere"]),
      "api 1, append:between-commit-and-answer",
      "api 2, append:before-commit",
      "postgres, anywhere",
      "rebuild, rebuild:before-flip",
      ...sized([], ["worker, anywhere"]),
      "worker, projection:in-step",
    ]);
    expect(aftermath.answers.length).toBeGreaterThan(20);
    expect((await aftermath.judge()).broken).toEqual([]);
  });

  // Last, since it damages the books: an answer whose event is gone, and a read table that counts a sale twice.
  it("would report a lost answer and a doubled row", async () => {
    const lost = aftermath.answers.find(
      ({ request, code }) => request.kind === "sell" && code === null,
    );
    const superuser = new URL(aftermath.server.superuserUrl);
    superuser.pathname = "/ledger";
    const sql = connect(superuser.href, { applicationName: "spoiler", maxConnections: 1 });
    await sql`delete from log.events where position = ${lost?.position ?? 0}`;
    await sql`
      update read.sales set refunded_units = refunded_units + 1
      where position = (select max(position) from read.sales)`;
    await sql.end();
    const { broken } = await aftermath.judge();
    expect(broken).toContain(`position ${lost?.position} is missing`);
    expect(broken).toContain(`sell ${lost?.request.key} was acknowledged and is not in the log`);
    expect(broken.join("\n")).toMatch(/verify: sales: \d+ rows differ between live and replay/u);
  });
});
