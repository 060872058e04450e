// Somebody with the database's role keeps answers under the keys of payout holds before there is one: money waits all the same.
import { createHash, randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bookChecks, events, projections, streams } from "./features.ts";
import { reportDrift, settleDrift } from "./proof/drift.ts";
import { createAlerting } from "./proof/alerting.ts";
import { proveAccounts } from "./proof/prove-accounts.ts";
import { availableAccount, payoutsAccount } from "#features/accounts/streams.ts";
import { balancesProjection } from "#features/accounts/projection.ts";
import { ALERTS, alertsStream } from "#features/alerts/streams.ts";
import { placeHolds } from "#features/holds/place-holds.ts";
import { HOLDS, holdsStream, holdStreamId } from "#features/holds/streams.ts";
import { PayoutRequested } from "#features/payouts/events.ts";
import { payoutStreamId } from "#features/payouts/streams.ts";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import type { NewEvent } from "#ledger/event.ts";
import { emit } from "#ledger/event.ts";
import { readHead } from "#ledger/log/read.ts";
import { readState } from "#ledger/log/read-state.ts";
import { move } from "#ledger/posting.ts";
import { readLive } from "#ledger/projection/generation.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";

const forge: Decider<NewEvent, null> = {
  type: "Forge",
  streams: ({ streams: ids }) => ids,
  decide: (forged) => accept([forged], null),
};

let shop: TestApp;
let boss: TestPerson;
let avery: TestPerson;
let blake: TestPerson;
let reference = "";

beforeAll(async () => {
  shop = await openTestApp();
  boss = await shop.person("Boss", "admin");
  avery = await shop.person("Avery");
  blake = await shop.person("Blake");
  for (const { uid: consignorID } of [avery, blake]) {
    const body = { consignorID, itemName: "Lamp", amount: 100 };
    await shop.call("POST", "/api/sales/custom", { as: boss, body });
  }
  await shop.runner.catchUp();
});

afterAll(() => shop.close());

const holdDeps = () => ({ ...shop.deps, projections });

function proofDeps() {
  const logger = pino({ level: "silent" });
  const alerting = createAlerting({ ...shop.deps, logger, queueLetter: null });
  const rest = () => Promise.resolve();
  return { ...holdDeps(), proofSql: shop.database.sql, alerting, events, rest, giveWay: rest };
}

const openHolds = async () => (await readState(shop.deps, holdsStream, HOLDS)).open;
const openAlerts = async () => (await readState(shop.deps, alertsStream, ALERTS)).open;

/** What the ledger would keep if the hold of this person had happened. */
async function poison({ uid }: TestPerson, key: string): Promise<void> {
  const hash = createHash("sha256").update(key).digest("hex");
  await shop.database.ownerSql`
    insert into log.command_keys (scope, key, request_hash, answer, position, events)
    values (${`system:holds:${holdStreamId(uid)}`}, ${key}, decode(${hash}, 'hex'),
      '{"kind": "accepted", "answer": {"happened": true}}', 1, 0)`;
}

function request(as: TestPerson) {
  const body = { amount: 3, method: "venmo", paymentUsername: "@somebody" };
  return shop.call("POST", `/api/payouts/${as.uid}/request`, { as, body });
}

/** Takes a dollar of this person without extending their stream. */
async function takeDollar({ uid: consignorId }: TestPerson): Promise<void> {
  const payoutId = randomUUID();
  const handle = { method: "cashapp", handleId: randomUUID(), handleHash: null } as const;
  const forged = emit(
    PayoutRequested,
    { payoutId, consignorId, amountCents: 100, ...handle },
    {
      streams: [payoutStreamId(payoutId)],
      happenedAt: shop.deps.clock().toISOString(),
      postings: move(availableAccount.of(consignorId), payoutsAccount.of(consignorId), 100),
    },
  );
  const context = { actor: consignorId, scope: "store", key: randomUUID(), requestHash: "" };
  await shop.deps.ledger.execute(forge, forged, context);
  await shop.runner.catchUp();
}

test("a payout waits while the row is held, although somebody kept an answer under the hold's key", async () => {
  const { sql } = shop.database;
  const generation = (await readLive(sql, "account_history"))?.generation;
  const position = (await readHead(sql)).position + 1;
  reference = `hold:account_history:${generation}:${avery.uid}:${position}`;
  await poison(avery, reference);
  await takeDollar(avery);
  await placeHolds(holdDeps());
  expect(await openHolds()).toMatchObject([{ uid: avery.uid, reference }]);
  expect(await request(avery)).toMatchObject({ status: 409, body: { error: "payouts_held" } });
  expect(await request(blake)).toMatchObject({ status: 200 });
});

test("the held row's reason says what is wrong with the event", async () => {
  const [held] = await shop.database.sql<{ error: string }[]>`select error from read.quarantine`;
  expect(held?.error).toMatch(
    new RegExp(
      `^event \\d+ is wrong: it posts to an account of ${avery.uid} without extending consignor-${avery.uid}$`,
      "u",
    ),
  );
});

test("a row that counts an event outside the person's stream is what a rebuild leaves, so no alert says to rebuild it", async () => {
  await shop.runner.catchUp();
  await proveAccounts(proofDeps());
  expect(await openAlerts()).toEqual([]);
  // It is still found where it is wrong besides.
  const { ownerSql } = shop.database;
  const account = availableAccount.of(avery.uid);
  const table = `read.balances_g${(await readLive(ownerSql, "balances"))?.generation}`;
  const change = (cents: number) =>
    ownerSql`update ${ownerSql(table)} set balance_cents = balance_cents + ${cents} where account = ${account}`;
  await change(1);
  await proveAccounts(proofDeps());
  expect(await openAlerts()).toMatchObject([{ kind: "drift", rowKey: account }]);
  await change(-1);
  await proveAccounts(proofDeps());
  expect(await openAlerts()).toEqual([]);
});

test("a hold for a row that differs is placed and released under a key that nobody knew", async () => {
  const rowKey = availableAccount.of(blake.uid);
  const proof = `proof:balances:${rowKey}:1`;
  await poison(blake, proof);
  await poison(blake, `release:${proof}`);
  await reportDrift(proofDeps(), balancesProjection, { drifted: [rowKey], position: 1 });
  expect((await openHolds()).map((hold) => hold.reference)).toEqual([reference, proof]);
  expect(await request(blake)).toMatchObject({ status: 409, body: { error: "payouts_held" } });
  const [alert] = await openAlerts();
  await settleDrift(proofDeps(), alert === undefined ? [] : [alert]);
  expect((await openHolds()).map((hold) => hold.reference)).toEqual([reference]);
  expect(await request(blake)).toMatchObject({ status: 200 });
});

test("a hold ends when its row is right, although somebody kept an answer under the release's key", async () => {
  await poison(avery, `release:${reference}`);
  const { sql } = shop.database;
  const [held] = await sql`select * from read.quarantine`;
  await sql`delete from read.quarantine`;
  await placeHolds(holdDeps());
  expect(await openHolds()).toEqual([]);
  await sql`insert into read.quarantine ${sql(held ?? {})}`;
  await placeHolds(holdDeps());
  expect(await openHolds()).toMatchObject([{ uid: avery.uid, reference }]);
});

test("a hold that an admin lifted is not asked for again, so that looking keeps no keys", async () => {
  const body = { consignorID: avery.uid, reference, reason: "Checked by hand" };
  await shop.call("POST", "/api/payouts/holds/lift", { as: boss, body });
  const kept = async () => await shop.database.sql`select count(*) as keys from log.command_keys`;
  const before = await kept();
  await placeHolds(holdDeps());
  await placeHolds(holdDeps());
  expect(await openHolds()).toEqual([]);
  expect(await kept()).toEqual(before);
});

test("verify names the answers that say something happened without an event", async () => {
  const report = await verifyBooks({
    sql: shop.database.sql,
    events,
    streams,
    projections,
    checks: bookChecks,
    heads: [],
    withoutReplay: true,
  });
  const keys = report.problems.filter(({ check }) => check === "keys");
  const said = "says that payouts were held or released, but no event does";
  const named = (uid: string, key: string) =>
    `The answer kept under system:holds:${holdStreamId(uid)}/${key} ${said}`;
  const proof = `proof:balances:${availableAccount.of(blake.uid)}:1`;
  expect(new Set(keys.map(({ message }) => message))).toEqual(
    new Set([
      named(avery.uid, reference),
      named(avery.uid, `release:${reference}`),
      named(blake.uid, proof),
      named(blake.uid, `release:${proof}`),
    ]),
  );
});
