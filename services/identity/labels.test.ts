// Labels are stored encrypted, are readable exactly as long as their key exists, and leave no bytes behind.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { erasePerson } from "#identity/users.ts";
import type { Labels } from "#identity/labels.ts";
import { openTestApp, type TestApp } from "#testing/service/test-app.ts";
import { cleanLabels, LABELS_KEPT_DAYS } from "#process/label-cleaning.ts";

const DAY_MS = 86_400_000;
const bytes = Buffer.from("%PDF-1.4 a label for Zebulon");

let shop: TestApp;
let labels: Labels;
let ownerUid: string;

beforeAll(async () => {
  shop = await openTestApp({ routes: [], projections: [] });
  ({ labels } = shop.identity);
  ownerUid = (await shop.person("Avery")).uid;
});

afterAll(() => shop.close());

async function keep(uid = ownerUid): Promise<string> {
  const label = labels.prepare({ id: randomUUID(), ownerUid: uid, bytes });
  await label.stage();
  await shop.database.sql.begin(label.write);
  return label.id;
}

async function storedBytes(id: string): Promise<Buffer | undefined> {
  const [row] = await shop.database.sql<{ sealed: Buffer }[]>`
    select sealed from files.labels where id = ${id}`;
  return row?.sealed;
}

test("a stored label can be read again, and its stored bytes reveal nothing", async () => {
  const id = await keep();
  const opened = await labels.open(id);
  expect(opened).toEqual({ ownerUid, bytes });
  const sealed = await storedBytes(id);
  expect(sealed?.includes("Zebulon")).toBe(false);
  expect(sealed?.length).toBe(bytes.length + 28);
  // The same file under another id has another key.
  expect(await storedBytes(await keep())).not.toEqual(sealed);
});

test("a label whose event was not written cannot be read, and is removed after an hour", async () => {
  const { id, stage } = labels.prepare({ id: randomUUID(), ownerUid, bytes });
  await stage();
  const kept = await keep();
  expect(await labels.open(id)).toBeNull();
  await cleanLabels(shop.deps);
  expect(await storedBytes(id)).toBeDefined();
  shop.advance(3_600_001);
  await cleanLabels(shop.deps);
  expect(await storedBytes(id)).toBeUndefined();
  expect(await labels.open(kept)).not.toBeNull();
});

test("a discarded label is unreadable at once, and its bytes are removed at the next cleaning", async () => {
  const id = await keep();
  await shop.database.sql.begin((transaction) => labels.discard(transaction, id));
  expect(await labels.open(id)).toBeNull();
  shop.advance(3_600_001);
  await cleanLabels(shop.deps);
  expect(await storedBytes(id)).toBeUndefined();
});

test("erasing a person deletes the keys of that person's labels and nobody else's", async () => {
  const other = (await shop.person("Blake")).uid;
  const [own, others] = [await keep(), await keep(other)];
  await shop.database.sql.begin((transaction) =>
    erasePerson(transaction, shop.deps.clock(), ownerUid),
  );
  expect(await labels.open(own)).toBeNull();
  expect(await labels.open(others)).not.toBeNull();
  ownerUid = other;
});

test("a label is deleted when it is older than a year and a month", async () => {
  const old = await keep();
  shop.advance(LABELS_KEPT_DAYS * DAY_MS - 1000);
  const younger = await keep();
  await cleanLabels(shop.deps);
  expect(await labels.open(old)).not.toBeNull();
  shop.advance(2000);
  await cleanLabels(shop.deps);
  expect(await labels.open(old)).toBeNull();
  expect(await storedBytes(old)).toBeUndefined();
  expect(await labels.open(younger)).not.toBeNull();
});

test("changed bytes, and bytes assigned to somebody else, cannot be decrypted", async () => {
  const id = await keep();
  const other = (await shop.person("Casey")).uid;
  const { ownerSql } = shop.database;
  await ownerSql`update identity.label_keys set uid = ${other} where id = ${id}`;
  await expect(labels.open(id)).rejects.toThrow("unable to authenticate");
  await ownerSql`update identity.label_keys set uid = ${ownerUid} where id = ${id}`;
  await ownerSql`
    update files.labels set sealed = set_byte(sealed, 20, (get_byte(sealed, 20) + 1) % 256) where id = ${id}`;
  await expect(labels.open(id)).rejects.toThrow("unable to authenticate");
  await expect(
    shop.database.sql`update files.labels set sealed = '' where id = ${id}`,
  ).rejects.toThrow("permission denied");
});

test("what events name by its id never comes back with other contents once it was deleted", async () => {
  const { sql } = shop.database;
  const note = (text: string) => sql`
    insert into identity.notes (id, text, about_uid)
    values ('11111111-1111-4111-8111-111111111111', ${text}, ${ownerUid})`;
  await note("Counted twice");
  await expect(sql`update identity.notes set text = 'Never counted'`).rejects.toThrow(
    "permission denied",
  );
  await sql`delete from identity.notes`;
  await expect(note("Never counted")).rejects.toThrow("was used by a row that was deleted");
  const [row] = await sql<{ guarded: string[] }[]>`
    select array_agg(tgrelid::regclass::text order by tgrelid::regclass::text) as guarded
    from pg_trigger where tgname = 'refuse_spent_id'`;
  expect(row?.guarded).toEqual([
    "files.labels",
    "identity.label_keys",
    "identity.notes",
    "identity.shipment_texts",
    "identity.trade_addresses",
    "identity.trade_labels",
  ]);
  await expect(sql`delete from identity.spent_ids`).rejects.toThrow("permission denied");
});
