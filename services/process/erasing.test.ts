// Erased is erased: once a person is deleted, nothing of theirs is left in a dump of the database or in the data folder.
import { randomUUID } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { mkdtemp, chmod } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { openStore } from "./open-store.ts";
import { startApi } from "./start-api.ts";
import { erasingDepsOf, startWorker } from "./start-worker.ts";
import type { Store } from "./open-store.ts";
import type { Api } from "./start-api.ts";
import type { Worker } from "./start-worker.ts";
import { finishErasures } from "./erasing.ts";
import { bookChecks, events, projections, streams } from "../features.ts";
import { parseConfig } from "#config";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { findRunningEmbedded } from "#db/embedded.ts";
import type { Purge } from "#db/purge.ts";
import { readLegacyFile } from "#features/migration/legacy-file.ts";
import { stageLegacy } from "#features/migration/legacy-staging.ts";
import { createReservationKeys } from "#identity/reservation-keys.ts";
import { makePerson } from "#testing/shop/people.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { noWebBuild } from "#http/web-build.ts";

// It initializes its own server, which waits for the disk.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** All personal data of one person, each value with a word that occurs nowhere else. */
const words = {
  email: "zebulon@erase-me.test",
  oldEmail: "zebulon-before@erase-me.test",
  displayName: "Zebulon Quagmire",
  oldName: "Zeb Formerly",
  username: "zebu-lonely",
  oldUsername: "zebu-firstly",
  discordId: "987654321098765432",
  discordName: "quagmire-on-discord",
  handle: "$zebulonscash",
  note: "Owes the store a zeppelin",
  balanceReason: "Paid zebulously in cash",
  refundReason: "Zephyr broke the lamp",
  street: "17 Zigzag Lane",
  tradeReason: "Zinnia lamps after all",
  trackingNumber: "ZEBUTRACK94001",
  shipped: "Zeppelins in a zinc box",
  shippedBy: "Zooming Couriers",
  refused: "Zinc is not accepted",
  browser: "ZebulonsBrowser/7.7",
  oldId: "old-app-zebulon-17",
} as const;

/** Columns of schema identity whose values say nothing about a person. */
const impersonal = [
  "before_the_log.uid",
  "chosen_handles.method",
  "chosen_handles.uid",
  "confirmations.session_key",
  "confirmations.uid",
  "credentials.uid",
  "custom_tokens.uid",
  "discord_confirmations.uid",
  "discord_reach.refused_because",
  "discord_reach.uid",
  "email_changes.asked_by",
  "email_changes.uid",
  "erasures.uid",
  "factors.kind",
  "factors.uid",
  "invitations.invited_by",
  "invitations.uid",
  "issuer_subjects.issuer",
  "issuer_subjects.uid",
  "label_keys.uid",
  "legacy_users.migrated_uid",
  "legacy_users.summary",
  "mail_links.purpose",
  "mail_links.uid",
  "notes.about_uid",
  "notification_choices.channel",
  "notification_choices.kind",
  "notification_choices.uid",
  "notifications.channel",
  "notifications.kind",
  "notifications.state",
  "notifications.uid",
  "notifications.why",
  "oauth_flows.provider",
  "oauth_flows.return_path",
  "passkey_challenges.purpose",
  "passkey_challenges.uid",
  "payout_handles.method",
  "payout_handles.uid",
  "profiles.lands_on",
  "profiles.role",
  "profiles.uid",
  "recovery_codes.uid",
  "refresh_families.ended_because",
  "refresh_families.uid",
  "second_steps.uid",
  "shipment_texts.uid",
  "signing_keys.kid",
  "signing_keys.public_jwk",
  "statement_keys.kid",
  "statement_keys.public_jwk",
  "totp_setups.uid",
  "trade_addresses.uid",
  "trade_labels.uid",
  "unlinked_providers.issuer",
  "unlinked_providers.uid",
  "user_changes.field",
  "user_changes.uid",
];

let store: Store;
let worker: Worker;
let api: Api;
let purge: Purge;
let dataDir: string;
let ownerSql: Sql;
let admin: string;
let uid: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "ledger-erasing-"));
  await chmod(dataDir, 0o755);
  store = await openStore({
    config: parseConfig({ DATA_DIR: dataDir, PORT: "0" }),
    logger: pino({ level: "silent" }),
    name: "erasing-test",
    works: true,
  });
  const running = await findRunningEmbedded(dataDir);
  if (store.purge === null || running === null) {
    throw new Error("An embedded store purges itself");
  }
  purge = store.purge;
  ownerSql = connect(running.ownerUrl, { applicationName: "erasing-test", maxConnections: 1 });
  worker = await startWorker(store);
  api = await startApi(store, noWebBuild);
  await store.identity.rotateKeys();
  const { ensureUser } = store.identity;
  admin = await makePerson(store, { email: "boss@people.test", role: "admin" });
  uid = await ensureUser({
    email: words.oldEmail,
    displayName: words.oldName,
    password: "demo-password",
  });
});

afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

async function call(method: string, path: string, as: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${api.server.url}/api${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${await store.identity.issueTokenFor(as)}`,
      "Content-Type": "application/json",
      "User-Agent": words.browser,
      Origin: api.server.url,
      // The ledger keeps its answer under each key forever.
      "Idempotency-Key": randomUUID(),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect([method, path, answer.status, text]).toEqual([method, path, 200, text]);
  return JSON.parse(text);
}

/** Money in and out, with all the texts about it, ending at zero. */
async function earn(): Promise<void> {
  const sale = { consignorID: uid, itemName: "Lamp", amount: 5 };
  const { saleID } = saleShape.parse(await call("POST", "/sales/custom", admin, sale));
  const refund = { quantity: 1, restock: false, reason: words.refundReason };
  await call("POST", `/sales/${saleID}/refund`, admin, refund);
  const given = { balance: 2, reason: words.balanceReason };
  await call("PUT", `/sales/balance/${uid}`, admin, given);
  const payout = { amount: 2, method: "cashapp", paymentUsername: words.handle };
  const { payoutId } = payoutShape.parse(
    await call("POST", `/payouts/${uid}/request`, uid, payout),
  );
  await call("PATCH", `/payouts/${uid}/${payoutId}/paid`, admin);
}

/** A trade that was requested and withdrawn. */
async function trade(): Promise<void> {
  const seller = await makePerson(store, { email: "seller@people.test", role: "user" });
  const item = { consignorID: seller, itemName: "Lamp", barcode1: "TRADE-1", quantity: 1 };
  await call("POST", "/inventory/consignor", admin, item);
  await call("PUT", `/sales/balance/${uid}`, admin, { balance: 10 });
  const { tradeId } = tradeShape.parse(
    await call("POST", "/trades/request", uid, {
      itemName: "Lamp",
      itemBarcode: "TRADE-1",
      quantity: 1,
      pricePerItem: 100,
      shippingAddress: {
        name: "Z",
        street: words.street,
        city: "C",
        state: "S",
        zip: "1",
      },
    }),
  );
  await call("POST", `/trades/${tradeId}/cancel`, uid, { reason: words.tradeReason });
}

const tradeShape = z.object({ tradeId: z.string() });
/** A shipment that was taken in, with all that is said about it. */
async function ship(): Promise<void> {
  const said = {
    carrier: "OTHER",
    carrierName: words.shippedBy,
    trackingNumber: words.trackingNumber,
    contents: words.shipped,
  };
  const { id } = idShape.parse(await call("POST", `/shipments/${uid}`, uid, said));
  const counted = { processed: "yes", refusedUnits: 1, reason: words.refused };
  await call("PATCH", `/shipments/admin/${id}/status`, admin, counted);
}

const idShape = z.object({ id: z.string() });
const saleShape = z.object({ saleID: z.string() });
const payoutShape = z.object({ payoutId: z.string() });

/** Leaves every kind of trace. */
async function live(): Promise<void> {
  await call("POST", "/auth/set-username", uid, { username: words.oldUsername });
  await call("PUT", `/auth/users/${uid}`, admin, {
    email: words.email,
    displayName: words.displayName,
    username: words.username,
    reason: words.note,
  });
  await call("POST", "/identity/sign-in", uid, { email: words.email, password: "demo-password" });
  await call("PUT", "/auth/me", uid, {
    discord: { id: words.discordId, username: words.discordName },
  });
  await call("POST", "/identity/verify-email", uid, {});
  await trade();
  await earn();
  await ship();
  await store.sql`
    insert into identity.discord_reach (uid, discord_id) values (${uid}, ${words.discordId})`;
  await store.sql`
    insert into identity.discord_confirmations (uid, discord_id, asked_at, confirmed_at)
    values (${uid}, ${words.discordId}, now(), now())`;
  const text = JSON.stringify({
    users: [{ id: words.oldId, email: words.email, displayName: words.oldName }],
  });
  const { sql, clock } = store;
  const keys = createReservationKeys(sql);
  await stageLegacy({ sql, clock, keys }, readLegacyFile(text, clock()));
  const { legacyUsers } = z
    .object({ legacyUsers: z.array(z.object({ legacyId: z.string() })) })
    .parse(await call("GET", "/auth/legacy-users", admin));
  await call("POST", `/auth/users/${uid}/migrate`, admin, legacyUsers[0]);
  // This is when samples of values would be taken if they were not switched off.
  await ownerSql`analyze`;
}

/** Which of the words appear in a dump, in any case, as text or as the bytes that a dump shows as hex. */
function foundIn(dumped: string): string[] {
  const lower = dumped.toLowerCase();
  return Object.entries(words).flatMap(([name, word]) =>
    lower.includes(word.toLowerCase()) || lower.includes(Buffer.from(word).toString("hex"))
      ? [name]
      : [],
  );
}

/** Every row of every table as text, including the catalog's statistics. */
async function dump(): Promise<string> {
  const tables = await ownerSql<{ name: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`;
  const parts: string[] = [];
  for (const { name } of tables) {
    const [row] = await ownerSql.unsafe<{ text: string }[]>(
      `select coalesce(string_agg(t::text, E'\\n'), '') as text from ${name} t`,
    );
    parts.push(row?.text ?? "");
  }
  const [samples] = await ownerSql<{ text: string }[]>`
    select coalesce(string_agg(s::text, E'\n'), '') as text from pg_stats s`;
  return [...parts, samples?.text ?? ""].join("\n");
}

/** Which of the words appear in which files of the data folder. */
async function foundInFolder(): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const entry of await readdir(dataDir, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || entry.parentPath.includes("software-")) {
      continue;
    }
    const bytes = await readFile(join(entry.parentPath, entry.name));
    for (const [name, word] of Object.entries(words)) {
      if (bytes.includes(word)) {
        (found[name] ??= []).push(join(entry.parentPath, entry.name).slice(dataDir.length));
      }
    }
  }
  return found;
}

it("PostgreSQL keeps no samples of personal columns: a new column is either declared harmless or not sampled", async () => {
  const sampled = await ownerSql<{ name: string }[]>`
    select c.relname || '.' || a.attname as name
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'identity'::regnamespace and c.relkind = 'r' and a.attnum > 0
      and not a.attisdropped and a.atttypid in ('text'::regtype, 'jsonb'::regtype)
      and coalesce(a.attstattarget, -1) <> 0
    order by 1`;
  expect(sampled.map(({ name }) => name)).toEqual(impersonal);
  const indexed = await ownerSql<{ name: string }[]>`
    select i.indexrelid::regclass::text as name
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = i.indexrelid
    where c.relnamespace = 'identity'::regnamespace and i.indexprs is not null
      and coalesce(a.attstattarget, -1) <> 0`;
  expect(indexed).toEqual([]);
});

it("a dump and the data folder contain every word before and none after, and the books still verify", async () => {
  await live();
  // Writes everything to disk, so that there is something to find.
  await purge([]);
  expect(foundIn(await dump()).toSorted()).toEqual(Object.keys(words).toSorted());
  expect(Object.keys(await foundInFolder()).toSorted()).toEqual(Object.keys(words).toSorted());

  await call("DELETE", `/auth/users/${uid}`, admin);
  let erased = 0;
  const waiting = async () => {
    const round = await finishErasures(erasingDepsOf(store, purge));
    erased += round.erased;
    return round.waiting;
  };
  // A round waits for transactions that are older than the erasure, such as one of a job.
  await expect.poll(waiting).toBe(0);
  expect(erased).toBe(1);
  expect(foundIn(await dump())).toEqual([]);
  expect(await finishErasures(erasingDepsOf(store, purge))).toEqual({ erased: 0, waiting: 0 });

  await worker.runner.catchUp();
  for (const projection of projections) {
    await rebuildProjection(store.workSql, projection, { events });
  }
  const { workSql: sql } = store;
  const books = { sql, streams, events, projections, heads: [], checks: bookChecks };
  expect((await verifyBooks(books)).problems).toEqual([]);

  await ownerSql.end();
  await api.close();
  await worker.close();
  await store.close();
  expect(await foundInFolder()).toEqual({});
});
