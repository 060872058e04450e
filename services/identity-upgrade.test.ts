// A store from before roles came only from the log opens, says what it no longer trusts, and can still pay out.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseConfig } from "#config";
import { requestPayout } from "#features/payouts/decider.ts";
import { PayoutRequested } from "#features/payouts/events.ts";
import { consignorStreamId } from "#features/accounts/streams.ts";
import { payoutStream, payoutStreamId } from "#features/payouts/streams.ts";
import { createSetupLink } from "#identity/setup-link.ts";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { giveRole } from "#testing/shop/people.ts";
import type { OldDatabase } from "#testing/database/old-database.ts";
import { databasesOf } from "#testing/database/old-database.ts";
import { openStore } from "#process/open-store.ts";
import type { Store } from "#process/open-store.ts";
import { bookChecks, events, projections, streams } from "./features.ts";
import { loadSampleStore } from "../scripts/sample-store.ts";

const robin = "robin-old-admin-000000001";
const avery = "avery-consignor-00000001";
const oldHandle = "4f1c2e7a-0d6b-4c51-9a3e-5b8f7c6d1e20";

const oldDatabase = databasesOf(9);
let old: OldDatabase;
let dataDir: string;
let store: Store | undefined;
/** Errors. */
let logged: string[];
/** Everything else. */
let news: string[];

beforeEach(async () => {
  logged = [];
  news = [];
  dataDir = await mkdtemp(join(tmpdir(), "identity-upgrade-"));
  old = await oldDatabase();
  // How `npm run demo` left its people: the admin and the usernames got into the log only at a later start.
  await old.sql`
    insert into identity.profiles (uid, email, display_name, username, role, created_at)
    values (${robin}, 'admin@demo.test', 'Robin', 'robin', 'admin', now()),
      (${avery}, 'avery@demo.test', 'Avery', 'avery', 'user', now())`;
  await old.sql`
    insert into identity.payout_handles (id, uid, method, handle, last_used_at)
    values (${oldHandle}, ${avery}, 'cashapp', '$AveryStone', null)`;
});

afterEach(async () => {
  await store?.close();
  store = undefined;
  await old.close();
  await rm(dataDir, { recursive: true });
});

async function start(): Promise<Store> {
  const config = {
    DATABASE_URL: old.appUrl,
    DATABASE_OWNER_URL: old.ownerUrl,
    DATA_DIR: dataDir,
    PORT: "0",
  };
  const logger = pino(
    { level: "info" },
    { write: (line: string) => void (/"level":[56]0/u.test(line) ? logged : news).push(line) },
  );
  store = await openStore({ config: parseConfig(config), logger, name: "upgrade", works: false });
  return store;
}

async function verify({ workSql: sql }: Store) {
  const books = { sql, events, streams, projections, heads: [], checks: bookChecks };
  return verifyBooks({ ...books, withoutReplay: true });
}

const unbound = "2 usernames are older than the log's record of them: unbound";
const noAdmin = `${robin} was an admin in identity.profiles before roles came from the log alone, and is none now`;

test("an admin without an event is not an admin: start and verify say so, a setup link is made, and an event resolves it", async () => {
  const opened = await start();
  expect(logged.join("")).toContain(`${robin} was an admin in identity.profiles, but by no event`);
  expect(await opened.workSql`select type from log.events`).toHaveLength(0);
  expect(await createSetupLink(opened.sql, opened.clock, "http://127.0.0.1")).toContain("#setup=");
  expect(await verify(opened)).toMatchObject({ problems: [], notes: [noAdmin, unbound] });
  await giveRole(opened, robin, "admin");
  expect(await verify(opened)).toMatchObject({ problems: [], notes: [unbound] });
  expect(await createSetupLink(opened.sql, opened.clock, "http://127.0.0.1")).toBeUndefined();
  await opened.close();
  expect(news.join("")).toMatch(/"migrations":\["0010_.*the schema was migrated/u);
  logged = [];
  news = [];
  await start();
  expect(logged).toEqual([]);
  expect(news.join("")).not.toContain("the schema was migrated");
});

test("an admin with an event stays one, and a username that was added later is found", async () => {
  await old.ownerSql`
    insert into log.streams (id, version, state, state_version)
    values (${`user-${robin}`}, 1, '{"role": "admin", "deactivatedAt": null, "username": null}', 1)`;
  await old.upgrade();
  const profiles = await old.sql`select uid, role from identity.profiles order by uid`;
  expect(profiles).toMatchObject([
    { uid: avery, role: "user" },
    { uid: robin, role: "admin" },
  ]);
  expect(await old.sql`select uid from identity.before_the_log where was_admin`).toHaveLength(0);
  await old.sql`update identity.profiles set username = 'brought' where uid = ${avery}`;
  const { problems } = await verify(await start());
  expect(problems.map(({ message }) => message)).toContain(
    `identity.profiles, row ${avery}: has a username that the log does not know`,
  );
});

/** A request as it was recorded before requests bound their handle. */
const requestUnbound: Decider<{ payoutId: string }, null> = {
  type: "RequestUnbound",
  streams: ({ payoutId }) => [payoutStreamId(payoutId), consignorStreamId(avery)],
  decide: ({ payoutId }, states) => {
    states.get(payoutStream, payoutStreamId(payoutId));
    const data = { payoutId, consignorId: avery, amountCents: 0, method: "cashapp" } as const;
    const facts = {
      streams: [payoutStreamId(payoutId), consignorStreamId(avery)],
      happenedAt: "2026-11-01T10:00:00.000Z",
    };
    // Version 1 had no hash. Null is what its upcast makes of that, and the state is made of the data as it is given here.
    const unbound = { ...data, handleId: oldHandle, handleHash: null };
    return accept([{ ...emit(PayoutRequested, unbound, facts), schemaVersion: 1 }], null);
  },
};

test("an older handle keeps its id and gets its salt with the next request, and older requests are unbound", async () => {
  const opened = await start();
  const { ledger, sql, identity } = opened;
  const context = () => ({ actor: avery, scope: "test", key: randomUUID(), requestHash: "00" });
  await ledger.execute(requestUnbound, { payoutId: randomUUID() }, context());
  const note = "1 payout requests are older than the binding of handles: unbound";
  expect(await verify(opened)).toMatchObject({ problems: [], notes: [note, noAdmin, unbound] });

  const bound = await identity.payoutHandles.bind(avery, "cashapp", "$AveryStone", avery);
  expect(bound?.id).toBe(oldHandle);
  const command = {
    payoutId: randomUUID(),
    consignorId: avery,
    amountCents: 0,
    method: "cashapp" as const,
    handleId: bound?.id ?? "",
    handleHash: bound?.hash ?? "",
    happenedAt: "2026-11-20T10:00:00.000Z",
  };
  const outcome = await ledger.execute(requestPayout, command, {
    ...context(),
    inSameTransaction: async (transaction) => bound?.keep(transaction),
  });
  expect(outcome.kind).toBe("accepted");
  const [row] = await sql`select id, length(salt) as salt from identity.payout_handles`;
  expect(row).toEqual({ id: oldHandle, salt: 16 });
  expect(await verify(opened)).toMatchObject({ problems: [], notes: [note, noAdmin, unbound] });
  await old.ownerSql`update identity.payout_handles set handle = '$mallory'`;
  expect((await verify(opened)).problems).toMatchObject([{ check: "identity", position: 2 }]);
});

test("a handle that no request of the person's own named is suggested no longer", async () => {
  await old.sql`update identity.payout_handles set last_used_at = now()`;
  const opened = await start();
  expect(await opened.identity.payoutHandles.lastUsed(avery)).toEqual([]);
  expect((await verify(opened)).problems).toEqual([]);
});

test("the demo makes its admin and its usernames by events, also in an older store", async () => {
  const opened = await start();
  await loadSampleStore(opened, { catchUp: () => Promise.resolve() });
  expect(await verify(opened)).toMatchObject({ problems: [], notes: [] });
  const [admins] = await opened.sql`select state from log.streams where id = 'admins'`;
  expect(admins).toEqual({ state: { uids: [robin] } });
});
