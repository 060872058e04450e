// Drift made on purpose in one of a hundred accounts: one pass finds it, and nobody else's payouts wait.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setBalance } from "#features/accounts/decider.ts";
import { ALERTS, alertsStream } from "#features/alerts/streams.ts";
import { HOLDS, holdsStream } from "#features/holds/streams.ts";
import { requestPayout } from "#features/payouts/decider.ts";
import { readState } from "#ledger/log/read-state.ts";
import { readHead } from "#ledger/log/read.ts";
import { readLive } from "#ledger/projection/generation.ts";
import { proofDepsOf } from "#testing/service/proof-deps.ts";
import type { TestApp } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";
import { sized } from "#testing/trial/size.ts";
import type { AccountProofDeps } from "./prove-accounts.ts";
import { proveAccounts } from "./prove-accounts.ts";

/** One pass proves them all. */
const ACCOUNTS = sized(60, 100);
const uidOf = (index: number) => `person-${String(index).padStart(13, "0")}`;
const victim = uidOf(42);

let shop: TestApp;
let deps: AccountProofDeps;
let balances = "";
let history = "";

const happenedAt = "2026-11-20T10:00:00.000Z";

beforeAll(async () => {
  shop = await openTestApp();
  const { sql } = shop.database;
  const uids = Array.from({ length: ACCOUNTS }, (_, index) => uidOf(index));
  await sql`
    insert into identity.profiles (uid, display_name, created_at)
    select uid, uid, now() from unnest(${uids}::text[]) as u (uid)`;
  for (const balanceCents of [1000, 5000]) {
    await Promise.all(
      uids.map((uid) =>
        shop.deps.ledger.execute(
          setBalance,
          { uid, balanceCents, expectedCents: null, noteId: null, happenedAt },
          { actor: "system:test", scope: "store", key: `${uid}-${balanceCents}`, requestHash: "" },
        ),
      ),
    );
  }
  await shop.runner.catchUp();
  balances = `read.balances_g${(await readLive(sql, "balances"))?.generation}`;
  history = `read.account_history_g${(await readLive(sql, "account_history"))?.generation}`;
  deps = proofDepsOf(shop);
});

afterAll(() => shop.close());

const alerts = () => readState(shop.deps, alertsStream, ALERTS);
const holds = async () => (await readState(shop.deps, holdsStream, HOLDS)).open;

/** Asks for a payout without taking any money: the answer to a request for too much comes after the one for a hold. */
async function refusalOf(uid: string): Promise<string> {
  const outcome = await shop.deps.ledger.execute(
    requestPayout,
    {
      payoutId: shop.deps.newId(),
      consignorId: uid,
      amountCents: 1_000_000,
      method: "venmo",
      handleId: shop.deps.newId(),
      handleHash: "9".repeat(64),
      happenedAt,
    },
    { actor: uid, scope: "store", key: shop.deps.newId(), requestHash: "" },
  );
  return outcome.kind === "rejected" ? outcome.rejection.code : outcome.kind;
}

test("in right books, a pass proves all accounts and says nothing", async () => {
  expect(await proveAccounts(deps)).toEqual({ accounts: ACCOUNTS, drifted: 0 });
  expect(await alerts()).toEqual(alertsStream.initial);
  expect(await holds()).toEqual([]);
});

test("it gives way to the shop before each of its batches", async () => {
  const done: string[] = [];
  const note = (what: string) => () => {
    done.push(what);
    return Promise.resolve();
  };
  await proveAccounts({ ...deps, giveWay: note("gave way"), rest: note("rested") });
  const rests = done.flatMap((what, index) => (what === "rested" ? [index] : []));
  expect(rests.length).toBeGreaterThan(2);
  expect(rests.map((index) => done[index - 1])).toEqual(rests.map(() => "gave way"));
});

test("it folds outside of its snapshot, for whose length PostgreSQL keeps what each sale replaces", async () => {
  const inSnapshot = `select 1 / (current_setting('transaction_isolation') = 'read committed')::integer
    from {postings} where position > $1::bigint and position <= $2::bigint and {key:to_account}`;
  const watched = deps.projections
    .filter(({ name }) => name === "balances")
    .map((balance) => ({ ...balance, step: [...balance.step, inSnapshot] }));
  expect(watched).toHaveLength(1);
  const { accounts } = await proveAccounts({ ...deps, projections: watched });
  expect(accounts).toBe(ACCOUNTS);
});

test("a step that fails for one account keeps nobody else's from being proved, and fails the pass at its end", async () => {
  const { sql } = shop.database;
  const breaks = `select 1 / (count(*) filter (where to_account = 'consignor:${uidOf(7)}:available') = 0)::integer
    from {postings} where position > $1::bigint and position <= $2::bigint and {key:to_account}`;
  const broken = deps.projections
    .filter(({ name }) => name === "balances")
    .map((balance) => ({ ...balance, step: [...balance.step, breaks] }));
  const change = (index: number, cents: number) => sql`
    update ${sql(balances)} set balance_cents = balance_cents + ${cents}
    where account = ${`consignor:${uidOf(index)}:available`}`;
  // It has an alert already, which each pass proves first.
  await change(7, 1);
  await proveAccounts(deps);
  await sql`update read.proof set proved_account = ''`;
  await change(6, 1);
  const pass = proveAccounts({ ...deps, projections: broken });
  await expect(pass).rejects.toThrow("division by zero");
  const [kept] = await sql`select proved_account, pass_accounts from read.proof`;
  expect(kept).toEqual({ proved_account: uidOf(ACCOUNTS - 1), pass_accounts: ACCOUNTS });
  expect((await holds()).map(({ uid }) => uid)).toEqual([uidOf(7), uidOf(6)]);
  await change(6, -1);
  await change(7, -1);
  await proveAccounts(deps);
  expect(await holds()).toEqual([]);
});

/** How many commands the log keeps, with those that changed nothing. */
async function keptKeys(): Promise<number | undefined> {
  const [row] = await shop.database.sql<{ keys: number }[]>`
    select count(*) as keys from log.command_keys`;
  return row?.keys;
}

test("an alert that is not open is resolved without a trace, because each minute does so", async () => {
  const keys = await keptKeys();
  await deps.alerting.resolve("proof:late");
  expect(await keptKeys()).toBe(keys);
});

test("the next pass goes on where the last one ended, and comes around", async () => {
  await shop.database.sql`update read.proof set proved_account = ${uidOf(50)}`;
  expect(await proveAccounts(deps)).toEqual({ accounts: ACCOUNTS, drifted: 0 });
  const [kept] = await shop.database.sql`select proved_account from read.proof`;
  expect(kept).toEqual({ proved_account: uidOf(50) });
});

/** What somebody did to a table behind the ledger's back, and how it is made right again. */
const damages: readonly {
  readonly what: string;
  readonly damage: () => string;
  readonly repair: () => string;
}[] = [
  {
    what: "a changed cent in balances",
    damage: () =>
      `update ${balances} set balance_cents = 5001 where account = 'consignor:${victim}:available'`,
    repair: () =>
      `update ${balances} set balance_cents = 5000 where account = 'consignor:${victim}:available'`,
  },
  {
    what: "a lost row of balances",
    damage: () => `
      create table public.kept as select * from ${balances} where account = 'consignor:${victim}:available';
      delete from ${balances} where account = 'consignor:${victim}:available'`,
    repair: () => `insert into ${balances} select * from public.kept; drop table public.kept`,
  },
  {
    what: "a doubled row of balances",
    damage: () => `
      alter table ${balances} drop constraint ${balances.slice(5)}_pkey;
      insert into ${balances} select * from ${balances} where account = 'consignor:${victim}:available'`,
    repair: () => `
      delete from ${balances} where ctid = (
        select max(ctid) from ${balances} where account = 'consignor:${victim}:available');
      alter table ${balances} add primary key (account)`,
  },
  {
    what: "a changed cent in account_history",
    damage: () =>
      `update ${history} set available_after_cents = 999 where uid = '${victim}' and line = 1`,
    repair: () =>
      `update ${history} set available_after_cents = 1000 where uid = '${victim}' and line = 1`,
  },
  {
    what: "a lost row of account_history",
    damage: () => `
      create table public.kept as select * from ${history} where uid = '${victim}' and line = 2;
      delete from ${history} where uid = '${victim}' and line = 2`,
    repair: () => `insert into ${history} select * from public.kept; drop table public.kept`,
  },
  {
    what: "a doubled row of account_history",
    damage: () => `
      create temporary table doubled as select * from ${history} where uid = '${victim}' and line = 2;
      update doubled set line = 3;
      insert into ${history} select * from doubled;
      drop table doubled`,
    repair: () => `delete from ${history} where uid = '${victim}' and line = 3`,
  },
];

describe.each(damages)("$what", ({ damage, repair }) => {
  test("is found by the next pass, which holds only this account's payouts", async () => {
    await shop.database.ownerSql.unsafe(damage());
    expect(await proveAccounts(deps)).toMatchObject({ accounts: ACCOUNTS });
    expect((await alerts()).open).toMatchObject([{ kind: "drift", count: 1 }]);
    expect(await holds()).toMatchObject([{ uid: victim, cause: "proof" }]);
    expect((await holds())[0]?.reference).toMatch(/^proof:(?:balances|account_history):/u);
    expect(await refusalOf(victim)).toBe("payouts_held");
    expect(await refusalOf(uidOf(41))).toBe("insufficient_balance");
  });

  test("is settled by the pass after the repair", async () => {
    await shop.database.ownerSql.unsafe(repair());
    expect(await proveAccounts(deps)).toMatchObject({ drifted: 0 });
    expect((await alerts()).open).toEqual([]);
    expect(await holds()).toEqual([]);
    expect(await refusalOf(victim)).toBe("insufficient_balance");
  });
});

test("a fault that is found again is the same alert and the same hold, also for a second worker", async () => {
  const { ownerSql, sql } = shop.database;
  await ownerSql.unsafe(
    `update ${balances} set balance_cents = 1 where account = 'consignor:${victim}:available'`,
  );
  const head = async () => (await readHead(sql)).position;
  const before = await head();
  await Promise.all([proveAccounts(deps), proveAccounts(deps)]);
  expect((await head()) - before).toBe(2);
  expect((await alerts()).open).toHaveLength(1);
  const keys = await keptKeys();
  await proveAccounts(deps);
  expect(await keptKeys()).toBe(keys);
  expect(await holds()).toHaveLength(1);
  await ownerSql.unsafe(
    `update ${balances} set balance_cents = 5000 where account = 'consignor:${victim}:available'`,
  );
  await proveAccounts(deps);
  expect(await holds()).toEqual([]);
});

test("more than fifty drifted accounts are one alert and one hold on everybody", async () => {
  const { ownerSql } = shop.database;
  const some = `account like 'consignor:%:available' and account < 'consignor:${uidOf(55)}'`;
  await ownerSql.unsafe(`update ${balances} set balance_cents = balance_cents + 1 where ${some}`);
  await proveAccounts(deps);
  const { open } = await alerts();
  expect(open.map(({ rowKey }) => rowKey)).toContain(null);
  expect((await holds()).map(({ uid }) => uid)).toContain(null);
  expect(await refusalOf(uidOf(58))).toBe("payouts_held");
});
