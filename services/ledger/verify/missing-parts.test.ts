// Verify goes on if something is missing or a check fails; only a lost database or its signal ends it.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod/mini";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { connect } from "#db/connect.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import type { JarProof } from "#testing/jar/jar-proof.ts";
import { finding, openJarProof, jarChecks } from "#testing/jar/jar-proof.ts";
import { jarBook } from "#testing/jar/jar-projection.ts";
import { jarEvents, jarFilled, jarStreams } from "#testing/jar/jar.ts";

let shop: JarProof;

beforeEach(async () => {
  shop = await openJarProof();
});

afterEach(() => shop.close());

describe("a store with something missing", () => {
  it.each([
    ["the view of a read table", "drop view read.jar_sums", "balances", "views"],
    ["a read table with its view", "drop table read.jar_sums_g1 cascade", "projection", "views"],
    ["the row of a projection", "delete from read.projections", "projection", "projection"],
    ["the table of projections", "drop table read.projections cascade", "projection", "schema"],
    [
      "a column of the log that hashes cover",
      "alter table log.events drop column actor",
      "chain",
      "schema",
    ],
    [
      "the count of a key's events",
      "alter table log.command_keys drop column events",
      "keys",
      "schema",
    ],
    ["the typed postings", "drop table log.postings", "chain", "schema"],
    ["the keys", "drop table log.command_keys", "keys", "schema"],
    ["the states", "drop table log.streams", "streams", "schema"],
    ["the log", "drop table log.events", "chain", "schema"],
    ["the right to read the log", "revoke select on log.events from ledger_app", "chain", "schema"],
    ["the whole schema of the log", "drop schema log cascade", "chain", "schema"],
    ["the whole schema of the read tables", "drop schema read cascade", "projection", "schema"],
  ])("shows that %s is gone, and goes on", async (_what, change, check, then) => {
    const problems = await shop.afterwards(change);
    const checks = problems.map((problem) => problem.check);
    expect(checks).toContain(check);
    expect(checks).toContain(then);
  });
});

describe("a projection with something missing", () => {
  it.each([
    [
      "its row",
      "delete from read.projections",
      [
        "jar_book has no live row in read.projections, so nothing says which of its tables are shown, and how far they are: npm run rebuild -- jar_book makes new ones",
      ],
    ],
    [
      "a table",
      "drop table read.jar_lines_g1 cascade",
      [
        "read.jar_lines is missing: it should show read.jar_lines_g1",
        "The table read.jar_lines_g1, which jar_book shows, is missing: npm run rebuild -- jar_book makes new ones",
      ],
    ],
    [
      "a view",
      "drop view read.jar_lines",
      ["read.jar_lines is missing: it should show read.jar_lines_g1"],
    ],
    [
      "a column",
      "alter table read.jar_lines_g1 drop column cents_after cascade",
      [
        "read.jar_lines is missing: it should show read.jar_lines_g1",
        "A column of the table read.jar_lines_g1, which jar_book shows, is missing: npm run rebuild -- jar_book makes new ones",
      ],
    ],
  ])("says plainly that %s is gone, and a rebuild repairs it", async (_what, change, messages) => {
    const problems = await shop.afterwards(change);
    expect(problems.map(({ message }) => message).toSorted()).toEqual(messages.toSorted());
    const { sql } = shop.database;
    const tables = { sql, projections: [jarBook], events: jarEvents };
    await ensureProjections({ ...tables, leaveOlder: true });
    const preview = await rebuildProjection(sql, jarBook, { ...tables, mayFlip: () => false });
    expect(preview.flipped).toBe(false);
    expect(await rebuildProjection(sql, jarBook, tables)).toMatchObject({ flipped: true });
    expect((await shop.verify()).problems).toEqual([]);
  });
});

describe("a feature's check of tables with something missing", () => {
  const check = (about: string): BookCheck => ({
    check: "balances",
    readsFrom: [jarBook.name],
    sql: `
      select 5 as position, 'more rows than up to position ' || coalesce(position, 0) as message
      from (select max(position) as position from read.projections where state = 'live') reached
      where (select count(*) from ${about}) > coalesce(position, 0)`,
  });

  it.each([
    ["the row is lost", "delete from read.projections"],
    ["a table is lost", "drop table read.jar_lines_g1 cascade"],
  ])("says nothing false if %s, and other checks still run", async (_what, change) => {
    await shop.database.ownerSql.unsafe(change);
    const always: BookCheck = { check: "users", sql: "select 3 as position, 'x' as message" };
    const checks = [check("read.jar_sums"), check("read.jar_lines"), always];
    const { problems } = await shop.verify({ checks });
    expect(problems.filter((problem) => problem.check === "balances")).toEqual([]);
    expect(problems).toContainEqual(finding("users", 3, "x"));
  });
});

describe("a check that fails", () => {
  it("is a finding of its feature, and the next check still runs", async () => {
    const { problems } = await shop.verify({
      checks: [
        { check: "units", sql: "select 0 as position, 'x' as message from read.nothing" },
        { check: "users", sql: "select 1 / 0 as position, 'x' as message" },
        {
          check: "users",
          sql: "select 3 as position, null::text as message union all select 9223372036854775807, 'far' order by 1",
        },
      ],
    });
    expect(problems).toEqual([
      finding("users", 3, "a row has NULL where none belongs"),
      finding("units", 0, 'relation "read.nothing" does not exist'),
      finding("users", 0, "division by zero"),
      finding("users", 0, "far"),
    ]);
  });

  it("is a finding of its projection, and the next projection is still replayed", async () => {
    const broken = {
      ...jarBook,
      name: "broken",
      tables: [{ name: "broken", columns: "n bigint not null", keys: [], indexes: [] }],
      step: ["insert into {table:broken} (n) select null"],
      keysTouched: "select 'all' as key",
      forgetKeys: [],
    };
    await shop.database.sql.unsafe(`
      create table read.broken_g1 (n bigint not null);
      create view read.broken as select * from read.broken_g1;
      insert into read.projections (name, generation, version, state, position)
      values ('broken', 1, 1, 'live', 13);
      update read.jar_sums_g1 set cents = 5 where jar = 'jar-t0'`);
    const { problems } = await shop.verify({ projections: [broken, jarBook] });
    expect(problems).toContainEqual(finding("projection", 12, "jar_sums: 2 rows differ"));
    const [made] = await shop.database
      .sql`select count(*) as tables from pg_class where relname like 'broken_g%'`;
    expect(made).toEqual({ tables: 1 });
  });

  it("does not hide findings of other checks, however many it has itself", async () => {
    await shop.database.ownerSql.unsafe(`
      insert into log.postings select 1000 + n, 0, 'a', 'b', 1 from generate_series(1, 300) n;
      update read.jar_sums_g1 set cents = 5 where jar = 'jar-t0'`);
    const report = await shop.verify();
    expect(report.problems.filter(({ check }) => check === "rows")).toHaveLength(100);
    expect(report.problems).toContainEqual(finding("projection", 12, "jar_sums: 2 rows differ"));
  });

  it("is found while read tables are brought up to the log, and everything else is still checked", async () => {
    const { problems } = await shop.verify({
      prepare: () => Promise.reject(new Error("null value in column line")),
    });
    expect(problems).toEqual([finding("projection", 0, "null value in column line")]);
  });

  it("reports what it found even if no definition of an event parses anything", async () => {
    const throwing = { ...jarFilled, schema: z.never() };
    const { problems } = await shop.verify({
      events: new Map([...jarEvents, [throwing.type, throwing]]),
    });
    expect(problems.filter(({ check }) => check === "streams")).toHaveLength(12);
  });
});

describe("what ends a verification", () => {
  it("is its signal", async () => {
    const stop = new AbortController();
    stop.abort(new Error("Stopped"));
    await expect(shop.verify({ signal: stop.signal })).rejects.toThrow("Stopped");
  });

  it("is a lost database", async () => {
    const sql = connect(shop.database.appUrl, {
      applicationName: "to-be-ended",
      maxConnections: 2,
    });
    const ended = verifyBooks({
      sql,
      events: jarEvents,
      streams: jarStreams,
      projections: [jarBook],
      heads: [],
      checks: [
        ...jarChecks,
        {
          check: "users",
          sql: "select 0 as position, pg_terminate_backend(pg_backend_pid())::text as message",
        },
      ],
    });
    await expect(ended).rejects.toThrow(/terminat|CONNECTION/u);
    await sql.end({ timeout: 5 });
  });
});
