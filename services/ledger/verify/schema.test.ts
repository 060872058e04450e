// The schema is compared with the migrations: a changed grant, trigger, function or constraint is reported by name.
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Sql } from "#db/connect.ts";
import { connect } from "#db/connect.ts";
import { checkSchema } from "#ledger/verify/schema.ts";
import { removeGuard } from "#testing/rush/guards.ts";
import type { JarProof } from "#testing/jar/jar-proof.ts";
import { openJarProof } from "#testing/jar/jar-proof.ts";

let shop: JarProof;

beforeAll(async () => {
  shop = await openJarProof();
});

afterAll(() => shop.close());

class Undone extends Error {}

/** The findings after a change, as the application's role sees them; the change is rolled back. */
async function foundAfter(change: string, sql = shop.database.ownerSql): Promise<string[]> {
  return (await lookAfter(change, sql)).problems;
}

type Seen = { readonly problems: string[]; readonly notes: readonly string[] };

async function lookAfter(change: string, sql: Sql, hasOwnServer = false): Promise<Seen> {
  let seen: Seen = { problems: [], notes: [] };
  const done = sql.begin(async (transaction) => {
    await transaction.unsafe(change);
    await transaction.unsafe("set local role ledger_app");
    const { problems, notes } = await checkSchema(transaction, { hasOwnServer });
    seen = { problems: problems.map(({ message }) => message), notes };
    throw new Undone();
  });
  await expect(done).rejects.toThrow(Undone);
  return seen;
}

it("finds nothing in a store whose schema nobody touched", async () => {
  expect(await foundAfter("select 1")).toEqual([]);
});

describe("a grant that no migration makes", () => {
  it.each([
    ["grant update on log.events to ledger_app", "ledger_app may UPDATE log.events, which"],
    ["grant delete on log.command_keys to ledger_app", "ledger_app may DELETE log.command_keys,"],
    ["grant truncate on log.streams to public", "PUBLIC may TRUNCATE log.streams,"],
    ["grant update (data) on log.events to ledger_app", "ledger_app may UPDATE log.events.data,"],
    ["grant insert (cents) on log.postings to public", "PUBLIC may INSERT log.postings.cents,"],
    ["grant create on schema log to ledger_app", "ledger_app may CREATE log,"],
    ["grant usage on schema log to public", "PUBLIC may USAGE log,"],
    [
      "grant select on log.events to ledger_app with grant option",
      "ledger_app may SELECT log.events and grant it to others,",
    ],
    ["grant select on read.jar_sums_g1 to public", "PUBLIC may SELECT read.jar_sums_g1,"],
    ["grant update on read.jar_sums to public", "PUBLIC may UPDATE read.jar_sums,"],
    [
      "grant truncate on read.projections to ledger_app",
      "ledger_app may TRUNCATE read.projections,",
    ],
    [
      "grant update (role) on identity.profiles to ledger_app",
      "ledger_app may UPDATE identity.profiles.role,",
    ],
    [
      "grant execute on function identity.follow_user_stream() to ledger_app",
      "ledger_app may EXECUTE identity.follow_user_stream(),",
    ],
    [
      "alter default privileges in schema log grant update on tables to ledger_app",
      "ledger_app will have UPDATE on what ledger_owner makes in schema log,",
    ],
    [
      "alter default privileges grant insert on tables to public",
      "PUBLIC will have INSERT on what ledger_owner makes,",
    ],
    ["grant create on schema read to public", "PUBLIC may CREATE read,"],
  ])("is found: %s", async (change, message) => {
    expect(await foundAfter(change)).toContainEqual(expect.stringContaining(message));
  });

  it("is found if one that a migration makes was revoked", async () => {
    expect(
      await foundAfter(
        "revoke select on log.events from ledger_app; revoke all on function log.append from ledger_app",
      ),
    ).toEqual([
      expect.stringMatching(/^ledger_app may no longer EXECUTE log.append\(37 arguments \w+\)$/u),
      "ledger_app may no longer SELECT log.events",
    ]);
  });
});

describe("a trigger, function or rule", () => {
  it.each([
    [
      "drop trigger follow_user_stream on log.streams",
      "trigger follow_user_stream on log.streams is missing",
    ],
    [
      "alter table log.streams disable trigger follow_user_stream",
      "trigger follow_user_stream on log.streams is not as the migrations make it: ",
    ],
    [
      `create trigger also after insert on log.events for each row execute function identity.follow_user_stream()`,
      "trigger also on log.events was not made by a migration",
    ],
    [
      `create trigger also before insert on read.jar_sums_g1 for each row execute function identity.follow_user_stream()`,
      "trigger also on read.jar_sums_g1 was not made by a migration",
    ],
    [
      `create or replace function identity.follow_user_stream() returns trigger language plpgsql security definer
         set search_path = pg_catalog, pg_temp as 'begin return null; end'`,
      "function identity.follow_user_stream() is not as the migrations make it: ",
    ],
    ["alter function log.append security invoker", "is not as the migrations make it: "],
    ["alter function log.append set search_path = public, log", "search_path=public, log"],
    ["alter function log.append reset enable_seqscan", "set enable_seqscan=off"],
    ["alter function log.append strict", '"strict", not ""'],
    [
      "create or replace function read.move_checkpoints(p_names text[], p_generations integer[], p_from bigint, p_to bigint) returns void language sql as 'select'",
      "function read.move_checkpoints(text[], integer[], bigint, bigint) is not as the migrations make it: ",
    ],
    [
      "create function log.append(text) returns text language sql as 'select $1'",
      "function log.append(text) was not made by a migration",
    ],
    [
      "create function read.helper() returns int language sql as 'select 1'",
      "function read.helper() was not made by a migration",
    ],
    ["drop aggregate log.total(bigint)", "aggregate log.total(bigint) is missing"],
    [
      "create rule nothing as on delete to log.events do instead nothing",
      "rule nothing on log.events was not made by a migration",
    ],
  ])("is found: %s", async (change, message) => {
    expect(await foundAfter(change)).toContainEqual(expect.stringContaining(message));
  });
});

it("finds a trigger of the whole database, and only notes one that the superuser of somebody else's server brought", async () => {
  const address = new URL(inject("testServer").superuserUrl);
  address.pathname = `/${shop.database.name}`;
  const superuser = connect(address.href, { applicationName: "test-superuser", maxConnections: 1 });
  try {
    const trigger = `
      create function public.watch() returns event_trigger language plpgsql as 'begin end';
      create event trigger watch on ddl_command_end when tag in ('CREATE TABLE') execute function public.watch()`;
    expect(await lookAfter(trigger, superuser)).toEqual({
      problems: [],
      notes: [
        "The event trigger watch of the superuser postgres: on ddl_command_end for CREATE TABLE executes watch(), " +
          "also when the store changes its schema. A managed database may have brought it",
      ],
    });
    const found =
      "event trigger watch was not made by a migration: on ddl_command_end for CREATE TABLE executes watch()";
    // Nobody but the store has superusers in the embedded server.
    expect(await lookAfter(trigger, superuser, true)).toEqual({ problems: [found], notes: [] });
    // Its function could be changed by somebody who is not a superuser.
    const byApp = `${trigger}; alter function public.watch() owner to ledger_app`;
    expect(await lookAfter(byApp, superuser)).toEqual({ problems: [found], notes: [] });
    const ofStore = `${trigger}; alter role ledger_owner superuser; alter event trigger watch owner to ledger_owner`;
    expect(await foundAfter(ofStore, superuser)).toContain(found);
    const inStore = `${trigger}; alter function public.watch() set schema read`;
    expect(await foundAfter(inStore, superuser)).toContain(
      found.replace("executes watch()", "executes read.watch()"),
    );
    const atLogin = trigger.replace("ddl_command_end when tag in ('CREATE TABLE')", "login");
    expect(await foundAfter(atLogin, superuser)).toEqual([
      "event trigger watch was not made by a migration: on login executes watch()",
    ]);
  } finally {
    await superuser.end();
  }
});

describe("a table, column, constraint or index", () => {
  it.each([
    [
      "alter table log.events drop constraint events_id_key",
      "constraint events_id_key on log.events is missing",
    ],
    [
      "alter table log.postings drop constraint postings_cents_positive",
      "constraint postings_cents_positive on log.postings is missing",
    ],
    [
      `alter table log.postings drop constraint postings_cents_positive;
       alter table log.postings add constraint postings_cents_positive check (cents > -1)`,
      'constraint postings_cents_positive on log.postings is not as the migrations make it: "CHECK ((cents > ',
    ],
    [
      `alter table log.postings drop constraint postings_cents_positive;
       alter table log.postings add constraint postings_cents_positive check (cents > 0) not valid`,
      "NOT VALID",
    ],
    [
      "alter table log.events add constraint more check (position < 20)",
      "constraint more on log.events was not",
    ],
    [
      "drop index log.event_streams_position_idx",
      "index event_streams_position_idx on log.event_streams is missing",
    ],
    [
      "create index more on log.events (actor)",
      "index more on log.events was not made by a migration",
    ],
    [
      "alter table log.events alter actor drop not null",
      'column log.events.actor is not as the migrations make it: "text", not "text not null"',
    ],
    ["alter table log.events alter actor set default 'x'", "column log.events.actor is not as"],
    ["alter table log.postings alter cents type numeric", "column log.postings.cents is not as"],
    [
      "alter table log.events add column note text",
      "column log.events.note was not made by a migration",
    ],
    [
      "alter table log.events enable row level security",
      "table log.events is not as the migrations make it",
    ],
    ["create policy mine on log.events using (position <> 9)", "policy mine on log.events was not"],
    [
      "create table log.more (like log.events) inherits (log.events)",
      "child log.more of log.events was not",
    ],
    ["create table log.notes (n int)", "table log.notes was not made by a migration"],
    ["create view log.sums as select 1 as one", "view log.sums was not made by a migration"],
    [
      "grant create on schema log to ledger_app; alter table log.events owner to ledger_app",
      'table log.events is not as the migrations make it: "owner ledger_app", not "owner ledger_owner"',
    ],
    ["alter table log.streams set unlogged", "table log.streams is not as the migrations make it"],
    ["create table read.notes (n int)", "table read.notes was not made by a migration"],
    [
      "drop index read.projections_one_live",
      "index projections_one_live on read.projections is missing",
    ],
    [
      "alter table identity.payout_handles drop constraint payout_handles_handle_key",
      "constraint payout_handles_handle_key on identity.payout_handles is missing",
    ],
    ["drop index identity.profiles_email", "index profiles_email on identity.profiles is missing"],
    [
      "alter table identity.profiles alter role set default 'admin'",
      "column identity.profiles.role is not as the migrations make it",
    ],
    ["create domain log.cents as bigint", "type log.cents was not made by a migration"],
  ])("is found: %s", async (change, message) => {
    expect(await foundAfter(change)).toContainEqual(expect.stringContaining(message));
  });
});

it("is part of verify, which finds a guard that was removed from the append", async () => {
  expect((await shop.verify({ withoutReplay: true })).problems).toEqual([]);
  await removeGuard(shop.database.ownerSql, "version check");
  const { problems } = await shop.verify({ withoutReplay: true });
  expect(problems).toEqual([
    {
      check: "schema",
      position: 0,
      message: expect.stringMatching(
        /^function log.append\(37 arguments \w+\) is not as the migrations make it/u,
      ),
    },
  ]);
});
